"""Attention of tokens to a shared prefix and to their row's own past, computed apart and merged exactly.

All rows that share a prefix meet its keys in one matrix product (cascade attention, as in FlashInfer); two partial
softmaxes over disjoint keys merge by their log-sum-exp. Axes: N tokens, H query heads, K key heads, Q = H / K,
D head width, G prefixes, M tokens of one prefix, S positions.
"""

import torch
from torch import Tensor

from hat.episode.engine.blocks import Block, Plan

Partial = tuple[Tensor, Tensor]
"""Output (N, H, D) of a softmax over some keys, and the log-sum-exp of its scores (N, H)."""


def softmax_parts(q_BMD: Tensor, k_BSD: Tensor, v_BSD: Tensor, bias: Tensor | None) -> Partial:
    """Attention of one group of keys: outputs (B, M, D) and log-sum-exp of the scores (B, M), float32."""
    k_BDS = k_BSD.transpose(1, 2)
    scores_BMS = (torch.bmm(q_BMD, k_BDS) if bias is None else torch.baddbmm(bias, q_BMD, k_BDS)).float()
    top_BM = scores_BMS.amax(-1)
    probs_BMS = scores_BMS.softmax(-1)
    return torch.bmm(probs_BMS.to(v_BSD.dtype), v_BSD).float(), top_BM - probs_BMS.amax(-1).log()


def merge(a: Partial, b: Partial) -> Tensor:
    """The softmax over both groups of keys."""
    (out_a, lse_a), (out_b, lse_b) = a, b
    return torch.lerp(out_b, out_a, (lse_a - lse_b).sigmoid_()[..., None])


def attend_prefixes(q_NHD: Tensor, keys: Tensor, values: Tensor, plan: Plan) -> Partial:
    """Attention of every token to its prefix."""
    parts = [_attend_block(q_NHD, keys, values, block) for block in plan.blocks]
    if plan.inverse is None:
        return parts[0]
    return torch.cat([out for out, _ in parts])[plan.inverse], torch.cat([lse for _, lse in parts])[plan.inverse]


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


def attend_pages(q_NHD: Tensor, keys: Tensor, values: Tensor, slots_B: Tensor, bias_B1S: Tensor) -> Partial:
    """One token a row, token i in row slot i, to the pages of its row: page b, of row `slots_B[b]`, is `keys[b]`."""
    heads, width = q_NHD.shape[1:]
    pages, key_heads = len(slots_B), keys.shape[1]
    out_BQD, lse_BQ = softmax_parts(
        q_NHD[slots_B].view(pages * key_heads, heads // key_heads, width),
        keys[:pages].flatten(0, 1),
        values[:pages].flatten(0, 1),
        bias_B1S,
    )
    return _merge_pages(out_BQD.view(pages, heads, width), lse_BQ.view(pages, heads), slots_B, len(q_NHD))


def _merge_pages(out_BHD: Tensor, lse_BH: Tensor, slots_B: Tensor, rows: int) -> Partial:
    """The softmax over all pages of each row."""
    lowest = torch.finfo(lse_BH.dtype).min
    slots_BH = slots_B[:, None].expand_as(lse_BH)
    top_NH = lse_BH.new_full((rows, lse_BH.shape[1]), lowest).scatter_reduce_(0, slots_BH, lse_BH, "amax")
    weight_BH = (lse_BH - top_NH[slots_B]).exp_()
    total_NH = torch.zeros_like(top_NH).index_add_(0, slots_B, weight_BH)
    out_NHD = out_BHD.new_zeros(rows, *out_BHD.shape[1:]).index_add_(0, slots_B, out_BHD * weight_BH[..., None])
    return out_NHD / total_NH[..., None], top_NH + total_NH.log()


def attend_span(q_MHD: Tensor, key_KSD: Tensor, value_KSD: Tensor, bias: Tensor | None) -> Partial:
    """Several tokens of one row to its row's past and to those before them; `bias` is (1, M * Q, S)."""
    tokens, heads, width = q_MHD.shape
    key_heads = len(key_KSD)
    q_KMQD = q_MHD.view(tokens, key_heads, heads // key_heads, width).transpose(0, 1)
    out_KMD, lse_KM = softmax_parts(q_KMQD.reshape(key_heads, -1, width), key_KSD, value_KSD, bias)
    return (
        out_KMD.view(q_KMQD.shape).transpose(0, 1).reshape(tokens, heads, width),
        lse_KM.view(q_KMQD.shape[:-1]).transpose(0, 1).reshape(tokens, heads),
    )


def causal_bias(tokens: int, length: int, repeats: int, like: Tensor) -> Tensor:
    """(1, tokens * repeats, length): the last `tokens` of `length` positions see no later one, lines `repeats` times"""
    lowest = torch.finfo(like.dtype).min
    bias = torch.full((tokens, length), lowest, dtype=like.dtype, device=like.device).triu(length - tokens + 1)
    return bias.repeat_interleave(repeats, 0)[None]
