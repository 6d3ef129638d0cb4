"""Files of the training stages: whole or not there. Traces with the harnesses they were made under, and results."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from hat.harness import Harness
from hat.training.config import Inputs, StageResult

DONE = "result.json"
"""Written last; a directory without it is unfinished."""


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that a crash or a full disk leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with partial.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def write_lines(path: Path, items: Iterable[BaseModel]) -> None:
    """Write models as JSON lines, atomically."""
    write_atomically(path, "".join(item.model_dump_json(exclude_defaults=True) + "\n" for item in items))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """JSON objects of a JSONL file.

    Raises:
        ValueError: a line is no JSON object; names file and line.
    """
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"{path}:{number}: no JSON ({error.msg}); make the file again") from error


def read_harnesses(path: Path) -> dict[str, Harness]:
    """Harnesses by digest, from `harnesses.jsonl`."""
    return {row["digest"]: Harness.model_validate(row["harness"]) for row in read_lines(path)}


def fingerprint(config: BaseModel, inputs: Inputs) -> str:
    """A digest of a stage's settings and of what it reads: model weights, harness and traces by content."""
    hasher = hashlib.sha256(config.model_dump_json().encode())
    for name, value in inputs.model_dump().items():
        hasher.update(f"\0{name}\0".encode())
        if value is not None:
            for part in _content(Path(value)):
                hasher.update(part)
    return "sha256:" + hasher.hexdigest()


def _content(path: Path) -> Iterator[bytes]:
    """Names and bytes of a file or of every file below a directory; the name itself if there is neither (a hub id)."""
    if not path.exists():
        yield str(path).encode()
        return
    files = (
        [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file() and "checkpoints" not in p.parts)
    )
    for file in files:
        yield f"\0{file.relative_to(path) if path.is_dir() else file.name}\0".encode()
        with file.open("rb") as handle:
            yield hashlib.file_digest(handle, "sha256").digest()


def finished(out: Path, mark: str) -> StageResult | None:
    """The result in `out` if it was made from the same settings and inputs, else None."""
    path = out / DONE
    if not path.exists():
        return None
    saved = json.loads(path.read_text(encoding="utf-8"))
    if saved.get("fingerprint") != mark:
        return None
    return StageResult(stage=saved["stage"], out=out, metrics=saved["metrics"], kept=True)


def finish(out: Path, mark: str, stage: str, metrics: dict[str, float]) -> StageResult:
    """Mark `out` as whole."""
    data = {"stage": stage, "fingerprint": mark, "metrics": metrics}
    write_atomically(out / DONE, json.dumps(data, indent=1) + "\n")
    return StageResult(stage=stage, out=out, metrics=metrics)
