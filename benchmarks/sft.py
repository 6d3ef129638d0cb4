"""SFT on one thread: rows that share the harness prompt (`hat.training.sft`) against plain `trl.SFTTrainer`.

The same conversations, model, optimiser and 24 episodes a step. Supervised tokens are what the assistant said: both
sides learn exactly these. Computed tokens are all that goes through the model, padding left out: a prompt once for each
episode on the peer's side, once for four episodes on ours. Tokenising is over before the clock starts.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from trl import SFTConfig as TrlSftConfig
from trl import SFTTrainer

from benchmarks._meter import Counts, add, in_turn, measure, row
from benchmarks._start import KEPT, base, traces
from hat.episode import Trace
from hat.episode.engine import load_model
from hat.harness import tool_schemas
from hat.training import SftConfig
from hat.training.dataset import load_rows
from hat.training.files import read_harnesses, read_lines
from hat.training.sft import Collator, RowSftTrainer
from hat.training.trainer import arguments

GOAL = 1.0
"""Times the peer's supervised tokens a second."""
BRANCHES = 4
"""Episodes of one row of ours."""
PEERS: dict[str, dict[str, Any]] = {
    "TRL SFTTrainer": {},
    "TRL SFTTrainer, micro-batches of one": {"per_device_train_batch_size": 1, "gradient_accumulation_steps": 24},
}
"""The peer as it comes, and with what helps it most on a CPU: nothing padded, and what a pass holds fits the cache."""


def rows(steps: int = 2, runs: int = 3, rows_a_step: int = 6, harnesses: int = 30) -> list[dict[str, Any]]:
    """Rates over `steps` optimiser steps, medians of `runs`."""
    torch.set_num_threads(1)
    config = SftConfig(steps=steps + 1, rows=rows_a_step)
    model, directory = base(), traces(harnesses)
    sides = {"ours": ours(config, model, directory)}
    sides |= {name: peer(config, model, directory, **options) for name, options in PEERS.items()}
    found = in_turn({name: partial(measure, side) for name, side in sides.items()}, runs)
    what = f"SFT, {rows_a_step * BRANCHES} episodes a step"
    made = []
    for place, name in enumerate(PEERS):
        last = f"_{place}" if place else ""
        for key, unit, goal in UNITS:
            made.append(row(key + last, what, unit, found["ours"], found[name], name, goal=goal))
    return made


UNITS = (
    ("sft_supervised_tokens_per_cpu_second", "supervised tokens/cpu s", GOAL),
    ("sft_supervised_tokens_per_second", "supervised tokens/s", GOAL),
    ("sft_computed_tokens_per_cpu_second", "computed tokens/cpu s", None),
)


def ours(config: SftConfig, path: Path, directory: Path) -> "Ours":
    """The trainer that `train_sft` sets up, without checkpoints."""
    model, tokenizer = load_model(path)
    return Ours(
        model=model,
        args=TrlSftConfig(
            **_arguments(config, "ours"),
            per_device_train_batch_size=config.rows,
            remove_unused_columns=False,
            dataset_kwargs={"skip_prepare_dataset": True},
        ),
        train_dataset=load_rows(directory, tokenizer, BRANCHES),
        processing_class=tokenizer,
        data_collator=Collator(tokenizer.pad_token_id),
    )


def peer(config: SftConfig, path: Path, directory: Path, **options: Any) -> "Peer":
    """TRL's trainer on the same conversations."""
    model, tokenizer = load_model(path)
    options = {"per_device_train_batch_size": config.rows * BRANCHES, "max_length": None} | options
    return Peer(
        model=model,
        args=TrlSftConfig(**_arguments(config, "peer"), assistant_only_loss=True, **options),
        train_dataset=conversations(directory),
        processing_class=tokenizer,
    )


def conversations(directory: Path) -> Dataset:
    """Traces as TRL takes them; tools and arguments are JSON text, so that a column has one type."""
    harnesses = read_harnesses(directory / "harnesses.jsonl")
    made = []
    for trace in map(Trace.model_validate, read_lines(directory / "traces.jsonl")):
        messages = [message.to_openai() for message in trace.messages]
        made.append({"messages": messages, "tools": json.dumps(tool_schemas(harnesses[trace.harness]))})
    return Dataset.from_list(made)


def _arguments(config: SftConfig, side: str) -> dict[str, Any]:
    return arguments(config, KEPT / "sft" / side) | {"save_strategy": "no"}


class _Counted:
    """Counts what a step computes and learns from; a row's first token is learnt by neither side."""

    counts: Counts

    def compute_loss(self, model: Any, inputs: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """The loss."""
        add(self.counts, "supervised tokens", (inputs["labels"][:, 1:] >= 0).sum())
        add(self.counts, "computed tokens", (inputs["input_ids"] != self.processing_class.pad_token_id).sum())  # type: ignore[attr-defined]
        return super().compute_loss(model, inputs, *args, **kwargs)  # type: ignore[misc]


class Ours(_Counted, RowSftTrainer):  # type: ignore[misc]
    """Rows of branches."""


class Peer(_Counted, SFTTrainer):  # type: ignore[misc]
    """TRL as it comes."""
