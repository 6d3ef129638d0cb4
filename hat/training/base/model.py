"""The tiny base's architecture: a stock Qwen3 of 1.2 M parameters, its initial weights wired to copy.

Models of this size meet "find the same token and say what followed it" (an induction head, Olsson et al., arXiv
2209.11895) only after hours of text. Here layer 0 starts with two heads that look one and two tokens back by position
alone, and layer 1 with two heads that find the token whose predecessor is the current token and copy it; training
starts from there.
"""

from typing import Any

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

HEAD = 32
"""Width of a head."""
CONTENT = 63
"""Residual dimensions of a token's own content; the next one is constant, the rest holds the two tokens before."""


def build_model(vocabulary: int, layers: int = 3, seed: int = 0) -> Qwen3ForCausalLM:
    """A Qwen3 (width 128, 4 heads of 32, FFN 384, tied embeddings) with the copy circuit in its initial weights."""
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=4 * HEAD,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=4,
        head_dim=HEAD,
        intermediate_size=384,
        max_position_embeddings=4096,
        rope_parameters={"rope_type": "default", "rope_theta": 1e6},
        tie_word_embeddings=True,
        initializer_range=0.02,
        dtype="float32",
    )
    model = Qwen3ForCausalLM(config)
    _spread(model)
    _wire(model)
    return model


@torch.no_grad()
def _spread(model: Qwen3ForCausalLM) -> None:
    """Initial weights of a scale that suits the width; quiet outputs, so that the wired heads are heard."""
    for block in model.model.layers:
        for name, weight in block.named_parameters():
            if weight.dim() == 2:
                weight.normal_(
                    std=weight.shape[1] ** -0.5 * (0.1 if name.endswith(("o_proj.weight", "down_proj.weight")) else 1)
                )


@torch.no_grad()
def _wire(model: Qwen3ForCausalLM) -> None:
    basis = torch.linalg.qr(torch.randn(CONTENT, CONTENT))[0]
    halves = (basis[:HEAD], basis[HEAD:])
    embedding = model.model.embed_tokens.weight
    embedding.normal_(std=0.1)
    embedding[:, CONTENT] = 0.3
    embedding[:, CONTENT + 1 :] *= 0.05
    _look_back(model.model.layers[0].self_attn, halves[0])
    _copy_what_followed(model.model.layers[1].self_attn, halves)


def _look_back(attention: Any, seen: torch.Tensor) -> None:
    """Heads 0 and 1 attend one and two tokens back: a constant query against a constant key, RoPE does the rest."""
    half, fast = HEAD // 2, 4
    turns = 1e6 ** (-torch.arange(half) / half)
    dims = [*range(fast), *range(half, half + fast)]
    attention.q_norm.weight[dims] = attention.k_norm.weight[dims] = 2.4
    for weight in (attention.q_proj.weight, attention.k_proj.weight):
        weight.view(4, HEAD, -1)[2:, dims] *= 0.3
    for head, offset in ((0, 1), (1, 2)):
        rows = slice(head * HEAD, (head + 1) * HEAD)
        query, key = attention.q_proj.weight[rows], attention.k_proj.weight[rows]
        query *= 0.02
        key *= 0.02
        for i in range(fast):
            query[i, CONTENT] = torch.cos(turns[i] * offset)
            query[i + half, CONTENT] = -torch.sin(turns[i] * offset)
            key[i, CONTENT] = 1.0
        attention.v_proj.weight[rows] = 0
        attention.v_proj.weight[rows, :CONTENT] = seen
        attention.o_proj.weight[:, rows] = 0
        width = min(HEAD, 4 * HEAD - CONTENT - 1 - head * HEAD)
        start = CONTENT + 1 + head * HEAD
        attention.o_proj.weight[start : start + width, rows] = 0.12 * torch.eye(HEAD)[:width]


def _copy_what_followed(attention: Any, halves: tuple[torch.Tensor, ...]) -> None:
    """Heads 0 and 1 match the current token with each token's predecessor, and copy one half of its content each."""
    half = HEAD // 2
    turns = 1e6 ** (-torch.arange(half) / half)
    slow = [i for i in range(half) if turns[i] < 8e-3]
    slow += [i + half for i in slow]
    mixing = torch.linalg.qr(torch.randn(HEAD, HEAD))[0][: len(slow)]
    attention.q_norm.weight.fill_(1.45)
    attention.k_norm.weight.fill_(1.45)
    for head, copied in enumerate(halves):
        start = head * HEAD
        rows, slots = slice(start, start + HEAD), torch.tensor(slow) + start
        for weight in (attention.q_proj.weight, attention.k_proj.weight, attention.v_proj.weight):
            weight[rows] = 0
        attention.q_proj.weight[slots, :CONTENT] = mixing @ halves[0]
        attention.k_proj.weight[slots, CONTENT + 1 : CONTENT + 1 + HEAD] = mixing
        attention.v_proj.weight[start : start + len(copied), :CONTENT] = copied
        attention.o_proj.weight[:, rows] = 0
        attention.o_proj.weight[:CONTENT, start : start + len(copied)] = 0.3 * copied.T
