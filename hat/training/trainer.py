"""What the stages share on top of TRL: arguments fit for a CPU, progress, a watch on the loss, resume, saving."""

import math
import os
import resource
import shutil
import sys
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel, TrainerCallback
from transformers.trainer_utils import get_last_checkpoint

from hat.tracking.progress import Progress
from hat.training.config import OpdConfig, RlConfig, SftConfig

Config = SftConfig | OpdConfig | RlConfig
SKIPPED = ("num_tokens", "total_flos", "train_", "completions/", "clip_ratio/")
"""Logged figures, by how they begin, that are not passed on."""


class TrainingDiverged(Exception):  # noqa: N818  the event, as a reader of the log would say it
    """The loss is no number; names the step and the last good checkpoint."""


def arguments(config: Config, out: Path) -> dict[str, Any]:
    """Trainer arguments that every stage sets alike."""
    cuda = torch.cuda.is_available()
    return {
        "output_dir": str(out / "checkpoints"),
        "max_steps": config.steps,
        "learning_rate": config.lr,
        "lr_scheduler_type": "cosine",
        "warmup_steps": max(1, config.steps // 10),
        "max_grad_norm": config.max_grad_norm,
        "adam_beta2": 0.98,
        "seed": config.seed,
        "bf16": cuda,
        "use_cpu": not cuda,
        "gradient_checkpointing": cuda,
        "report_to": [],
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "disable_tqdm": True,
        "save_strategy": "steps",
        "save_steps": config.save_every,
        "save_total_limit": 1,
        "dataloader_pin_memory": cuda,
    }


def run(trainer: Any, config: Config, out: Path) -> dict[str, float]:
    """Train from the last checkpoint if there is one, write out/model, and return the figures of the run.

    Raises:
        TrainingDiverged: the loss became NaN or infinite.
    """
    torch.set_num_threads(config.threads or os.cpu_count() or 1)
    checkpoints = out / "checkpoints"
    last = get_last_checkpoint(str(checkpoints)) if checkpoints.is_dir() else None
    with Progress(config.stage, total=config.steps) as progress:
        watch = Watch(progress, checkpoints)
        trainer.add_callback(watch)
        output = trainer.train(resume_from_checkpoint=last)
    save_model(trainer.accelerator.unwrap_model(trainer.model), trainer.processing_class, out / "model")
    shutil.rmtree(checkpoints, ignore_errors=True)
    seconds = float(output.metrics["train_runtime"])
    costs = {"total_tokens": float(trainer.state.num_input_tokens_seen), "peak_memory_mib": peak_memory() / 2**20}
    return {**watch.last, "steps": float(config.steps), "seconds": seconds, **costs}


def peak_memory() -> int:
    """Bytes that this process held at most: on the GPU where there is one, else resident."""
    if torch.cuda.is_available():
        return int(torch.cuda.max_memory_allocated())
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def save_model(model: PreTrainedModel, tokenizer: Any, directory: Path) -> None:
    """Write a model directory (safetensors, tokenizer, template) that is there whole or not at all."""
    partial = directory.with_name(directory.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    model.save_pretrained(partial, safe_serialization=True)
    tokenizer.save_pretrained(partial)
    shutil.rmtree(directory, ignore_errors=True)
    partial.replace(directory)


class Watch(TrainerCallback):  # type: ignore[misc]
    """Passes every step's figures to the progress file and stops at a loss that is no number."""

    def __init__(self, progress: Progress, checkpoints: Path) -> None:
        self._progress, self._checkpoints = progress, checkpoints
        self.last: dict[str, float] = {}

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        """Called by the trainer with the figures of a step."""
        figures = {
            k: float(v) for k, v in (logs or {}).items() if isinstance(v, int | float) and not k.startswith(SKIPPED)
        }
        if "loss" not in figures:
            return
        if not math.isfinite(figures["loss"]):
            kept = get_last_checkpoint(str(self._checkpoints)) or "none yet"
            raise TrainingDiverged(
                f"loss is {figures['loss']} at step {state.global_step}; last good checkpoint: {kept}. "
                "Lower the learning rate or look at the data of this step"
            )
        self.last = {k: v for k, v in figures.items() if k != "epoch"}
        self._progress.update(state.global_step, **self.last)
