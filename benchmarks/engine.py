"""The in-process engine on one thread against transformers' `generate`, called once a turn on the same batch.

A random model of the tiny base's shape plays episodes of forced lengths: prompts of about 860 tokens, all but 40 of
them shared by the rows of one harness; five answers of 10 to 60 tokens; environment answers of 10 to 120 tokens. Both
sides say the same number of tokens on average. `generate` gets left-padded whole conversations, as a loop over turns
that keeps no cache of its own does.
"""

import json
import os
import time
from collections.abc import Generator, Iterator, Sequence
from random import Random
from typing import Any

import torch
from torch import Tensor
from transformers import Qwen3Config, Qwen3ForCausalLM

from hat.episode import ChatRequest, ChatResponse, Message, Trace
from hat.episode.engine import Row, Sampler
from hat.episode.policies.transformers_policy import TransformersPolicy
from hat.training.base.tokenizer import build_tokenizer

VOCABULARY, ANSWERS = 1000, 5
SYSTEM_CHARS, VIEWER_CHARS = 700, 36
GOAL = 2.0
"""Times as many episodes per second; the issue asks this of RL as a whole."""


def rows(episodes: int = 96, peer_episodes: int = 32) -> list[dict[str, Any]]:
    """Episodes a CPU second under one harness and under eight, against the peer's (one harness; it shares nothing)."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        policy = _Timed(_model(), _tokenizer(), temperature=1.0, max_new_tokens=64, max_batch=episodes)
        policy.plans = [_Plan(seed) for seed in range(episodes)]
        peer = _peer(policy, policy.plans[:peer_episodes])
        return [
            _row(harnesses, sorted(_ours(policy, harnesses) for _ in range(3))[1], peer, episodes)
            for harnesses in (1, 8)
        ]
    finally:
        torch.set_num_threads(threads)


def _row(harnesses: int, ours: float, peer: float, episodes: int) -> dict[str, Any]:
    return {
        "id": f"engine_episodes_per_second_{harnesses}",
        "what": f"in-process episodes, {episodes} rows, harnesses: {harnesses}, one thread",
        "unit": "episodes/s",
        "ours": round(ours, 2),
        "peer": "transformers generate, one call per turn, batched",
        "peer_value": round(peer, 2),
        "ratio": round(ours / peer, 2),
        "goal": GOAL,
        "goal_of": "ratio",
        "met": ours >= GOAL * peer,
        "n": episodes,
    }


def _model() -> Any:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=VOCABULARY,
        hidden_size=128,
        intermediate_size=384,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=4,
        head_dim=32,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
    )
    return Qwen3ForCausalLM(config).eval()


def _tokenizer() -> Any:
    return build_tokenizer([], ["".join(map(chr, range(0x4E00, 0x4E00 + 400)))])


class _Plan:
    """What one episode is made of: lengths of its answers, and what the environment says."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self.said = [rng.randint(10, 60) for _ in range(ANSWERS)]
        self.told = [_text(rng, rng.randint(10, 120)) for _ in range(ANSWERS - 1)]
        self.viewer = _text(rng, VIEWER_CHARS)


def _text(rng: Random, chars: int) -> str:
    return "".join(chr(0x4E00 + rng.randrange(400)) for _ in range(chars))


def _play(plan: _Plan, harness: int = 0) -> Generator[ChatRequest, ChatResponse, Trace]:
    messages = [
        Message(role="system", content=_text(Random(harness), SYSTEM_CHARS)),
        Message(role="user", content=plan.viewer),
    ]
    for turn in range(ANSWERS):
        messages.append((yield ChatRequest(messages=tuple(messages), tools=(_TOOL,))).message)
        if turn < len(plan.told):
            messages.append(Message(role="tool", content=plan.told[turn], tool_call_id=str(turn)))
    return Trace(id="b", task="b", harness="b", policy="b", messages=tuple(messages), stop="reply")


_TOOL = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}


class _Timed(TransformersPolicy):
    """Samples as always, but ends answers where the plans say."""

    plans: Sequence[_Plan] = ()

    def make_sampler(self, seed: int) -> Sampler:
        """The usual sampler; an answer ends after its planned number of tokens and not before."""
        usual, end = super().make_sampler(seed), self.tokenizer.eos_token_id
        left = {i: _countdown(plan.said) for i, plan in enumerate(self.plans)}

        def choose(logits_RV: Tensor, rows: Sequence[Row]) -> tuple[list[int], list[float]]:
            tokens, logps = usual(logits_RV, rows)
            ends = [next(left[row.index]) for row in rows]
            return [end if e else max(token, 300) for token, e in zip(tokens, ends, strict=True)], logps

        return choose


def _countdown(lengths: Sequence[int]) -> Iterator[bool]:
    for length in lengths:
        yield from [False] * (length - 1) + [True]


def _ours(policy: _Timed, harnesses: int) -> float:
    begin = time.process_time()
    policy.drive([_play(plan, i % harnesses) for i, plan in enumerate(policy.plans)])
    return len(policy.plans) / (time.process_time() - begin)


def _peer(policy: _Timed, plans: Sequence[_Plan]) -> float:
    """All rows generate the mean answer length at each turn, so that no row waits for a longer one."""
    encode, begin = policy.format.encode, time.process_time()
    ids = [policy.format.prompt(next(_play(plan))) for plan in plans]
    for turn in range(ANSWERS):
        length = sum(plan.said[turn] for plan in plans) // len(plans)
        width = max(map(len, ids))
        batch = torch.tensor([[0] * (width - len(row)) + row for row in ids])
        mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in ids])
        out = policy.model.generate(
            batch, attention_mask=mask, do_sample=True, min_new_tokens=length, max_new_tokens=length, pad_token_id=0
        )
        told = [encode(plan.told[turn]) if turn + 1 < ANSWERS else [] for plan in plans]
        ids = [row + new + more for row, new, more in zip(ids, out[:, width:].tolist(), told, strict=True)]
    return len(plans) / (time.process_time() - begin)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print(json.dumps(rows(), indent=1))
