"""Attention of tokens to a shared prefix and to their row's own past, computed apart and merged exactly.

All rows that share a prefix meet its keys in one matrix product (cascade attention, as in FlashInfer); two partial
softmaxes over disjoint keys merge by their log-sum-exp. Axes: N tokens, H query heads, K key heads, Q = H / K,
D head width, G prefixes, M tokens of one prefix, S positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

Partial = tuple[Tensor, Tensor]
"""Output (N, H, D) of a softmax over some keys, and the log-sum-exp of its scores (N, H)."""


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
class Span:
    """Consecutive tokens of one row."""

    slot: int
    start: int
    stop: int
    length: int
    """Own positions of the row, these tokens included."""


def softmax_parts(q_BMD: Tensor, k_BSD: Tensor, v_BSD: Tensor, bias: Tensor | None) -> Partial:
    """Attention of one group of keys: outputs (B, M, D) and log-sum-exp of the scores (B, M)."""
    k_BDS = k_BSD.transpose(1, 2)
    scores_BMS = torch.bmm(q_BMD, k_BDS) if bias is None else torch.baddbmm(bias, q_BMD, k_BDS)
    top_BM = scores_BMS.amax(-1)
    probs_BMS = scores_BMS.softmax(-1)
    return torch.bmm(probs_BMS, v_BSD), top_BM - probs_BMS.amax(-1).log()


def merge(a: Partial, b: Partial) -> Tensor:
    """The softmax over both groups of keys."""
    (out_a, lse_a), (out_b, lse_b) = a, b
    return torch.lerp(out_b, out_a, (lse_a - lse_b).sigmoid()[..., None])


def attend_prefixes(
    q_NHD: Tensor, keys: Tensor, values: Tensor, blocks: Sequence[Block], inverse: Tensor | None
) -> Partial:
    """Attention of every token to its prefix. `inverse` takes the blocks' tokens, end to end, back to order."""
    parts = [_attend_block(q_NHD, keys, values, block) for block in blocks]
    if inverse is None:
        return parts[0]
    return torch.cat([out for out, _ in parts])[inverse], torch.cat([lse for _, lse in parts])[inverse]


def _attend_block(q_NHD: Tensor, keys: Tensor, values: Tensor, block: Block) -> Partial:
    heads, width = q_NHD.shape[1:]
    key_heads = keys.shape[1]
    prefixes, share = block.stop - block.start, heads // key_heads
    tokens_NHD = q_NHD if block.index_GM is None else q_NHD[block.index_GM.flatten()]
    q_GKMQD = tokens_NHD.view(prefixes, -1, key_heads, share, width).transpose(1, 2)
    shape = q_GKMQD.shape
    out_BMD, lse_BM = softmax_parts(
        q_GKMQD.reshape(prefixes * key_heads, -1, width),
        keys[block.start : block.stop, :, : block.length].flatten(0, 1),
        values[block.start : block.stop, :, : block.length].flatten(0, 1),
        block.bias_B1S,
    )
    return (
        out_BMD.view(shape).transpose(1, 2).reshape(-1, heads, width),
        lse_BM.view(shape[:-1]).transpose(1, 2).reshape(-1, heads),
    )


def attend_own_step(q_NHD: Tensor, keys: Tensor, values: Tensor, length: int, bias_B1S: Tensor) -> Partial:
    """One token a row, token i in slot i, to the first `length` positions of its row; `bias_B1S` is (N * K, 1, S)."""
    tokens, heads, width = q_NHD.shape
    key_heads = keys.shape[1]
    out_BQD, lse_BQ = softmax_parts(
        q_NHD.view(tokens * key_heads, heads // key_heads, width),
        keys[:tokens, :, :length].flatten(0, 1),
        values[:tokens, :, :length].flatten(0, 1),
        bias_B1S,
    )
    return out_BQD.view(tokens, heads, width), lse_BQ.view(tokens, heads)


def attend_own_spans(
    q_NHD: Tensor, keys: Tensor, values: Tensor, spans: Sequence[Span], hidden: Sequence[Tensor]
) -> Partial:
    """Several tokens a row, each to its row's past and to those before it; `hidden[i]` is the bias (1, M * Q, S)."""
    parts = [_attend_span(q_NHD, keys, values, span, bias) for span, bias in zip(spans, hidden, strict=True)]
    return torch.cat([out for out, _ in parts]), torch.cat([lse for _, lse in parts])


def _attend_span(q_NHD: Tensor, keys: Tensor, values: Tensor, span: Span, bias: Tensor) -> Partial:
    heads, width = q_NHD.shape[1:]
    key_heads = keys.shape[1]
    tokens = span.stop - span.start
    q_KMQD = q_NHD[span.start : span.stop].view(tokens, key_heads, heads // key_heads, width).transpose(0, 1)
    out_KMD, lse_KM = softmax_parts(
        q_KMQD.reshape(key_heads, -1, width),
        keys[span.slot, :, : span.length],
        values[span.slot, :, : span.length],
        bias,
    )
    return (
        out_KMD.view(q_KMQD.shape).transpose(0, 1).reshape(tokens, heads, width),
        lse_KM.view(q_KMQD.shape[:-1]).transpose(0, 1).reshape(tokens, heads),
    )


def causal_bias(tokens: int, length: int, repeats: int, like: Tensor) -> Tensor:
    """(1, tokens * repeats, length): the last `tokens` of `length` positions see no later one, lines `repeats` times"""
    lowest = torch.finfo(like.dtype).min
    bias = torch.full((tokens, length), lowest, dtype=like.dtype, device=like.device).triu(length - tokens + 1)
    return bias.repeat_interleave(repeats, 0)[None]
