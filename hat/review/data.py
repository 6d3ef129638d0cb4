"""Files of a review: items (what reviewers see), the key (whose replies they are), votes (one file a reviewer)."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from hat.harness import Frozen

ITEMS, KEY, VOTES = "items.json", "key.json", "votes"
Choice = Literal["left", "right", "tie"]
REVIEWER = re.compile(r"[\w.-]{1,40}")
"""A reviewer's name; it is a file's name too."""


class ReviewError(ValueError):
    """A review's file or a vote is not what it should be; names it."""


class Item(Frozen):
    """One viewer turn with two replies to it, in the order shown."""

    id: str
    message: str
    context: dict[str, Any]
    history: tuple[tuple[str, str], ...]
    replies: tuple[str, str]
    """Left, right."""


class Whose(Frozen):
    """The systems behind an item's replies."""

    left: str
    right: str


class Key(Frozen):
    """What reviewers must not see."""

    items: dict[str, Whose]
    same: dict[str, int]
    """Pair of systems (`a | b`) to the number of turns that both answered in the same words; nobody is asked."""


class Vote(Frozen):
    """One reviewer's word on one item."""

    reviewer: str
    item: str
    choice: Choice


def load_items(folder: Path) -> list[Item]:
    """What reviewers see. Raises ReviewError."""
    items: list[Item] = _load(TypeAdapter(list[Item]), folder / ITEMS)
    return items


def load_key(folder: Path) -> Key:
    """Whose replies they are. Raises ReviewError."""
    key: Key = _load(TypeAdapter(Key), folder / KEY)
    return key


def load_votes(folder: Path) -> list[Vote]:
    """All votes; of two by one reviewer on one item the later counts. Raises ReviewError."""
    found: dict[tuple[str, str], Vote] = {}
    for file in sorted((folder / VOTES).glob("*.jsonl")):
        for vote in read_votes(file):
            found[vote.reviewer, vote.item] = vote
    return list(found.values())


def read_votes(file: Path) -> list[Vote]:
    """The votes of one file, in order; a last line that was cut off is left out. Raises ReviewError."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ReviewError(f"{file}: {error}") from error
    votes = []
    for number, line in enumerate(lines, 1):
        try:
            votes += [Vote.model_validate_json(line)] if line.strip() else []
        except ValidationError as error:
            if number == len(lines):
                break
            raise ReviewError(f"{file}:{number}: no vote: {error.errors()[0]['msg']}; remove the line") from error
    return votes


def require_known(votes: Iterable[Vote], items: Iterable[Item]) -> None:
    """See to it that every vote is on an item of this review, under a name that can be a file's. Raises ReviewError."""
    known = {item.id for item in items}
    for vote in votes:
        if vote.item not in known:
            raise ReviewError(f"vote of {vote.reviewer!r} on {vote.item!r}: this review has no such item")
        if not REVIEWER.fullmatch(vote.reviewer):
            raise ReviewError(f"reviewer {vote.reviewer!r}: use 1-40 letters, digits, _ - or .")


def append_votes(folder: Path, votes: Iterable[Vote]) -> None:
    """Add votes to their reviewers' files; each line is written whole."""
    (folder / VOTES).mkdir(parents=True, exist_ok=True)
    for vote in votes:
        with (folder / VOTES / f"{vote.reviewer}.jsonl").open("a", encoding="utf-8") as file:
            file.write(vote.model_dump_json() + "\n")


def _load(kind: TypeAdapter[Any], path: Path) -> Any:
    try:
        return kind.validate_python(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise ReviewError(f"{path} is missing: make a review with `hat review export`") from error
    except ValueError as error:
        raise ReviewError(f"{path}: {error}") from error
