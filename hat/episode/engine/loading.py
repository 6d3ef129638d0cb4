"""A model directory, or a hub id, brought into memory; what is missing is named."""

from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoTokenizer

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_TOKENIZER = ("tokenizer.json", "tokenizer.model", "vocab.json", "tokenizer_config.json")


class ModelDirectoryError(ValueError):
    """A path is no model directory; says all that is missing."""


def check_model_directory(path: Path) -> None:
    """Raises `ModelDirectoryError` naming the path and everything that is missing there."""
    if not path.exists():
        raise ModelDirectoryError(f"{path}: no such model directory")
    if not path.is_dir():
        raise ModelDirectoryError(
            f"{path}: a model is a directory with config.json, model.safetensors and a tokenizer; this is a file"
        )
    missing = [] if (path / "config.json").is_file() else ["config.json"]
    for what, names in (("weights", _WEIGHTS), ("tokenizer", _TOKENIZER)):
        if not any((path / name).is_file() for name in names):
            missing.append(f"{what} ({' or '.join(names)})")
    if missing:
        raise ModelDirectoryError(f"{path}: no model directory: missing {'; '.join(missing)}")


def load_model(path: str | Path, dtype: torch.dtype = torch.float32) -> tuple[Any, Any]:
    """Model (in evaluation mode, safetensors only) and tokenizer.

    `path` is a directory, or a hub id of the form `owner/name` where there is no directory `owner`. Raises
    `ModelDirectoryError`.
    """
    text = str(path)
    local = text.count("/") != 1 or text.startswith((".", "/", "~")) or Path(path).parent.exists()
    if local:
        check_model_directory(Path(path))
    try:
        tokenizer = AutoTokenizer.from_pretrained(text, local_files_only=local)
        model = AutoModelForCausalLM.from_pretrained(text, dtype=dtype, local_files_only=local, use_safetensors=True)
    except (OSError, ValueError, SafetensorError) as error:
        what = "cannot be loaded as a model" if local else "no such directory, and not to be had from a hub"
        raise ModelDirectoryError(f"{text}: {what}: {' '.join(str(error).split())}") from error
    return model.eval(), tokenizer
