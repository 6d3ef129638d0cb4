"""Tiny random models and scripted conversations for the engine's tests and benchmark."""

import json
from collections.abc import Generator, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import Qwen3Config, Qwen3ForCausalLM

from hat.episode import ChatRequest, ChatResponse, Message, PolicyError, Trace
from hat.episode.engine import Row, Sampler
from hat.episode.policies.transformers_policy import TransformersPolicy
from hat.training.base.tokenizer import build_tokenizer

VARIANTS = [
    {"bias": False, "key_heads": 4},
    {"bias": True, "key_heads": 4},
    {"bias": False, "key_heads": 2},
    {"bias": True, "key_heads": 1, "layers": 2},
]
"""Kinds of Qwen3: attention with and without bias, grouped and not."""
TOOL = {
    "type": "function",
    "function": {
        "name": "get_price",
        "description": "查价格",
        "parameters": {"type": "object", "properties": {"link_id": {"type": "integer", "description": "链接"}}},
    },
}
CALL = '<tool_call>\n{"name": "get_price", "arguments": {"link_id": 3}}\n</tool_call><|im_end|>'


def toy_tokenizer() -> Any:
    """The tiny base's tokenizer over a few words."""
    return build_tokenizer(["get_price", "link_id"], ["你是直播间的助手，价格是元。这件多少钱？查一下再回答链接"])


def toy_model(vocabulary: int, *, bias: bool = False, key_heads: int = 2, layers: int = 3, context: int = 512) -> Any:
    """A random Qwen3 whose every weight, norms included, differs from its initial value."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=key_heads,
        head_dim=16,
        attention_bias=bias,
        max_position_embeddings=context,
        tie_word_embeddings=not bias,
    )
    model = Qwen3ForCausalLM(config).eval()
    for parameter in model.parameters():
        noise = torch.randn_like(parameter)
        parameter.data = 1 + 0.3 * noise if parameter.dim() == 1 else noise * parameter.shape[-1] ** -0.5
    return model


def conversation(
    viewer: str, answers: Sequence[str], system: str = "你是直播间的助手。" * 4, turns: int = 3
) -> Generator[ChatRequest, ChatResponse, Trace]:
    """Ask, answer each reply with the next of `answers` as a tool result, and return after `turns` replies."""
    messages = [Message(role="system", content=system), Message(role="user", content=viewer)]
    error = None
    try:
        for turn in range(turns):
            answer = (yield ChatRequest(messages=tuple(messages), tools=(TOOL,))).message
            messages.append(answer)
            if turn + 1 < turns:
                messages.append(Message(role="tool", content=answers[turn % len(answers)], tool_call_id=f"call_{turn}"))
    except PolicyError as failure:
        error = str(failure)
    return Trace(
        id=viewer,
        task=viewer,
        harness="toy",
        policy="toy",
        messages=tuple(messages),
        reply=messages[-1].content if error is None else None,
        stop="reply" if error is None else "policy_error",
        error=error,
    )


def conversations(count: int, systems: int = 2) -> list[Generator[ChatRequest, ChatResponse, Trace]]:
    """Conversations of unequal lengths under a few system prompts, some rows' prompts equal."""
    return [
        conversation(
            "这件多少钱？" * (1 + i % 3),
            [json.dumps({"price": i}), "价格是元。" * (i % 4 + 1), "{}"],
            system="你是助手。" * (2 + i % systems * 3),
            turns=1 + i % 4,
        )
        for i in range(count)
    ]


class Forced(TransformersPolicy):
    """A policy made to say given texts: the i-th answer of row r is `script[r][i]`, as long as it lasts."""

    script: Sequence[Sequence[str]] = ()

    def make_sampler(self, seed: int) -> Sampler:
        """Force the script's tokens, with the log-probabilities that the model gives them."""
        streams: dict[int, Iterator[int]] = {}

        def choose(logits_RV: Tensor, rows: Sequence[Row]) -> tuple[list[int], list[float]]:
            for row in rows:
                if row.index not in streams:
                    streams[row.index] = iter(self.format.encode("".join(self.script[row.index])))
            tokens = [next(streams[row.index]) for row in rows]
            logps = logits_RV.log_softmax(-1).gather(1, torch.tensor(tokens)[:, None])[:, 0]
            return tokens, logps.tolist()

        return choose
