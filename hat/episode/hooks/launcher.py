"""Runs inside the sandbox process: takes rights away, then becomes the hook's program. A script of its own, standard
library only.

Usage: python -I -S launcher.py '{"flags": int, "limits": {...}, "work": dir}' program [argument ...]

`flags` are Linux namespaces to leave the machine's own by `unshare`; 0 leaves them alone. With them the program sees
no network, no other process, and every file system read-only but `work`; all it starts dies with it. Exit code: the
program's, 128 + signal, 126 if the namespaces were refused, 127 if there is no such program.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, ATTR_RDONLY = 442, -100, 0x8000, 1
NOBODY = 65534


class MountAttr(ctypes.Structure):
    """`struct mount_attr` of mount_setattr(2)."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd")]


def main(spec: dict[str, Any], program: list[str]) -> None:
    """Never returns."""
    if sys.platform != "linux":
        become(program, spec["limits"])
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if not spec["flags"]:
        become(program, spec["limits"])
    try:
        leave(libc, spec["flags"], spec["work"])
    except OSError as error:
        say(f"namespaces refused: {error}")
        os._exit(126)
    # The first child is process 1 of the new namespace: when it ends, the kernel ends all others. The program is its
    # child, so that signals have their usual effect on it.
    if os.fork():
        os._exit(wait())
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    libc.mount(b"proc", b"/proc", b"proc", 0, None)  # refused in some containers; the old one stays then
    child = os.fork()
    if child == 0:
        become(program, spec["limits"])
    os._exit(wait(child))


def leave(libc: ctypes.CDLL, flags: int, work: str) -> None:
    """Enter new namespaces as nobody and make all but `work` read-only. Raises OSError."""
    user, group = os.getuid(), os.getgid()
    check(libc.unshare(flags), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{NOBODY} {user} 1"), ("gid_map", f"{NOBODY} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(text)
    check(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    check(libc.mount(work.encode(), work.encode(), None, MS_BIND, None), "bind")
    set_attr(libc, b"/", AT_RECURSIVE, MountAttr(attr_set=ATTR_RDONLY))
    set_attr(libc, work.encode(), 0, MountAttr(attr_clr=ATTR_RDONLY))
    os.chdir(work)


def set_attr(libc: ctypes.CDLL, path: bytes, flags: int, attr: MountAttr) -> None:
    """mount_setattr(2), which the C library does not wrap everywhere."""
    size = ctypes.c_size_t(ctypes.sizeof(attr))
    check(libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path, flags, ctypes.byref(attr), size), "mount_setattr")


def check(result: int, what: str) -> None:
    """Turn a C error into an OSError."""
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def become(program: list[str], limits: dict[str, int]) -> None:
    """Set the limits and exec. Never returns."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (bound, bound))
    try:
        os.execvpe(program[0], program, os.environ)  # noqa: S606
    except OSError as error:
        say(f"{program[0]}: {error.strerror}")
        os._exit(127)


def wait(child: int = -1) -> int:
    """Exit code of a child (any, or that one while others are reaped too), 128 + signal if it was killed."""
    while True:
        done, status = os.waitpid(-1, 0)
        if child in (-1, done):
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def say(text: str) -> None:
    """One line on stderr."""
    os.write(2, text.encode() + b"\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
