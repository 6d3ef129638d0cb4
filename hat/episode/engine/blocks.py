"""Which tokens meet which shared prefix, laid out so that few matrix products serve them all."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

GRID_WASTE = 2
"""One padded grid over all prefixes is used while it has at most this many cells per token."""


@dataclass(frozen=True, slots=True)
class Block:
    """Tokens that meet prefixes `start`..`stop`, M tokens each."""

    start: int
    stop: int
    length: int
    """Positions of the longest of these prefixes."""
    index_GM: Tensor | None  # noqa: N815
    """Tokens by prefix, padded with token 0; None: all tokens, in order, and one prefix."""
    bias_B1S: Tensor | None  # noqa: N815
    """(G * K, 1, S), hides positions past a prefix's end; None: nothing to hide."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Blocks of tokens, and the index that takes their outputs, end to end, back to order (None: in order)."""

    blocks: tuple[Block, ...]
    inverse: Tensor | None


def plan_blocks(prefix_of: Sequence[int], lengths: Sequence[int], key_heads: int, like: Tensor) -> Plan:
    """A plan for tokens of which token i continues prefix `prefix_of[i]`.

    One prefix: one product over all tokens. Evenly many tokens for each of all prefixes: one batched product over a
    padded grid. Otherwise one product per prefix.
    """
    members: dict[int, list[int]] = {}
    for token, prefix in enumerate(prefix_of):
        members.setdefault(prefix, []).append(token)
    if len(members) == 1:
        prefix = prefix_of[0]
        return Plan((Block(prefix, prefix + 1, lengths[prefix], None, None),), None)
    widest = max(map(len, members.values()))
    if len(members) == len(lengths) and len(lengths) * widest <= GRID_WASTE * len(prefix_of):
        return _grid(members, widest, lengths, key_heads, like)
    blocks = [_single(prefix, tokens, lengths, like) for prefix, tokens in members.items()]
    order = torch.tensor([token for tokens in members.values() for token in tokens], device=like.device)
    return Plan(tuple(blocks), order.argsort())


def _single(prefix: int, tokens: list[int], lengths: Sequence[int], like: Tensor) -> Block:
    return Block(prefix, prefix + 1, lengths[prefix], torch.tensor([tokens], device=like.device), None)


def _grid(members: dict[int, list[int]], widest: int, lengths: Sequence[int], key_heads: int, like: Tensor) -> Plan:
    cells, inverse = [], [0] * sum(map(len, members.values()))
    for prefix in range(len(lengths)):
        tokens = members[prefix]
        for column, token in enumerate(tokens):
            inverse[token] = prefix * widest + column
        cells.append(tokens + [0] * (widest - len(tokens)))
    longest = max(lengths)
    past_GS = torch.arange(longest, device=like.device) >= torch.tensor(lengths, device=like.device)[:, None]
    bias_GS = torch.zeros_like(past_GS, dtype=like.dtype).masked_fill_(past_GS, torch.finfo(like.dtype).min)
    bias_B1S = bias_GS.repeat_interleave(key_heads, 0)[:, None] if min(lengths) < longest else None
    block = Block(0, len(lengths), longest, torch.tensor(cells, device=like.device), bias_B1S)
    return Plan((block,), torch.tensor(inverse, device=like.device))
