"""Build the tiny base model from nothing: tokenizer, wired weights, pre-training. One command, seeded, on one or two cores."""

import json
from pathlib import Path
from typing import Annotated

import torch
from pydantic import Field

from hat.harness import Frozen, Harness
from hat.tracking.progress import Progress
from hat.training.base.corpus import Corpus, identifiers, texts
from hat.training.base.model import build_model
from hat.training.base.muon import MuonAdamW
from hat.training.base.tokenizer import build_tokenizer
from hat.training.encoding import Row, collate, flatten
from hat.training.loss import next_token_loss

SAVE_EVERY = 250
"""Steps between checkpoints."""


class BaseConfig(Frozen):
    """Settings of the pre-training; the defaults are those of the shipped model."""

    seed: int = 0
    steps: Annotated[int, Field(ge=1)] = 1600
    drill_steps: int = 200
    """Steps of drills and general instructions only, before rooms come in."""
    rooms: int = 4
    """Rows a step, each a room with three viewers."""
    general: int = 16
    lookups: int = 6
    copies: int = 6
    calls: int = 8
    lr: float = 3e-3
    muon_lr: float = 1.5e-2
    threads: int = 1


def build_base(config: BaseConfig, harness: Harness, out: Path) -> Path:
    """Pre-train and save a model directory (safetensors, tokenizer, chat template); returns it.

    `harness` gives the names that the tokenizer keeps whole; its text is never trained on. An interrupted build goes on
    from its last checkpoint.
    """
    torch.set_num_threads(config.threads)
    tokenizer = build_tokenizer(identifiers(harness), texts())
    model = build_model(len(tokenizer), seed=config.seed)
    optimizer = MuonAdamW(model, config.lr, config.muon_lr)
    checkpoint = out / "checkpoint.pt"
    first, losses = 0, {}
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        first = state["step"]
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    out.mkdir(parents=True, exist_ok=True)
    with Progress("base", total=config.steps, unit="steps") as progress:
        for step in range(first, config.steps):
            losses = _step(model, optimizer, Corpus(tokenizer, config.seed * 10**6 + step), config, step)
            if step % 10 == 9:
                progress.update(step + 1, **losses)
            if step % SAVE_EVERY == SAVE_EVERY - 1:
                _save_checkpoint(checkpoint, step + 1, model, optimizer)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / "base.json").write_text(json.dumps(config.model_dump() | losses, indent=1) + "\n", encoding="utf-8")
    checkpoint.unlink(missing_ok=True)
    return out


def _step(
    model: torch.nn.Module, optimizer: MuonAdamW, corpus: Corpus, config: BaseConfig, step: int
) -> dict[str, float]:
    """One update on a mix of rows; kinds are batched apart, since their lengths differ."""
    parts: dict[str, tuple[float, list[Row]]] = {
        "general": (0.5, corpus.general(config.general)),
        "lookups": (0.5, corpus.lookups(config.lookups)),
        "copies": (0.25, corpus.copies(config.copies)),
        "calls": (1.0, corpus.calls(config.calls)),
    }
    if step >= config.drill_steps:
        most_topics = 4 if step < config.steps // 2 else 9
        parts["rooms"] = (1.0, corpus.rooms(config.rooms, most_topics))
    losses = {}
    for kind, (weight, rows) in parts.items():
        loss, _ = next_token_loss(model, collate([flatten(row) for row in rows], pad=0))
        (weight * loss).backward()  # type: ignore[no-untyped-call]
        losses[kind] = float(loss.detach())
    optimizer.step(_schedule(step, config.steps))
    return losses


def _schedule(step: int, steps: int, warm_up: int = 30) -> float:
    """Linear warm-up, flat, linear to 2 % over the last 40 %."""
    return min(1.0, (step + 1) / warm_up, max(0.02, (steps - step) / (0.4 * steps)))


def _save_checkpoint(path: Path, step: int, model: torch.nn.Module, optimizer: MuonAdamW) -> None:
    partial = path.with_suffix(".partial")
    torch.save({"step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, partial)
    partial.replace(path)
