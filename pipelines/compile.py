"""Compile the pipelines to `pipelines/compiled/`: `python -m pipelines.compile`. A test holds these files current."""

from pathlib import Path

from kfp import compiler

from pipelines.hat_training import hat_training

COMPILED = Path(__file__).parent / "compiled"


def compile_all(folder: Path = COMPILED) -> list[Path]:
    """Write every compiled pipeline into `folder`; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "hat_training.yaml"
    compiler.Compiler().compile(hat_training, str(target))
    return [target]


if __name__ == "__main__":
    for path in compile_all():
        print(path)
