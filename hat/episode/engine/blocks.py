"""Which tokens meet which shared prefix, laid out so that few matrix products serve them all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

CELLS_A_BLOCK = 8
"""A product more costs about as much as this many padded cells (a token against a prefix of 900, one CPU thread)."""


@dataclass(frozen=True, slots=True)
class Block:
    """Tokens that meet the prefixes in slots `start`..`stop`, M tokens each."""

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
    """A plan for tokens of which token i continues the prefix in slot `prefix_of[i]`.

    Neighbouring prefixes with about as many tokens each share one batched product over a padded grid; others get their
    own.
    """
    tokens_of: list[list[int]] = [[] for _ in lengths]
    for token, prefix in enumerate(prefix_of):
        tokens_of[prefix].append(token)
    runs = list(_runs(list(map(len, tokens_of))))
    if len(runs) == 1 and runs[0][1] - runs[0][0] == 1:
        start, stop = runs[0]
        return Plan((Block(start, stop, lengths[start], None, None),), None)
    blocks, inverse, offset = [], [0] * len(prefix_of), 0
    for start, stop in runs:
        width = max(map(len, tokens_of[start:stop]))
        for line, tokens in enumerate(tokens_of[start:stop]):
            for column, token in enumerate(tokens):
                inverse[token] = offset + line * width + column
        offset += (stop - start) * width
        blocks.append(_block(start, tokens_of[start:stop], lengths[start:stop], key_heads, like))
    return Plan(tuple(blocks), torch.tensor(inverse, device=like.device))


def _runs(counts: list[int]) -> Iterator[tuple[int, int]]:
    """Cut slots into runs of which padding costs less than further products; slots without tokens are left out."""
    start, widest, total = 0, 0, 0
    for slot, count in enumerate([*counts, 0]):
        prefixes = slot - start + 1
        padding = prefixes * max(widest, count) - total - count
        if not count or (slot > start and padding > CELLS_A_BLOCK * (prefixes - 1)):
            if slot > start:
                yield start, slot
            start, widest, total = slot, 0, 0
        if count:
            widest, total = max(widest, count), total + count
        else:
            start = slot + 1


def _block(start: int, tokens_of: list[list[int]], lengths: Sequence[int], key_heads: int, like: Tensor) -> Block:
    width, longest, device = max(map(len, tokens_of)), max(lengths), like.device
    cells_GM = torch.tensor([tokens + [0] * (width - len(tokens)) for tokens in tokens_of], device=device)
    bias_B1S = None
    if min(lengths) < longest:
        past_GS = torch.arange(longest, device=device) >= torch.tensor(lengths, device=device)[:, None]
        bias_GS = torch.zeros_like(past_GS, dtype=like.dtype).masked_fill_(past_GS, torch.finfo(like.dtype).min)
        bias_B1S = bias_GS.repeat_interleave(key_heads, 0)[:, None]
    return Block(start, start + len(tokens_of), longest, cells_GM, bias_B1S)
