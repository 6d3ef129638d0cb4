"""The state of a live room beside its catalogue: the time, the link on show, the lottery. From YAML."""

from pathlib import Path

from pydantic import ValidationError

from hat.domains.livestream.errors import RoomError, problems, read_text
from hat.domains.livestream.product import Clock, Text
from hat.harness import Frozen
from hat.harness.documents import DocumentError, parse_yaml
from hat.harness.findings import Finding


class Lottery(Frozen):
    """The next draw."""

    time: Clock
    prize: Text


class Room(Frozen):
    """What holds for every viewer of the room right now."""

    time: Clock
    current_link_id: int | None = None
    """Link on show; None between two products."""
    lottery: Lottery


def load_room(path: Path) -> Room:
    """The room state of a YAML file.

    Raises:
        RoomError: the file is none; carries all findings.
    """
    try:
        document = parse_yaml(read_text(path, RoomError))
    except DocumentError as error:
        raise RoomError(path, [Finding(path.name, error.line, error.code, error.message)]) from error
    try:
        return Room.model_validate(document.data)
    except ValidationError as error:
        lines = [document.line(problem["loc"]) for problem in error.errors()]
        findings = [
            Finding(path.name, line, code, words) for line, (code, words) in zip(lines, problems(error), strict=True)
        ]
        raise RoomError(path, findings) from error
