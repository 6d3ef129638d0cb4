"""Viewers' own messages from a JSONL file, as situations to play: no expectation, so nothing to score.

A line is `{"message": "3号多少钱", "current_link_id": 5, "history": [["viewer's words", "reply"]]}`; all but the
message may be left out, the room's state then stands in. `"current_link_id": null` says that no link is on show.
"""

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from hat.domains.livestream.errors import MessagesError, problems, read_text
from hat.domains.livestream.room import Room
from hat.episode import Situation
from hat.harness import Frozen
from hat.harness.findings import Finding

Words = Annotated[str, Field(min_length=1, max_length=500)]


class ViewerMessage(Frozen):
    """One line of the file."""

    message: Words
    current_link_id: Annotated[int, Field(gt=0)] | None = None
    time: Annotated[str, Field(pattern=r"^\d{2}:\d{2}$")] | None = None
    history: tuple[tuple[Words, Words], ...] = ()
    """Earlier turns: the viewer's words, the spoken reply."""


def load_messages(path: Path, room: Room) -> tuple[Situation, ...]:
    """The messages of a file, each as a situation in the room; ids are `<file>-<line>`.

    Raises:
        MessagesError: some line is no message, or there is none; carries all findings.
    """
    findings: list[Finding] = []
    situations = []
    for line, content in enumerate(read_text(path, MessagesError).split("\n"), start=1):
        if not content.strip():
            continue
        try:
            message = ViewerMessage.model_validate(json.loads(content))
        except json.JSONDecodeError as error:
            words = f"no JSON: {error.msg} at character {error.pos + 1}"
            findings.append(Finding(path.name, line, "bad_json", words))
        except ValidationError as error:
            findings += [Finding(path.name, line, code, words) for code, words in problems(error)]
        else:
            situations.append(_situation(f"{path.stem}-{line}", message, room))
    if not situations and not findings:
        findings.append(Finding(path.name, 1, "empty", 'no messages; add lines such as {"message": "3号多少钱"}'))
    if findings:
        raise MessagesError(path, findings)
    return tuple(situations)


def _situation(name: str, message: ViewerMessage, room: Room) -> Situation:
    said = "current_link_id" in message.model_fields_set
    current = message.current_link_id if said else room.current_link_id
    context: dict[str, Any] = {} if current is None else {"current_link_id": current}
    return Situation(
        id=name,
        message=message.message,
        context=context | {"time": message.time or room.time},
        history=message.history,
    )
