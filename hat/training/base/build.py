"""Build the tiny base model from nothing: tokenizer, wired weights, pre-training; seeded, a core for each shard."""

import json
from pathlib import Path
from typing import Annotated, Any

import torch
from pydantic import Field

from hat.harness import Frozen, Harness
from hat.tracking.progress import Progress
from hat.training.base.corpus import Corpus, identifiers, texts
from hat.training.base.model import build_model
from hat.training.base.muon import MuonAdamW
from hat.training.base.shards import Exchange, run_shards
from hat.training.base.tokenizer import build_tokenizer
from hat.training.encoding import Row, collate, flatten
from hat.training.loss import next_token_loss

SAVE_EVERY = 100
"""Steps between checkpoints."""
WEIGHTS = {"general": 0.5}
"""Weight of a kind's loss in a step where it is not 1."""


class Mix(Frozen):
    """Rows of each kind in a shard of a step, from a point of the training on."""

    start: Annotated[float, Field(ge=0, lt=1)]
    """Share of the steps after which this mix begins."""
    copies: int = 4
    """Random strings to be copied."""
    choices: int = 2
    """Indexes of tools or skills with 14 questions each."""
    records: int = 1
    """Outputs of tools to be read, 7 in a row."""
    rules: int = 1
    """Rules on phrases to be kept to, 7 replies in a row."""
    general: int = 1
    """General prompts, 16 in a row."""
    rooms: int = 1
    """Other assistants' rooms with three viewers each."""
    streams: int = 0
    """Live rooms under a harness that nobody has, with four viewers each."""


class BaseConfig(Frozen):
    """Settings of the pre-training; the defaults are the recipe, see docs/adr/0005-tiny-base.md."""

    seed: int = 0
    steps: Annotated[int, Field(ge=1)] = 2200
    shards: Annotated[int, Field(ge=1)] = 2
    """Gradients that a step is the mean of, each from rows of its own in a process of its own."""
    mixes: tuple[Mix, ...] = (
        Mix(start=0, copies=6),
        Mix(start=0.2, streams=1),
    )
    lr: float = 3e-3
    """Of AdamW, on embeddings and norms."""
    muon_lr: float = 1.5e-2
    """Of Muon, on matrices."""

    def mix(self, step: int) -> Mix:
        """The mix of a step."""
        return next(mix for mix in reversed(self.mixes) if step >= mix.start * self.steps)


def build_base(config: BaseConfig, harness: Harness, out: Path) -> Path:
    """Pre-train and save a model directory (safetensors, tokenizer, chat template); returns it.

    `harness` gives the names that the tokenizer keeps whole. An interrupted build goes on
    from its last checkpoint.
    """
    out.mkdir(parents=True, exist_ok=True)
    known = identifiers(harness)
    size = sum(p.numel() for p in build_model(len(build_tokenizer(known, texts()))).parameters())
    run_shards(_pretrain, config.shards, size, (config, known, out))
    return out


def _pretrain(shard: int, exchange: Exchange, config: BaseConfig, known: set[str], out: Path) -> None:
    """One shard's part of the training; the first also shows progress and saves."""
    torch.set_num_threads(1)
    tokenizer = build_tokenizer(known, texts())
    model = build_model(len(tokenizer), seed=config.seed)
    optimizer = MuonAdamW(model, config.lr, config.muon_lr)
    checkpoint, first, losses = out / "checkpoint.pt", 0, dict[str, float]()
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        first = state["step"]
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    exchange.barrier.wait()
    with Progress("base", total=config.steps, unit="steps") as progress:
        for step in range(first, config.steps):
            corpus = Corpus(tokenizer, f"{config.seed}/{step}/{shard}", known)
            losses = _backward(model, corpus, config.mix(step))
            exchange.average(model.parameters(), shard)
            optimizer.step(_schedule(step, config.steps))
            if shard == 0 and step % 10 == 9:
                progress.update(step + 1, **losses)
            if shard == 0 and step % SAVE_EVERY == SAVE_EVERY - 1:
                _save_checkpoint(checkpoint, step + 1, model, optimizer)
    if shard == 0:
        model.save_pretrained(out)
        tokenizer.save_pretrained(out)
        (out / "base.json").write_text(json.dumps(config.model_dump() | losses, indent=1) + "\n", encoding="utf-8")
        checkpoint.unlink(missing_ok=True)


def _backward(model: Any, corpus: Corpus, mix: Mix) -> dict[str, float]:
    """Add up the gradients of a mix of rows; kinds are batched apart, since their lengths differ."""
    losses = {}
    for kind, count in mix.model_dump(exclude={"start"}).items():
        rows: list[Row] = getattr(corpus, kind)(count) if count else []
        if rows:
            loss, _ = next_token_loss(model, collate([flatten(row) for row in rows], pad=0))
            (WEIGHTS.get(kind, 1.0) * loss).backward()  # type: ignore[no-untyped-call]
            losses[kind] = float(loss.detach())
    return losses


def _schedule(step: int, steps: int, warm_up: int = 30) -> float:
    """Linear warm-up, flat, linear to 2 % over the last 40 %."""
    return min(1.0, (step + 1) / warm_up, max(0.02, (steps - step) / (0.4 * steps)))


def _save_checkpoint(path: Path, step: int, model: torch.nn.Module, optimizer: MuonAdamW) -> None:
    partial = path.with_suffix(".partial")
    torch.save({"step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, partial)
    partial.replace(path)
