"""RL on one thread: `hat.training.rl` against plain `trl.GRPOTrainer` with an `environment_factory`.

The same model, which has learnt to call tools; the same tasks under the original harness, rollouts of each, rewards,
loss and bounds (64 tokens an answer, eight answers an episode). An episode counts with all that it costs: playing,
scoring, its share of the optimiser step. Sampled tokens tell whether both sides play episodes of one length: ours runs
the harness's hooks, which send some replies back, the peer's loop has none; in the rows without hooks ours has none
either. Ours leaves rollouts without an advantage out of the update. The peer runs with the micro-batch that suits it
best here.
"""

from functools import partial
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from torch import Tensor
from trl import GRPOConfig, GRPOTrainer

from benchmarks._environment import environment, prompt, reward_functions
from benchmarks._meter import Counts, add, in_turn, measure, row
from benchmarks._start import KEPT, learnt
from hat.domains.livestream import Livestream
from hat.episode.engine import load_model
from hat.harness import Harness, tool_schemas
from hat.training import RlConfig
from hat.training.rl import HsaGrpoTrainer, Scenes, make_trainer
from hat.training.trainer import arguments

GOAL = 2.0
"""Times the peer's episodes a second."""
PEER = "TRL GRPOTrainer, environment_factory"
EPISODE_TOKENS = 1024
"""Tokens of an episode after its prompt at most, on the peer's side."""
MICRO_BATCH = 2
"""Rows of one forward pass of the peer's update; of 1, 2, 4 and 8, the quickest."""


def rows(steps: int = 2, runs: int = 3, tasks: int = 4, rollouts: int = 6) -> list[dict[str, Any]]:
    """Rates over `steps` optimiser steps, medians of `runs`; with the harness's hooks, and without."""
    torch.set_num_threads(1)
    config = RlConfig(steps=steps + 1, tasks=tasks, rollouts=rollouts, original=1.0, refill=0)
    model = learnt()
    harness = Livestream().harness()
    bare = harness.model_copy(update={"hooks": ()})
    sides = {"": ours(config, model, harness), "peer": peer(config, model), "without hooks": ours(config, model, bare)}
    found = in_turn({name: partial(measure, side) for name, side in sides.items()}, runs)
    made = []
    for side in ("", "without hooks"):
        what = f"RL, {tasks} tasks x {rollouts} rollouts a step" + (f", {side}" if side else "")
        for key, unit, goal in UNITS:
            name = "_".join([key, *side.split()])
            made.append(row(name, what, unit, found[side], found["peer"], PEER, goal))
    return made


UNITS = (
    ("rl_episodes_per_cpu_second", "episodes/cpu s", GOAL),
    ("rl_episodes_per_second", "episodes/s", GOAL),
    ("rl_sampled_tokens_per_cpu_second", "sampled tokens/cpu s", None),
)


def ours(config: RlConfig, path: Path, harness: Harness) -> Any:
    """The trainer that `train_rl` sets up, without checkpoints."""
    model, tokenizer = load_model(path)
    trainer = make_trainer(config, Livestream(harness=harness, split="train"), model, tokenizer, KEPT / "rl" / "ours")
    trainer.args.save_strategy = "no"
    trainer.__class__ = Ours
    return trainer


def peer(config: RlConfig, path: Path, micro_batch: int = MICRO_BATCH, **options: Any) -> "Peer":
    """TRL's trainer on the same scenes."""
    model, tokenizer = load_model(path)
    scenes = Scenes(config, Livestream(split="train"))
    episodes = config.tasks * config.rollouts
    settings = arguments(config, KEPT / "rl" / "peer") | {"save_strategy": "no"} | options
    trainer = Peer(
        model=model,
        reward_funcs=reward_functions(config),
        args=GRPOConfig(
            **settings,
            per_device_train_batch_size=micro_batch,
            gradient_accumulation_steps=episodes // micro_batch,
            num_generations=config.rollouts,
            temperature=config.temperature,
            max_completion_length=EPISODE_TOKENS,
            generation_kwargs={"max_new_tokens": config.max_new_tokens},
            max_tool_calling_iterations=scenes.domain.harness().max_turns - 1,
            importance_sampling_level="sequence",
            multi_objective_aggregation="normalize_then_sum",
            loss_type="grpo",
            beta=0.0,
        ),
        train_dataset=Dataset.from_list(
            [{"prompt": prompt(*scenes[n]), "number": n} for n in range(config.steps * config.tasks)]
        ),
        processing_class=tokenizer,
        environment_factory=environment(scenes),
    )
    trainer._env_tools = {None: tool_schemas(scenes.domain.harness())}
    return trainer


class _Counted:
    """Counts what is played."""

    counts: Counts

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)  # type: ignore[misc]
        sampled_NT: Tensor = output["completion_mask"] * output["tool_mask"]
        add(self.counts, "episodes", len(inputs))
        add(self.counts, "sampled tokens", sampled_NT.sum())
        add(self.counts, "answers", sampled_NT[:, 0].sum() + (sampled_NT.diff(dim=1) == 1).sum())
        return output


class Ours(_Counted, HsaGrpoTrainer):  # type: ignore[misc]
    """HSA-RL."""


class Peer(_Counted, GRPOTrainer):  # type: ignore[misc]
    """TRL as it comes, shown the tools as the harness describes them."""
