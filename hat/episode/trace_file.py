"""Traces as JSON lines. Appending is safe: one writer at a time, whole lines only, a half-written end is told and cut
off.

A process killed in the middle of a line leaves an end that does not parse. Reading tells it in the log and goes
without it; the next writer removes it. A line that does not parse anywhere else is damage, and an error.
"""

import fcntl
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from hat.episode.trace import Trace

log = logging.getLogger(__name__)


class TraceFileError(ValueError):
    """A line that is no trace; names file and line."""


def write_traces(path: Path, traces: Iterable[Trace]) -> int:
    """Append traces to a file, made if need be with its folder; how many were written.

    Raises:
        OSError: the disk is full or the file can't be written; a trace that was not written whole is cut off again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        _mend(path, file)
        count = 0
        for trace in traces:
            _append(path, file, trace.model_dump_json(exclude_defaults=True).encode() + b"\n")
            count += 1
        return count
    finally:
        os.close(file)


def read_traces(path: Path) -> Iterator[Trace]:
    """The traces of a file, one at a time.

    Raises:
        TraceFileError: a line other than a half-written last one is no trace.
        FileNotFoundError: there is no such file.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield Trace.model_validate_json(line)
            except ValidationError as error:
                if line.endswith(b"\n"):
                    raise TraceFileError(f"{path}:{number}: no trace: {error.errors()[0]['msg']}") from error
                log.warning("%s:%d: half-written last line of %d bytes skipped", path, number, len(line))


def _append(path: Path, file: int, line: bytes) -> None:
    start = os.fstat(file).st_size
    try:
        left = memoryview(line)
        while left:
            left = left[os.write(file, left) :]
    except OSError as error:
        os.ftruncate(file, start)
        raise OSError(
            error.errno, f"trace not written, nothing half-written left: {error.strerror}", str(path)
        ) from error


def _mend(path: Path, file: int) -> None:
    """Cut off a half-written end; end a whole last line that lacks its newline."""
    size = os.fstat(file).st_size
    if size == 0 or os.pread(file, 1, size - 1) == b"\n":
        return
    start = _last_line(file, size)
    tail = os.pread(file, size - start, start)
    try:
        Trace.model_validate_json(tail)
    except ValidationError:
        log.warning("%s: half-written last line of %d bytes cut off", path, len(tail))
        os.ftruncate(file, start)
    else:
        os.write(file, b"\n")


def _last_line(file: int, size: int, block: int = 1 << 16) -> int:
    """Offset of the first byte after the last newline."""
    while size > 0:
        start = max(0, size - block)
        found = os.pread(file, size - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        size = start
    return 0
