"""A local run of a pipeline as a process of its own: where it lives, how it starts, how it is stopped.

Its folder is named after what goes in (arguments and code), so the same command finds what it did before, and a changed
one starts anew. Everything that the run writes is in there, but for MLflow's store.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hat.pipeline.stages import file_digest
from hat.tracking.owner import VARIABLE as OWNER
from hat.tracking.progress import VARIABLE as PROGRESS
from hat.tracking.runs import tracking_uri

PACKAGE = Path(__file__).parents[1]
NEEDED = 500 * 2**20
"""Bytes that must be free before a run starts."""
FULL = 2**20
"""Bytes below which a disk counts as full."""


class LaunchError(Exception):
    """A run cannot start; says why and what to do."""


def code_version() -> str:
    """Digest of the library's own source, 12 hex digits after its version."""
    from hat import __version__

    hasher = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*.py")):
        hasher.update(f"{file.relative_to(PACKAGE)}\0{file_digest(file)}\0".encode())
    return f"{__version__}+{hasher.hexdigest()[:12]}"


class Launch:
    """One run: its folder, and its process once it is started."""

    def __init__(self, name: str, arguments: Mapping[str, Any], runs: Path, pipeline: str = "hat_training") -> None:
        key = hashlib.sha256(json.dumps(arguments, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:8]
        self.root = runs / f"{name}-{key}"
        self.arguments, self.pipeline = dict(arguments), pipeline
        self.progress = self.root / "progress.jsonl"
        self.log = self.root / "pipeline.log"

    def start(self, workers: int) -> "subprocess.Popen[bytes]":
        """Start the pipeline in a process group of its own; what it prints goes to `log`.

        Raises:
            LaunchError: too little room on the disk.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        require_room(self.root)
        given = self.root / "arguments.json"
        given.write_text(json.dumps(self.arguments, ensure_ascii=False, indent=1), encoding="utf-8")
        self.progress.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pipelines.run", "--root", str(self.root), "--workers", str(workers)]
        command += ["--arguments", str(given), "--pipeline", self.pipeline]
        env = os.environ | {
            "HAT_RUN": self.root.name,
            "MLFLOW_TRACKING_URI": tracking_uri(),
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"),
            "PYTHONUTF8": "1",
            PROGRESS: str(self.progress.resolve()),
            OWNER: str(os.getpid()),
        }
        with self.log.open("wb") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=env, start_new_session=True)  # noqa: S603


def require_room(folder: Path) -> None:
    """Raises LaunchError if less than `NEEDED` is free where `folder` is."""
    free = free_bytes(folder)
    if free < NEEDED:
        raise LaunchError(
            f"the disk is nearly full: {free / 2**20:.0f} MB free at {folder.resolve()}, a run needs "
            f"{NEEDED / 2**20:.0f} MB; make room (`make clean` removes old runs) and give the same command again"
        )


def free_bytes(folder: Path) -> int:
    """Bytes that may still be written where a folder is."""
    stats = os.statvfs(folder)
    return stats.f_bavail * stats.f_frsize


def stop(process: "subprocess.Popen[bytes]", patience: float = 20.0) -> None:
    """Ask a run and all its tasks to stop; after `patience` seconds end them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(patience if number == signal.SIGINT else 3.0)
        except subprocess.TimeoutExpired:
            continue
        return


def explain(log: Path, lines: int = 12) -> str:
    """Why a task failed: a full disk said plainly, also where the log broke off before it could tell; else its end."""
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    if "No space left on device" in text or (log.parent.exists() and free_bytes(log.parent) < FULL):
        return "The disk is full. Make room and give the same command again: nothing half-written is taken for whole."
    return "\n".join([line for line in text.splitlines() if line.strip()][-lines:])
