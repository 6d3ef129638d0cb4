"""Build the tiny base model from nothing: tokenizer, wired weights, pre-training; seeded, a core for each shard."""

import json
from pathlib import Path
from typing import Annotated, Any, Self

import torch
from pydantic import Field, model_validator
from safetensors.torch import load_file

from hat.harness import Frozen, Harness
from hat.tracking.progress import Progress
from hat.training.base.corpus import Corpus, identifiers, texts
from hat.training.base.model import build_model
from hat.training.base.muon import MuonAdamW
from hat.training.base.shards import Exchange, run_shards
from hat.training.base.tokenizer import build_tokenizer
from hat.training.encoding import Row, collate, flatten
from hat.training.loss import next_token_loss

WEIGHTS_FILE = "model.safetensors"
SAVE_EVERY = 100
"""Steps between checkpoints."""
WEIGHTS = {"general": 0.5, "lookups": 0.5}
"""Weight of a kind's loss in a step where it is not 1."""


class Mix(Frozen):
    """Rows of each kind in a shard of a step, from a point of the training on."""

    start: Annotated[float, Field(ge=0, lt=1)]
    """Share of the steps after which this mix begins."""
    copies: int = 0
    """Random strings to be copied."""
    lookups: int = 0
    """Short indexes, each entry asked for in other words."""
    calls: int = 0
    """Short indexes, each entry called for by a viewer's words."""
    choices: int = 0
    """Indexes of tools or skills with 14 questions each."""
    records: int = 0
    """Outputs of tools to be read, 7 in a row."""
    rules: int = 0
    """Rules on phrases to be kept to, 7 replies in a row."""
    general: int = 0
    """General prompts, 16 in a row."""
    rooms: int = 0
    """Other assistants' rooms with three viewers each."""
    streams: int = 0
    """Live rooms under a harness that nobody has, with four viewers each."""


class BaseConfig(Frozen):
    """Settings of the pre-training; the defaults are the recipe, see docs/adr/0005-tiny-base.md."""

    seed: int = 0
    weights: Path | None = None
    """A model directory made here before whose weights take the place of the wired ones."""
    first_step: Annotated[int, Field(ge=0)] = 0
    """Where in the recipe to begin; above 0 only with `weights`."""
    steps: Annotated[int, Field(ge=1)] = 2000
    shards: Annotated[int, Field(ge=1)] = 2
    """Gradients that a step is the mean of, each from rows of its own in a process of its own."""
    mixes: tuple[Mix, ...] = (
        Mix(start=0, copies=4, lookups=4, calls=5, general=1),
        Mix(start=0.15, copies=3, lookups=3, calls=4, general=1, rooms=1),
        Mix(start=0.3, copies=2, lookups=1, calls=1, choices=3, records=1, rules=1, general=1, rooms=1),
        Mix(start=0.5, copies=1, choices=4, records=1, rules=1, general=1, rooms=1, streams=1),
    )
    lr: float = 3e-3
    """Of AdamW, on embeddings and norms."""
    muon_lr: float = 1.5e-2
    """Of Muon, on matrices."""

    @model_validator(mode="after")
    def _begins_somewhere(self) -> Self:
        if self.weights and not (self.weights / WEIGHTS_FILE).is_file():
            raise ValueError(f"no {WEIGHTS_FILE} in {self.weights}; give a model directory")
        if self.first_step >= self.steps:
            raise ValueError(f"first_step {self.first_step} is not below steps {self.steps}; begin earlier")
        if self.first_step and not self.weights:
            raise ValueError(
                f"first_step {self.first_step} needs weights that have come so far; give a model directory"
            )
        return self

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
    if config.weights:
        model.load_state_dict(load_file(config.weights / WEIGHTS_FILE), strict=False)
    optimizer = MuonAdamW(model, config.lr, config.muon_lr)
    checkpoint, first, losses = out / "checkpoint.pt", config.first_step, dict[str, float]()
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
            optimizer.step(_schedule(step, config))
            if shard == 0 and step % 10 == 9:
                progress.update(step + 1, **losses)
            if shard == 0 and step % SAVE_EVERY == SAVE_EVERY - 1:
                _save_checkpoint(checkpoint, step + 1, model, optimizer)
    if shard == 0:
        model.save_pretrained(out)
        tokenizer.save_pretrained(out)
        (out / "base.json").write_text(
            json.dumps(config.model_dump(mode="json") | losses, indent=1) + "\n", encoding="utf-8"
        )
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


def _schedule(step: int, config: BaseConfig, warm_up: int = 30) -> float:
    """Linear warm-up, flat, linear to 2 % over the last 40 %."""
    risen = (step + 1 - config.first_step) / warm_up
    return min(1.0, risen, max(0.02, (config.steps - step) / (0.4 * config.steps)))


def _save_checkpoint(path: Path, step: int, model: torch.nn.Module, optimizer: MuonAdamW) -> None:
    partial = path.with_suffix(".partial")
    torch.save({"step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, partial)
    partial.replace(path)
