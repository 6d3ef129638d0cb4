"""A process that ends with the one that started it, even if that one was killed. HAT_OWNER holds the starter's id."""

import os
import signal
import threading
import time

VARIABLE = "HAT_OWNER"
"""Environment variable with the process id to watch."""
PATIENCE = 20.0
"""Seconds that a process has to end by itself."""


def end_with_owner(interval: float = 1.0) -> None:
    """Interrupt this process, as Ctrl-C would, once that of HAT_OWNER is gone. Looks every `interval` seconds.

    A process that ignores Ctrl-C, as a shell's background jobs do, is told to terminate instead.
    """
    owner = int(os.environ.get(VARIABLE) or 0)
    if owner and owner != os.getpid():
        threading.Thread(target=_watch, args=(owner, interval), daemon=True).start()


def alive(pid: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _watch(owner: int, interval: float) -> None:
    while alive(owner):
        time.sleep(interval)
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    os.kill(os.getpid(), signal.SIGTERM if ignored else signal.SIGINT)
    time.sleep(PATIENCE)
    os._exit(1)
