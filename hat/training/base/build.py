"""Build the tiny base model from nothing: tokenizer, wired weights, pre-training; seeded, on one core."""

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


class Mix(Frozen):
    """Rows of each kind in a step, from a point of the training on."""

    start: Annotated[float, Field(ge=0, lt=1)]
    """Share of the steps after which this mix begins."""
    copies: int
    lookups: int
    calls: int
    general: int
    rooms: int = 0
    """Rows that are rooms with three viewers each."""
    topics: int = 9
    """Topics of a room at most."""
    streams: int = 0
    """Rows that are live rooms under a harness that nobody has, with four viewers each."""
    any_names: bool = False
    """Whether tools, parameters and skills may also have the names of well-known identifiers, whatever they are for."""


class BaseConfig(Frozen):
    """Settings of the pre-training; the defaults are the recipe, see docs/adr/0005-tiny-base.md."""

    seed: int = 0
    steps: Annotated[int, Field(ge=1)] = 2500
    mixes: tuple[Mix, ...] = (
        Mix(start=0, copies=6, lookups=6, calls=8, general=16),
        Mix(start=0.075, copies=6, lookups=6, calls=8, general=16, rooms=4, topics=4),
        Mix(start=0.3, copies=6, lookups=4, calls=4, general=32, rooms=5, any_names=True),
        Mix(start=0.6, copies=4, lookups=2, calls=2, general=32, rooms=2, streams=4, any_names=True),
        Mix(start=0.74, copies=4, lookups=8, calls=10, general=24, rooms=1, streams=3, any_names=True),
        Mix(start=0.85, copies=16, lookups=8, calls=12, general=16, rooms=1, streams=4, any_names=True),
    )
    lr: float = 3e-3
    """Of AdamW, on embeddings and norms."""
    muon_lr: float = 1.5e-2
    """Of Muon, on matrices."""
    threads: int = 1

    def mix(self, step: int) -> Mix:
        """The mix of a step."""
        return next(mix for mix in reversed(self.mixes) if step >= mix.start * self.steps)


def build_base(config: BaseConfig, harness: Harness, out: Path) -> Path:
    """Pre-train and save a model directory (safetensors, tokenizer, chat template); returns it.

    `harness` gives the names that the tokenizer keeps whole. An interrupted build goes on
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
            losses = _step(
                model, optimizer, Corpus(tokenizer, config.seed * 10**6 + step, identifiers(harness)), config, step
            )
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
    mix = config.mix(step)
    corpus.any_names = mix.any_names
    parts: dict[str, tuple[float, list[Row]]] = {
        "general": (0.5, corpus.general(mix.general)),
        "lookups": (0.5, corpus.lookups(mix.lookups)),
        "copies": (1.0, corpus.copies(mix.copies)),
        "calls": (1.0, corpus.calls(mix.calls)),
        "rooms": (1.0, corpus.rooms(mix.rooms, mix.topics)),
        "streams": (1.0, corpus.streams(mix.streams)),
    }
    parts = {kind: part for kind, part in parts.items() if part[1]}
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
