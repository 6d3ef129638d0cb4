"""Compile the pipelines to `pipelines/compiled/`: `python -m pipelines.compile`. A test holds these files current."""

import ast
import re
from pathlib import Path

from kfp import compiler

from pipelines.hat_training import hat_training

COMPILED = Path(__file__).parent / "compiled"


def compile_all(folder: Path = COMPILED) -> list[Path]:
    """Write every compiled pipeline into `folder`; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "hat_training.yaml"
    compiler.Compiler().compile(hat_training, str(target))
    target.write_text(_in_order(target.read_text(encoding="utf-8")), encoding="utf-8")
    return [target]


def _in_order(text: str) -> str:
    """The text with the defaults in KFP's comment lines sorted by key: protobuf gives them in any order."""

    def line(found: re.Match[str]) -> str:
        return found[1] + str(dict(sorted(ast.literal_eval(found[2]).items()))) + found[3]

    return re.sub(r"^(# .*\[Default: )(\{.*\})(\])$", line, text, flags=re.MULTILINE)


if __name__ == "__main__":
    for path in compile_all():
        print(path)
