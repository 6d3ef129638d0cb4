"""One writer for a folder: a second process is told who has it. The lock goes with its process, even a killed one."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class BusyError(Exception):
    """Another process writes in the folder; names the folder and the process."""


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold `folder` (made if need be) for this process.

    Raises:
        BusyError: another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise BusyError(
                f"{folder} is in use by process {holder}: wait for it, or end it with `kill {holder}`"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
