"""What a user's file gets when it is not what it should be: every finding at once, with file and line."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hat.harness.findings import Finding


class InputError(Exception):
    """A file that cannot be used. Carries every finding."""

    def __init__(self, path: object, findings: Iterable[Finding]) -> None:
        self.path = str(path)
        self.findings = sorted(findings)
        count = len(self.findings)
        head = f"{path}: {count} finding{'s' if count != 1 else ''}"
        super().__init__("\n".join([head, *map(str, self.findings)]))

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, list[Finding]]]:
        return type(self), (self.path, self.findings)


class CatalogueError(InputError):
    """A catalogue with findings."""


class MessagesError(InputError):
    """A file of viewers' messages with findings."""


class RoomError(InputError):
    """A room state with findings."""


def read_text(path: Path, error: type[InputError]) -> str:
    """A file's text in UTF-8, a byte order mark dropped. Raises `error`."""
    try:
        raw = path.read_bytes()
    except OSError as problem:
        words = f"cannot be read: {problem.strerror}; check the path"
        raise error(path, [Finding(path.name, 1, "unreadable", words)]) from problem
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        words = f"byte {raw[problem.start]:#04x} is not UTF-8{_guess(raw)}; save the file as UTF-8"
        raise error(path, [Finding(path.name, line, "wrong_encoding", words)]) from problem


def problems(error: ValidationError) -> list[tuple[str, str]]:
    """Code and words of all that a model refuses."""
    return [(_code(problem["type"]), _words(problem)) for problem in error.errors()]


def _guess(raw: bytes) -> str:
    for name, encoding in (("UTF-16", "utf-16"), ("GB18030", "gb18030")):
        if encoding == "utf-16" and not raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            continue
        try:
            raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        return f" (it reads as {name})"
    return ""


def _code(kind: str) -> str:
    codes = {"missing": "missing_value", "extra_forbidden": "unknown_key", "value_error": "inconsistent"}
    return codes.get(kind, "bad_value")


def _words(problem: Any) -> str:
    place = ".".join(str(step) for step in problem["loc"])
    if not place:
        return str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] == "missing":
        return f"{place} is missing; give it a value"
    if problem["type"] == "extra_forbidden":
        return f"{place} is no key here; remove or rename it"
    return f"{place} {problem['input']!r}: {problem['msg'][0].lower()}{problem['msg'][1:]}"
