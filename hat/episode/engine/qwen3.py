"""The fast path: Qwen3's forward over flat tokens, with shared prefixes and without padding.

Every call works on N tokens of any rows side by side; only attention knows rows. Logits equal the transformers forward
to rounding. Axes as in `attention`; C is the model's width.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from hat.episode.engine.attention import (
    Partial,
    Span,
    attend_own_spans,
    attend_own_step,
    attend_prefixes,
    causal_bias,
    merge,
)
from hat.episode.engine.blocks import Plan, plan_blocks
from hat.episode.engine.cache import CacheShape, SlotCache
from hat.episode.engine.weights import LayerWeights, Parts, read_weights


class Queries(Protocol):
    """How the tokens of one call attend."""

    def attend(self, q_NHD: Tensor, layer: int) -> Tensor:
        """Outputs, (N, H, D)."""
        ...


class Qwen3Backend:
    """A `Backend` over a `Qwen3ForCausalLM`, with its weights as they stand when this is made."""

    shares_prefixes = True
    in_waves = False

    def __init__(self, model: Any) -> None:
        self.weights = read_weights(model)
        self.device, self.dtype = model.device, model.dtype
        shape = CacheShape(
            len(self.weights.layers), self.weights.key_heads, self.weights.head_width, model.dtype, model.device
        )
        self.own, self.shared = SlotCache(shape, 1, 64), SlotCache(shape, 1, 64)
        self.lengths: list[int] = []
        self.prefix_of: list[int] = []
        self.prefix_lengths: list[int] = []
        self._rotary = model.model.rotary_emb
        self._cos_T1D = self._sin_T1D = torch.empty(0, device=model.device)
        self._step_plan: Plan | None = None

    def open_prefix(self, ids: Sequence[int]) -> None:
        """See `Backend`."""
        slot, length = len(self.prefix_lengths), len(ids)
        self.shared.reserve(slot + 1, length)
        self.prefix_lengths.append(length)
        self._step_plan = None
        positions = torch.arange(length, device=self.device)
        rows = self.shared.rows(torch.full_like(positions, slot), positions)
        self._forward(self._tensor(ids), positions, self.shared, rows, _PrefixQueries(self.shared, slot, length))

    def close_prefix(self, slot: int) -> None:
        """See `Backend`."""
        last = len(self.prefix_lengths) - 1
        if slot != last:
            self.shared.move(last, slot, self.prefix_lengths[last])
            self.prefix_lengths[slot] = self.prefix_lengths[last]
            self.prefix_of = [slot if prefix == last else prefix for prefix in self.prefix_of]
        self.prefix_lengths.pop()
        self._step_plan = None

    def admit(self, slot: int, prefix: int) -> None:
        """See `Backend`."""
        if slot == len(self.lengths):
            self.lengths.append(0)
            self.prefix_of.append(prefix)
            self.own.reserve(slot + 1, 1)
        self.lengths[slot], self.prefix_of[slot] = 0, prefix
        self._step_plan = None

    def retire(self, slot: int) -> None:
        """See `Backend`."""
        last = len(self.lengths) - 1
        if slot != last:
            self.own.move(last, slot, self.lengths[last])
            self.lengths[slot], self.prefix_of[slot] = self.lengths[last], self.prefix_of[last]
        self.lengths.pop()
        self.prefix_of.pop()
        self._step_plan = None

    def extend(self, slots: Sequence[int], chunks: Sequence[Sequence[int]]) -> Tensor:
        """See `Backend`."""
        spans, start = [], 0
        for slot, chunk in zip(slots, chunks, strict=True):
            self.lengths[slot] += len(chunk)
            spans.append(Span(slot, start, start + len(chunk), self.lengths[slot]))
            start += len(chunk)
        self.own.reserve(len(self.lengths), max(self.lengths))
        owner = [span.slot for span in spans for _ in range(span.start, span.stop)]
        own = [p for span in spans for p in range(span.length - span.stop + span.start, span.length)]
        queries = _SpanQueries(self, spans)
        final = _SpanQueries(self, [Span(s.slot, i, i + 1, s.length) for i, s in enumerate(spans)])
        picked = self._tensor([span.stop - 1 for span in spans])
        tokens = self._tensor([token for chunk in chunks for token in chunk])
        rows = self.own.rows(self._tensor(owner), self._tensor(own))
        positions = self._tensor([p + self.prefix_lengths[self.prefix_of[s]] for p, s in zip(own, owner, strict=True)])
        return self._head(self._forward(tokens, positions, self.own, rows, queries, final, picked))

    def step(self, tokens: Sequence[int | None]) -> Tensor:
        """See `Backend`."""
        own = self._tensor(self.lengths)
        length = max(self.lengths) + 1
        self.own.reserve(len(self.lengths), length)
        if self._step_plan is None:
            self._step_plan = plan_blocks(self.prefix_of, self.prefix_lengths, self.weights.key_heads, self.own.keys[0])
        offsets = self._tensor([self.prefix_lengths[prefix] for prefix in self.prefix_of])
        rows = self.own.rows(torch.arange(len(self.lengths), device=self.device), own)
        queries = _StepQueries(self, self._step_plan, own, length)
        ids = self._tensor([0 if token is None else token for token in tokens])
        self.lengths = [n + (token is not None) for n, token in zip(self.lengths, tokens, strict=True)]
        return self._head(self._forward(ids, own + offsets, self.own, rows, queries))

    def _forward(
        self,
        tokens_N: Tensor,
        positions_N: Tensor,
        cache: SlotCache,
        rows: Tensor,
        queries: Queries,
        final: Queries | None = None,
        picked: Tensor | None = None,
    ) -> Tensor:
        """Hidden states (N, C) after the last layer; of `picked` tokens only, if given, attending as `final` says."""
        cos_N1D, sin_N1D = self._turns(positions_N)
        x_NC = F.embedding(tokens_N, self.weights.embedding_VC)
        heads, last = self.weights.heads, len(self.weights.layers) - 1
        for index, layer in enumerate(self.weights.layers):
            qk_NHD, value_NKD = self._qkv(layer, x_NC, cos_N1D, sin_N1D)
            cache.write(index, rows, qk_NHD[:, heads:], value_NKD)
            q_NHD = qk_NHD[:, :heads].contiguous()
            if index == last and picked is not None and final is not None:
                x_NC, q_NHD, queries = x_NC[picked], q_NHD[picked], final
            out_NHD = queries.attend(q_NHD, index)
            x_NC = _project(out_NHD.flatten(1), layer.out) + x_NC
            gate, up = _project(self._norm(x_NC, layer.mlp_norm), layer.gate_up).chunk(2, -1)
            x_NC = _project(F.silu(gate) * up, layer.down) + x_NC
        return x_NC

    def _qkv(self, layer: LayerWeights, x_NC: Tensor, cos_N1D: Tensor, sin_N1D: Tensor) -> tuple[Tensor, Tensor]:
        """Queries and keys, normed and turned (N, H + K, D), and values (N, K, D)."""
        weights = self.weights
        both, width = weights.heads + weights.key_heads, weights.head_width
        qkv_NHD = _project(self._norm(x_NC, layer.norm), layer.qkv).view(len(x_NC), -1, width)
        qk_NHD = F.rms_norm(qkv_NHD[:, :both], (width,), None, weights.epsilon) * layer.heads_HKD
        return torch.addcmul(qk_NHD * cos_N1D, qk_NHD.roll(width // 2, -1), sin_N1D), qkv_NHD[:, both:]

    def _norm(self, x_NC: Tensor, weight: Tensor | None) -> Tensor:
        return F.rms_norm(x_NC, x_NC.shape[-1:], weight, self.weights.epsilon)

    def _head(self, x_NC: Tensor) -> Tensor:
        return _project(self._norm(x_NC, self.weights.norm), self.weights.head).float()

    def _turns(self, positions_N: Tensor) -> tuple[Tensor, Tensor]:
        """RoPE's cosines and signed sines at these positions, (N, 1, D)."""
        needed = max(self.prefix_lengths, default=0) + self.own.positions
        if len(self._cos_T1D) < needed:
            everywhere = torch.arange(needed * 3 // 2, device=self.device)[None]
            cos, sin = self._rotary(torch.empty(0, dtype=self.dtype, device=self.device), everywhere)
            half = self.weights.head_width // 2
            self._cos_T1D = cos[0][:, None].clone()
            self._sin_T1D = torch.cat([-sin[0, :, :half], sin[0, :, half:]], -1)[:, None]
        return self._cos_T1D[positions_N], self._sin_T1D[positions_N]

    def _tensor(self, values: Sequence[int]) -> Tensor:
        return torch.tensor(values, dtype=torch.long, device=self.device)


def _project(x: Tensor, parts: Parts) -> Tensor:
    if len(parts) == 1:
        return F.linear(x, *parts[0])
    return torch.cat([F.linear(x, weight, bias) for weight, bias in parts], -1)


class _PrefixQueries:
    """The tokens of one prefix, each to those before it."""

    def __init__(self, cache: SlotCache, slot: int, length: int) -> None:
        self.cache, self.slot, self.length = cache, slot, length

    def attend(self, q_NHD: Tensor, layer: int) -> Tensor:
        key, value = (t[layer][self.slot, None, :, : self.length] for t in (self.cache.keys, self.cache.values))
        q = q_NHD.transpose(0, 1)[None]
        share = q.shape[1] // key.shape[1]
        if share > 1:
            key, value = key.repeat_interleave(share, 1), value.repeat_interleave(share, 1)
        return F.scaled_dot_product_attention(q, key, value, is_causal=True, scale=1.0)[0].transpose(0, 1)


class _StepQueries:
    """One token of every row."""

    def __init__(self, backend: Qwen3Backend, plan: Plan, own_N: Tensor, length: int) -> None:
        self.backend, self.plan, self.length = backend, plan, length
        past_NS = torch.arange(length, device=own_N.device) > own_N[:, None]
        bias_NS = torch.zeros_like(past_NS, dtype=backend.dtype).masked_fill_(past_NS, torch.finfo(backend.dtype).min)
        self.bias_B1S = bias_NS.repeat_interleave(backend.weights.key_heads, 0)[:, None]

    def attend(self, q_NHD: Tensor, layer: int) -> Tensor:
        own, shared = self.backend.own, self.backend.shared
        past: Partial = attend_own_step(q_NHD, own.keys[layer], own.values[layer], self.length, self.bias_B1S)
        return merge(
            attend_prefixes(q_NHD, shared.keys[layer], shared.values[layer], self.plan.blocks, self.plan.inverse), past
        )


class _SpanQueries:
    """Several tokens of some rows."""

    def __init__(self, backend: Qwen3Backend, spans: list[Span]) -> None:
        self.backend, self.spans = backend, spans
        prefix_of = [backend.prefix_of[span.slot] for span in spans for _ in range(span.start, span.stop)]
        weights, like = backend.weights, backend.own.keys[0]
        self.plan = plan_blocks(prefix_of, backend.prefix_lengths, weights.key_heads, like)
        share = weights.heads // weights.key_heads
        self.hidden = [causal_bias(span.stop - span.start, span.length, share, like) for span in spans]

    def attend(self, q_NHD: Tensor, layer: int) -> Tensor:
        own, shared = self.backend.own, self.backend.shared
        past = attend_own_spans(q_NHD, own.keys[layer], own.values[layer], self.spans, self.hidden)
        return merge(
            attend_prefixes(q_NHD, shared.keys[layer], shared.values[layer], self.plan.blocks, self.plan.inverse), past
        )
