"""Compile the pipelines to `pipelines/compiled/`: `python -m pipelines.compile`. A test holds these files current."""

import ast
import re
from pathlib import Path
from typing import Any

from kfp import compiler

from pipelines.hat_reproduction import hat_reproduction
from pipelines.hat_training import hat_training

COMPILED = Path(__file__).parent / "compiled"


def compile_all(folder: Path = COMPILED) -> list[Path]:
    """Write every compiled pipeline into `folder`; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    targets = []
    for pipeline in (hat_training, hat_reproduction):
        target = folder / f"{pipeline.name.replace('-', '_')}.yaml"
        compiler.Compiler().compile(pipeline, str(target))
        target.write_text(_in_order(target.read_text(encoding="utf-8")), encoding="utf-8")
        targets.append(target)
    return targets


def _in_order(text: str) -> str:
    """The text with the defaults in KFP's comment lines sorted by key: protobuf gives them in any order."""

    def line(found: re.Match[str]) -> str:
        return found[1] + str(_sorted(ast.literal_eval(found[2]))) + found[3]

    return re.sub(r"^(# .*\[Default: )(\{.*\})(\])$", line, text, flags=re.MULTILINE)


def _sorted(value: Any) -> Any:
    """A value with the keys of all its mappings in order."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    for path in compile_all():
        print(path)
