"""Stage 3, RL under harness-state augmentation: TRL's GRPOTrainer around the one agent loop.

Each step draws tasks, some under the original harness and some under variants, plays G rollouts of each with the
model as it stands, scores them by program, and takes one GRPO step with GDPO normalisation (`hat.training.rewards`)
and sequence-level importance sampling (GSPO, arXiv 2507.18071). Tasks whose rollouts all earned the same teach nothing:
they are given up for others (as DAPO does, arXiv 2503.14476), and rollouts that have no advantage then are left out of
the update.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from datasets import Dataset
from torch import Tensor
from trl import GRPOConfig, GRPOTrainer

from hat.domains.livestream import Livestream
from hat.domains.task import Task
from hat.episode import episode
from hat.episode.engine import Rollout, load_model
from hat.episode.policies.transformers_policy import TransformersPolicy
from hat.harness import Harness
from hat.hsa import augment, check_preserved, drawn_from, needs
from hat.training.config import Inputs, RlConfig, StageResult
from hat.training.encoding import Ids
from hat.training.files import fingerprint, finish, finished
from hat.training.logprobs import completion_logprobs
from hat.training.rewards import REWARDS, advantages, rewards, token_advantages
from hat.training.trainer import arguments, run


def train_rl(config: RlConfig, inputs: Inputs, out: Path) -> StageResult:
    """Train `inputs.model` by RL on the domain's tasks; out/model is the result.

    Raises:
        ModelDirectoryError: there is no model.
        TaskNotPreserved: an operator broke a task.
        TrainingDiverged: the loss became no number.
    """
    mark = fingerprint(config, inputs)
    if kept := finished(out, mark):
        return kept
    if inputs.model is None:
        raise ValueError("rl needs inputs.model")
    model, tokenizer = load_model(inputs.model)
    domain = Livestream(catalogue=inputs.catalogue, harness=inputs.harness, split="train")
    trainer = make_trainer(config, domain, model, tokenizer, out)
    return finish(out, mark, "rl", run(trainer, config, out))


def make_trainer(config: RlConfig, domain: Livestream, model: Any, tokenizer: Any, out: Path) -> "HsaGrpoTrainer":
    """The trainer of a configuration."""
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    trainer = HsaGrpoTrainer(
        model=model,
        reward_funcs=[_reward(name) for name in REWARDS],
        args=GRPOConfig(
            **arguments(config, out),
            per_device_train_batch_size=config.tasks * config.rollouts,
            num_generations=config.rollouts,
            steps_per_generation=1,
            temperature=config.temperature,
            importance_sampling_level="sequence",
            multi_objective_aggregation="normalize_then_sum",
            loss_type="grpo",
            beta=0.0,
        ),
        train_dataset=Dataset.from_list(
            [{"prompt": [{"role": "user", "content": str(n)}]} for n in range(config.steps * config.tasks)]
        ),
        processing_class=tokenizer,
        rollout_func=_rollout,
    )
    trainer.scenes = Scenes(config, domain)
    trainer.policy = TransformersPolicy(
        model,
        tokenizer,
        max_new_tokens=config.max_new_tokens,
        temperature=config.temperature,
        seed=config.seed,
        max_batch=config.tasks * config.rollouts,
    )
    return trainer


class Scenes:
    """Tasks and harnesses by number: the same number gives the same scene, in any process and after a resume."""

    def __init__(self, config: RlConfig, domain: Livestream) -> None:
        self.config, self.domain = config, domain
        self._operators = drawn_from(config.operators, config.without)

    def __getitem__(self, number: int) -> tuple[Harness, Task]:
        """The scene of a number."""
        rng = Random(f"rl/{self.config.seed}/{number}")
        task, original = self.domain.sample(rng), self.domain.harness()
        if rng.random() < self.config.original:
            return original, task
        keep = needs([task]) if rng.random() < 0.3 else None
        variant = augment(original, rng, self.config.strength, self._operators, keep=keep)
        check_preserved(variant, [task], self.domain, original)
        return variant.harness, task


class HsaGrpoTrainer(GRPOTrainer):  # type: ignore[misc]
    """GRPO with advantages by segment, and log-probabilities that compute each prompt once."""

    scenes: Scenes
    policy: TransformersPolicy
    _scores: Tensor
    """(N, K)."""
    _spoke: Tensor
    """(N,)."""

    def play(self, numbers: Sequence[int]) -> list[Rollout]:
        """One rollout for each scene number, rollouts of a scene side by side; rewards are kept for the advantages.

        Scenes whose rollouts all earned the same are given up for other scenes, `refill` times at most.
        """
        config, numbers = self.scenes.config, list(numbers)
        played = self._play(numbers)
        refilled = 0
        for round_ in range(1, config.refill + 1):
            dull = dull_places([row for _, row in played], self.num_generations)
            if not dull:
                break
            others = [numbers[place] + round_ * config.steps * config.tasks for place in dull]
            for place, one in zip(dull, self._play(others), strict=True):
                played[place] = one
            refilled += len(dull)
        self._metrics["train"]["refilled"].append(refilled / len(numbers))
        self._scores = torch.tensor([row for _, row in played])
        self._spoke = torch.tensor([rollout.trace.reply is not None for rollout, _ in played])
        return [rollout for rollout, _ in played]

    def _play(self, numbers: Sequence[int]) -> list[tuple[Rollout, list[float]]]:
        """Rollouts and their rewards."""
        scenes = {number: self.scenes[number] for number in dict.fromkeys(numbers)}
        turns = []
        for number in numbers:
            harness, task = scenes[number]
            turns.append(episode(harness, task.situation, self.scenes.domain.environment(task), self.policy.name))
        rollouts = self.policy.drive(turns)
        rows = []
        for number, rollout in zip(numbers, rollouts, strict=True):
            harness, task = scenes[number]
            verdict = self.scenes.domain.verify(task, rollout.trace, harness)
            rows.append(rewards(verdict, rollout.trace, self.scenes.config, self._count))
        return list(zip(rollouts, rows, strict=True))

    def _count(self, text: str) -> int:
        return len(self.processing_class.encode(text, add_special_tokens=False))

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        calls_N, replies_N = advantages(self.accelerator.gather(self._scores), self.num_generations)
        first = self.accelerator.process_index * len(inputs)
        mine = slice(first, first + len(inputs))
        sampled_NT = output["completion_mask"] * output["tool_mask"]
        output["advantages"] = token_advantages(calls_N[mine], replies_N[mine], sampled_NT, self._spoke)
        return output

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Tensor:
        useful_N = (inputs["advantages"] != 0).any(1)
        self._metrics["train"]["useful_rollouts"].append(useful_N.float().mean().item())
        if not useful_N.any():
            nothing: Tensor = 0.0 * torch.stack([p.sum() for p in model.parameters()]).sum()
            return nothing
        kept = {
            key: value[useful_N] if isinstance(value, Tensor) and value.shape[:1] == useful_N.shape else value
            for key, value in inputs.items()
        }
        loss: Tensor = super()._compute_loss(model, kept)
        return loss

    def _get_per_token_logps_and_entropies(
        self,
        model: Any,
        input_ids: Tensor,
        attention_mask: Tensor,
        logits_to_keep: int,
        **_: Any,
    ) -> tuple[Tensor, Tensor, None]:
        """(B, T) log-probabilities at the sampling temperature and entropies of the last `logits_to_keep` tokens."""
        cut = input_ids.shape[1] - logits_to_keep
        prompts = [_real(ids[:cut], mask[:cut]) for ids, mask in zip(input_ids, attention_mask, strict=True)]
        completions = [_real(ids[cut:], mask[cut:]) for ids, mask in zip(input_ids, attention_mask, strict=True)]
        logps, entropies = completion_logprobs(model, prompts, completions, temperature=self.temperature)
        pad = torch.nn.utils.rnn.pad_sequence
        return (
            _widen(pad(logps, batch_first=True), logits_to_keep),
            _widen(pad(entropies, batch_first=True), logits_to_keep),
            None,
        )


def dull_places(rows: Sequence[Sequence[float]], rollouts: int) -> list[int]:
    """Places of rollouts whose task's rollouts (`rollouts` side by side) all earned the same, in every reward."""
    groups = [range(start, start + rollouts) for start in range(0, len(rows), rollouts)]
    return [place for group in groups if len({tuple(rows[p]) for p in group}) == 1 for place in group]


def _real(ids: Tensor, mask: Tensor) -> Ids:
    return [int(i) for i in ids[mask.bool()].tolist()]


def _widen(values_BT: Tensor, width: int) -> Tensor:
    return torch.nn.functional.pad(values_BT, (0, width - values_BT.shape[1]))


def _rollout(prompts: list[list[dict[str, str]]], trainer: HsaGrpoTrainer) -> dict[str, Any]:
    """TRL's rollout function; a prompt holds a scene's number and comes once for each of its rollouts."""
    rollouts = trainer.play([int(prompt[-1]["content"]) for prompt in prompts])
    return {
        "prompt_ids": [rollout.prompt_ids for rollout in rollouts],
        "completion_ids": [rollout.completion_ids for rollout in rollouts],
        "logprobs": [rollout.logps for rollout in rollouts],
        "env_mask": [rollout.completion_mask for rollout in rollouts],
        "scores": trainer._scores.tolist(),
    }


def _reward(name: str) -> Any:
    """A TRL reward function that reads one of the rollout's scores."""
    place = REWARDS.index(name)

    def reward(scores: list[list[float]], **_: Any) -> list[float]:
        return [row[place] for row in scores]

    reward.__name__ = name
    return reward
