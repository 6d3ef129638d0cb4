"""What each training stage can be told; one tagged type a stage, every field with its unit."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from hat.harness import Frozen
from hat.hsa import drawn_from
from hat.judge import JudgeConfig

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Rate = Annotated[float, Field(gt=0, lt=1)]


def _known(names: tuple[str, ...]) -> tuple[str, ...]:
    drawn_from(names)
    return names


Operators = Annotated[tuple[str, ...], AfterValidator(_known)]


class TraceConfig(Frozen):
    """Synthesis of training traces by a teacher."""

    stage: Literal["synthesize"] = "synthesize"
    seed: int = 0
    harnesses: Positive = 300
    """Harness states that traces are made under; the original counts as one each time it is drawn."""
    tasks: Positive = 4
    """Tasks played under each."""
    original: Share = 0.25
    """Share of harness states that are the original harness; 1 makes the traces of the fixed-harness baseline."""
    strength: Share = 0.7
    """Strength of augmentation (`hat.hsa.augment`)."""
    operators: Operators = ("paper",)
    """What variants are drawn by: `paper`, `structural`, families or single operators (`hat.hsa.drawn_from`)."""
    without: Operators = ()
    """Operators, families or groups of these that are left out."""
    mask: Share = 0.3
    """Share of augmented states in which tools and skills that the tasks do not need are taken away."""
    teacher_url: str | None = None
    """OpenAI-compatible endpoint of a strong policy; None: the domain's oracle."""
    teacher_model: str | None = None
    judge: JudgeConfig | None = None
    """A panel that must find a trace right too (accuracy 1, effectiveness 1), after the program verifiers."""
    floor: Share = 0.5
    """The stage fails if a smaller share of the traces passes the filter (accuracy 1 and effectiveness 1)."""
    whole_retries: Share = 0.1
    """Share of traces with a blocked reply that are kept whole; the others are cut to their final right behaviour."""


class _Stage(Frozen):
    seed: int = 0
    steps: Positive
    """Optimiser steps."""
    lr: Rate
    """Peak learning rate of AdamW, warmed up over a tenth of the steps, then a cosine to zero."""
    max_grad_norm: Annotated[float, Field(gt=0)] = 1.0
    save_every: Positive = 25
    """Steps between checkpoints."""
    threads: Annotated[int, Field(ge=0)] = 0
    """Torch threads on a CPU; 0: as many as there are cores."""


class SftConfig(_Stage):
    """Supervised fine-tuning on traces, loss on what the assistant said."""

    stage: Literal["sft"] = "sft"
    steps: Positive = 100
    lr: Rate = 1e-3
    rows: Positive = 6
    """Rows a step; a row is one harness state with its tasks as branches."""
    snapshots: tuple[Positive, ...] = ()
    """Steps after which the model is kept besides, in `snapshots/<step>/model`: what a step curve is measured on."""


class OpdConfig(_Stage):
    """General on-policy distillation: the student answers general prompts, the base scores every token, reverse KL."""

    stage: Literal["opd"] = "opd"
    steps: Positive = 40
    lr: Rate = 5e-4
    prompts: Positive = 48
    """Prompts a step."""
    max_new_tokens: Positive = 48
    """Tokens of an answer at most."""
    temperature: Annotated[float, Field(gt=0)] = 1.0


class RlConfig(_Stage):
    """GRPO under harness-state augmentation: GDPO normalisation, sequence-level importance sampling."""

    stage: Literal["rl"] = "rl"
    steps: Positive = 20
    lr: Rate = 1e-4
    tasks: Positive = 12
    """Tasks a step."""
    rollouts: Annotated[int, Field(ge=2)] = 6
    """Rollouts of each task (G)."""
    original: Share = 0.3
    """Share of tasks played under the original harness; 1 is plain RL."""
    refill: Annotated[int, Field(ge=0, le=8)] = 1
    """How often, in a step, tasks whose rollouts all earned the same are given up for other tasks."""
    strength: Share = 0.7
    operators: Operators = ("paper",)
    """What variants are drawn by: `paper`, `structural`, families or single operators (`hat.hsa.drawn_from`)."""
    without: Operators = ()
    """Operators, families or groups of these that are left out."""
    temperature: Annotated[float, Field(gt=0)] = 1.0
    max_new_tokens: Positive = 64
    """Tokens of one answer of the model at most."""
    reasoning_free: int = 100
    """Reasoning tokens of an answer that cost nothing."""
    reasoning_full: int = 200
    """Reasoning tokens from which the penalty is whole."""
    reasoning_penalty: Annotated[float, Field(ge=0)] = 0.1
    """Taken from the reward for each answer that reasons too long."""


StageConfig = Annotated[SftConfig | OpdConfig | RlConfig, Field(discriminator="stage")]


class Inputs(Frozen):
    """Where a stage reads from."""

    model: Path | None = None
    """Model directory or hub id to start from."""
    harness: Path | None = None
    """The original harness."""
    catalogue: Path | None = None
    """The catalogue; None: the domain's example."""
    traces: Path | None = None
    """Directory written by `synthesize`."""
    base: Path | None = None
    """The model before SFT, the teacher of distillation."""


class StageResult(Frozen):
    """What a stage made."""

    stage: str
    out: Path
    """Its directory; `model/` inside holds the safetensors, tokenizer and config."""
    metrics: dict[str, float]
    """Last and total figures, such as loss, tokens, seconds."""
    kept: bool = False
    """Whether the result was there already, from the same config and inputs."""

    @property
    def model(self) -> Path:
        """The model directory."""
        return self.out / "model"
