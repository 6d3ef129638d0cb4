"""Rewards of HSA-RL and the advantages made of them.

Four rewards from the verdict (accuracy, effectiveness, tool rationality, skill selection) and a penalty on long
reasoning. GDPO (arXiv 2601.05242): each reward is normalised within the rollouts of its task before they are summed,
then the sum over the batch. Calls and the spoken reply are separate groups with advantages of their own, as in the
paper: calls answer for accuracy, tools and skills, the reply for accuracy and effectiveness; both for reasoning.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from hat.domains.verdict import Verdict
from hat.episode import Trace
from hat.training.config import RlConfig

REWARDS = ("accuracy", "effectiveness", "tool_rationality", "skill_selection", "reasoning")
CALLS = (1.0, 0.0, 1.0, 1.0, 1.0)
"""Weights of `REWARDS` in the advantage of tool-call tokens."""
REPLY = (1.0, 1.0, 0.0, 0.0, 1.0)
"""Weights of `REWARDS` in the advantage of the reply's tokens."""
EPSILON = 1e-4
"""Added to a standard deviation, as in TRL."""


def rewards(verdict: Verdict, trace: Trace, config: RlConfig, count: Callable[[str], int]) -> list[float]:
    """The rewards of one rollout in the order of `REWARDS`; `count` gives the number of tokens of a text."""
    thoughts = [count(m.reasoning) for m in trace.messages if m.role == "assistant" and m.reasoning]
    return [
        verdict.accuracy,
        verdict.effectiveness,
        verdict.tool_rationality,
        verdict.skill_selection,
        sum(reasoning_penalty(tokens, config) for tokens in thoughts),
    ]


def reasoning_penalty(tokens: int, config: RlConfig) -> float:
    """0 up to `reasoning_free` tokens, falling linearly to -`reasoning_penalty` at `reasoning_full`."""
    over = (tokens - config.reasoning_free) / (config.reasoning_full - config.reasoning_free)
    return -config.reasoning_penalty * min(1.0, max(0.0, over))


def advantages(rewards_NK: Tensor, rollouts: int) -> tuple[Tensor, Tensor]:
    """Advantages of calls and of replies.

    Args:
        rewards_NK: rewards of N rollouts, those of one task side by side.
        rollouts: rollouts of each task (G); divides N.

    Returns:
        Two tensors (N,): for tokens of tool calls, and for tokens of the reply. Both are 0 for every rollout of a task
        whose rollouts all earned the same.
    """
    grouped_MGK = rewards_NK.view(-1, rollouts, rewards_NK.shape[1])
    centred_MGK = grouped_MGK - grouped_MGK.mean(1, keepdim=True)
    normal_NK = (centred_MGK / (grouped_MGK.std(1, keepdim=True) + EPSILON)).view_as(rewards_NK)
    sums = [normal_NK @ torch.tensor(weights, dtype=normal_NK.dtype) for weights in (CALLS, REPLY)]
    scale = torch.cat(sums).std() + EPSILON
    return sums[0] / scale, sums[1] / scale


def token_advantages(calls_N: Tensor, replies_N: Tensor, sampled_NT: Tensor, spoke_N: Tensor) -> Tensor:
    """Spread advantages over tokens, (N, T).

    Args:
        calls_N: advantage of each rollout's tool calls.
        replies_N: advantage of each rollout's reply.
        sampled_NT: 1 on tokens that the model sampled.
        spoke_N: whether the last sampled run is a reply rather than a call.
    """
    length = sampled_NT.shape[1]
    index_T = torch.arange(length)
    gap_NT = torch.where(sampled_NT == 0, index_T, -1)
    last_N = torch.where(sampled_NT == 1, index_T, -1).max(1).values
    before_NT = torch.where(index_T < last_N[:, None], gap_NT, -1)
    start_N = before_NT.max(1).values
    reply_NT = (index_T > start_N[:, None]) & (index_T <= last_N[:, None]) & spoke_N[:, None]
    return torch.where(reply_NT, replies_N[:, None], calls_N[:, None]) * sampled_NT
