"""A program run with as few rights as the machine lets us take away.

Always: no shell, cleared environment, an empty working directory of its own that is removed afterwards, a session of
its own killed at the end or at the timeout, limits on processor time, memory, file size, open files and core dumps,
output cut. Where Linux allows unprivileged namespaces (`isolation()` says so): no network, no other processes in
sight, all files read-only but the working directory, nothing survives. Files that this user may read stay readable.
"""

import json
import logging
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import IO

from hat.episode.hooks import launcher

MEMORY = 512 << 20
"""Bytes of private memory of each process."""
FILE_SIZE = 1 << 20
"""Bytes of each file written, stdout and stderr included."""
LIMITS = {"DATA": MEMORY, "FSIZE": FILE_SIZE, "NOFILE": 64, "NPROC": 64, "CORE": 0}
"""setrlimit's names. NPROC counts within the namespace; without one it would count all of the user's processes, so it
is left out. It does not bind the machine's root user."""
OUTPUT = 65_536
"""Bytes of stdout and of stderr that are read."""
NAMESPACES = launcher.NEWUSER | launcher.NEWNS | launcher.NEWPID | launcher.NEWNET | launcher.NEWIPC

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Done:
    """How a program ended."""

    code: int
    """Exit code, 128 + signal if killed, 126 if the namespaces were refused, 127 if there is no such program."""
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False


@cache
def isolation() -> str | None:
    """None if programs run in namespaces of their own, else why this machine refuses them. Tried once."""
    if sys.platform != "linux":
        return f"no namespaces on {sys.platform}"
    probe = _run((sys.executable, "-I", "-S", "-c", ""), b"", 10, NAMESPACES)
    if probe.code == 0:
        return None
    reason = probe.stderr.strip() or f"exit code {probe.code}"
    log.warning(
        "command hooks keep the network and can see other processes: this machine refuses namespaces (%s)", reason
    )
    return reason


def run(program: Sequence[str], stdin: bytes, timeout: float) -> Done:
    """Run to the end, or kill after `timeout` seconds.

    Raises:
        OSError: no process or no temporary directory to be had.
    """
    return _run(program, stdin, timeout, 0 if isolation() else NAMESPACES)


def _run(program: Sequence[str], stdin: bytes, timeout: float, flags: int) -> Done:
    limits = LIMITS | {"CPU": math.ceil(timeout)}
    if not flags:
        del limits["NPROC"]
    with (
        tempfile.TemporaryDirectory(prefix="hat-hook-", ignore_cleanup_errors=True) as work,
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        spec = json.dumps({"flags": flags, "limits": limits, "work": work})
        process = subprocess.Popen(  # noqa: S603 - argv, no shell
            [sys.executable, "-I", "-S", launcher.__file__, spec, *program],
            stdin=given,
            stdout=out,
            stderr=err,
            cwd=work,
            env=_environment(work),
            start_new_session=True,
        )
        code, timed_out = _wait(process, timeout)
        return Done(code, _read(out), _read(err), timed_out)


def _environment(work: str) -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": work, "TMPDIR": work, "LANG": "C.UTF-8"}


def _wait(process: "subprocess.Popen[bytes]", timeout: float) -> tuple[int, bool]:
    timed_out = True
    try:
        timed_out = not _ended(process, timeout)
    finally:  # also on Ctrl-C; whatever is left of the session goes
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
    return (code if code >= 0 else 128 - code), timed_out


def _ended(process: "subprocess.Popen[bytes]", timeout: float) -> bool:
    """Whether the process ends in time; told at once where the kernel can tell, `Popen.wait` looks every 50 ms."""
    if not hasattr(os, "pidfd_open"):
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout)
        return process.returncode is not None
    handle = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(timeout * 1000))
    finally:
        os.close(handle)


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(OUTPUT).decode(errors="replace")
