"""Run one benchmark in this process and write its rows whole: `python -m benchmarks NAME FILE`."""

import json
import os
import platform
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hat.training.files import write_atomically


def machine() -> dict[str, Any]:
    """What the figures were taken on. Memory in GiB."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "python": platform.python_version(),
        "torch": version("torch"),
        "trl": version("trl"),
        "os": f"{platform.system()} {platform.machine()}",
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return platform.processor() or "unknown"
    lines = info.read_text(encoding="utf-8").splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def main(name: str, out: Path) -> None:
    """Measure, then write: a file that is there is whole."""
    found = machine()
    rows = [row | {"machine": found} for row in import_module(f"benchmarks.{name}").rows()]
    write_atomically(out, json.dumps(rows, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
