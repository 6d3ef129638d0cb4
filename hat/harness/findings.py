"""What is wrong with a harness: findings with file and line, and the error that carries them all."""

from collections.abc import Iterable
from typing import NamedTuple


class Finding(NamedTuple):
    """One thing to mend. Findings sort by file and line."""

    file: str
    """Relative to the harness's folder, with `/`."""
    line: int
    """From 1."""
    code: str
    """Kind of finding, stable, for programs: `unknown_key`, `bad_name`, ..."""
    message: str
    """Names the object, the value and the way to fix it."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message} [{self.code}]"


class HarnessError(Exception):
    """A harness that cannot be used. Carries every finding at once."""

    def __init__(self, path: object, findings: Iterable[Finding]) -> None:
        self.path = str(path)
        self.findings = sorted(set(findings))
        count = len(self.findings)
        head = f"{path}: {count} finding{'s' if count != 1 else ''}"
        super().__init__("\n".join([head, *map(str, self.findings)]))

    def __reduce__(self) -> tuple[type["HarnessError"], tuple[str, list[Finding]]]:
        return type(self), (self.path, self.findings)
