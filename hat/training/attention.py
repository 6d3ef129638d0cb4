"""Attention over rows that share a prompt, without the pairs that nobody sees.

A dense mask computes every pair of a row and throws most away. Here the prompt attends to itself once, and each branch
to the prompt and to itself: for a prompt of 650 tokens and four branches of 170 that is two fifths of the pairs. Any
transformers model whose attention is pluggable takes it; the others get the mask.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention
from transformers import AttentionInterface

NAME = "hat_shared_prompt"


@dataclass(frozen=True)
class Layout:
    """Where the segments of each row of a batch lie."""

    rows: tuple[tuple[int, tuple[int, ...]], ...]
    """Row by row: tokens of the prompt, tokens of each branch."""


def layout_of(segments_BT: Tensor) -> Layout:
    """The layout that `hat.training.encoding.flatten` wrote into segment numbers; -1 is padding."""
    rows = []
    for segments_T in segments_BT:
        numbers, counts = torch.unique_consecutive(segments_T[segments_T >= 0], return_counts=True)
        sizes = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
        rows.append((sizes.pop(0, 0), tuple(sizes.values())))
    return Layout(tuple(rows))


def attend(query: Tensor, key: Tensor, value: Tensor, layout: Layout, scale: float | None = None) -> Tensor:
    """Attention of every token to what it sees; (B, H, T, D) in and out, zero at padding."""
    rows = [
        _row(query[b : b + 1], key[b : b + 1], value[b : b + 1], prompt, branches, scale)
        for b, (prompt, branches) in enumerate(layout.rows)
    ]
    length = query.shape[2]
    return torch.cat([pad(row, (0, 0, 0, length - row.shape[2])) for row in rows])


def _row(
    query: Tensor, key: Tensor, value: Tensor, prompt: int, branches: Sequence[int], scale: float | None
) -> Tensor:
    """One row, (1, H, T, D)."""
    parts = []
    if prompt:
        q, k, v = (tensor[:, :, :prompt] for tensor in (query, key, value))
        parts.append(scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale))
    if branches:
        longest = max(branches)
        own_q, own_k, own_v = (_stack(tensor[:, :, prompt:], branches, longest) for tensor in (query, key, value))
        count = len(branches)
        keys = torch.cat([key[:, :, :prompt].expand(count, -1, -1, -1), own_k], 2)
        values = torch.cat([value[:, :, :prompt].expand(count, -1, -1, -1), own_v], 2)
        causal = torch.ones(longest, longest, dtype=torch.bool, device=query.device).tril()
        sees = torch.cat([causal.new_ones(longest, prompt), causal], 1)
        said = scaled_dot_product_attention(own_q, keys, values, attn_mask=sees, scale=scale)
        parts += [said[i : i + 1, :, :size] for i, size in enumerate(branches)]
    return torch.cat(parts, 2)


def _stack(tensor: Tensor, sizes: Sequence[int], longest: int) -> Tensor:
    """Branches side by side, (N, H, longest, D), padded at their ends."""
    pieces = torch.split(tensor[:, :, : sum(sizes)], list(sizes), 2)
    return torch.cat([pad(piece, (0, 0, 0, longest - piece.shape[2])) for piece in pieces])


def _interface(
    module: Any, query: Tensor, key: Tensor, value: Tensor, _mask: Any, scaling: float, layout: Layout, **_: Any
) -> tuple[Tensor, None]:
    """What transformers calls in place of its own attention; returns (B, T, H, D)."""
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    return attend(query, key, value, layout, scaling).transpose(1, 2), None


AttentionInterface.register(NAME, _interface)


def pluggable(model: Any) -> bool:
    """Whether a model's attention can be replaced: full attention in every layer, by transformers' own interface."""
    config = model.config
    kinds = set(getattr(config, "layer_types", None) or ["full_attention"])
    return bool(getattr(model, "_supports_attention_backend", False)) and kinds == {"full_attention"}


@contextmanager
def shared_prompt(model: Any) -> Iterator[None]:
    """Within the block the model's attention is ours; its forward takes `layout`."""
    configs = [module.config for module in model.modules() if hasattr(module, "config")]
    before = [(config, config._attn_implementation) for config in {id(c): c for c in configs}.values()]
    for config, _ in before:
        config._attn_implementation = NAME
    try:
        yield
    finally:
        for config, name in before:
            config._attn_implementation = name
