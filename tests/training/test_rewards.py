"""Rewards and advantages of HSA-RL against the formulas written out in numpy."""

import numpy as np
import pytest
import torch

from hat.domains.verify import Verdict
from hat.episode import Message, Trace
from hat.training.config import RlConfig
from hat.training.rewards import CALLS, REPLY, advantages, reasoning_penalty, rewards, token_advantages


def _expected(scores: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray]:
    """GDPO by loops: each reward normalised in its group, summed by weight, both sums scaled by their common spread."""
    normal = np.zeros_like(scores)
    for start in range(0, len(scores), group):
        for k in range(scores.shape[1]):
            part = scores[start : start + group, k]
            normal[start : start + group, k] = (part - part.mean()) / (part.std(ddof=1) + 1e-4)
    calls, reply = normal @ np.array(CALLS), normal @ np.array(REPLY)
    scale = np.concatenate([calls, reply]).std(ddof=1) + 1e-4
    return calls / scale, reply / scale


def test_advantages__are_gdpo() -> None:
    scores = np.random.default_rng(0).choice([0.0, 0.5, 1.0], size=(12, 5))
    calls, reply = advantages(torch.tensor(scores), rollouts=4)
    wanted_calls, wanted_reply = _expected(scores, 4)
    np.testing.assert_allclose(calls.numpy(), wanted_calls, atol=1e-9)
    np.testing.assert_allclose(reply.numpy(), wanted_reply, atol=1e-9)


def test_advantages__are_zero_where_all_rollouts_earned_the_same() -> None:
    scores = torch.tensor([[1.0, 1, 1, 1, 0]] * 3 + [[0.0, 0, 1, 1, 0], [1.0, 0, 1, 1, 0], [1.0, 1, 1, 1, 0]])
    calls, reply = advantages(scores, rollouts=3)
    assert calls[:3].abs().max() == 0
    assert reply[:3].abs().max() == 0
    assert calls[3] < 0 < calls[4]


def test_effectiveness__moves_the_reply_and_not_the_calls() -> None:
    scores = torch.tensor([[1.0, 0, 1, 1, 0], [1.0, 1, 1, 1, 0]])
    calls, reply = advantages(scores, rollouts=2)
    assert calls.abs().max() == 0
    assert reply[0] < 0 < reply[1]


def test_token_advantages__give_the_last_run_the_replys() -> None:
    sampled = torch.tensor([[1, 1, 0, 0, 1, 1, 0], [1, 0, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0]])
    got = token_advantages(
        torch.tensor([2.0, 2, 2]), torch.tensor([5.0, 5, 5]), sampled, torch.tensor([True, False, True])
    )
    assert got.tolist() == [[2, 2, 0, 0, 5, 5, 0], [2, 0, 2, 2, 0, 0, 0], [5, 5, 5, 0, 0, 0, 0]]


@pytest.mark.parametrize(("tokens", "penalty"), [(0, 0.0), (100, 0.0), (150, -0.05), (200, -0.1), (900, -0.1)])
def test_reasoning_penalty__falls_from_100_to_200_tokens(tokens: int, penalty: float) -> None:
    assert reasoning_penalty(tokens, RlConfig()) == pytest.approx(penalty)


def test_rewards__count_the_reasoning_of_every_answer() -> None:
    thinking = Message(role="assistant", content="a", reasoning="x" * 200)
    trace = Trace(id="t", task="t", harness="h", policy="p", messages=(thinking, thinking), stop="reply", reply="a")
    verdict = Verdict(accuracy=1, effectiveness=0.5, tool_rationality=1, skill_selection=0.5)
    assert rewards(verdict, trace, RlConfig(), len) == pytest.approx([1, 0.5, 1, 0.5, -0.2])
