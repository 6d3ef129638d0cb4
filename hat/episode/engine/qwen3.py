"""The fast path as a `Backend`: which rows and prefixes are where, and what is fed next."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from hat.episode.engine.blocks import Plan, plan_blocks
from hat.episode.engine.cache import CacheShape, SlotCache
from hat.episode.engine.forward import Forward
from hat.episode.engine.pages import PagedCache
from hat.episode.engine.queries import PrefixQueries, Span, SpanQueries, StepQueries


class Qwen3Backend:
    """A `Backend` over a `Qwen3ForCausalLM`, with its weights as they stand when this is made."""

    shares_prefixes = True
    in_waves = False

    def __init__(self, model: Any) -> None:
        self.forward = Forward(model)
        weights = self.forward.weights
        shape = CacheShape(len(weights.layers), weights.key_heads, weights.head_width, model.dtype, model.device)
        self.own, self.shared = PagedCache(shape), SlotCache(shape)
        self.lengths: list[int] = []
        """Own positions of each row."""
        self.prefix_of: list[int] = []
        self.prefix_lengths: list[int] = []
        self._plan: Plan | None = None

    def open_prefix(self, ids: Sequence[int]) -> None:
        """See `Backend`."""
        slot, length = len(self.prefix_lengths), len(ids)
        self.shared.reserve(slot + 1, length)
        self.prefix_lengths.append(length)
        self._plan = None
        positions_N = torch.arange(length, device=self.forward.device)
        self.forward(self._tensor(ids), positions_N, length, PrefixQueries(self.shared, slot, length))

    def close_prefix(self, slot: int) -> None:
        """See `Backend`."""
        last = len(self.prefix_lengths) - 1
        if slot != last:
            self.shared.move(last, slot, self.prefix_lengths[last])
            self.prefix_lengths[slot] = self.prefix_lengths[last]
            self.prefix_of = [slot if prefix == last else prefix for prefix in self.prefix_of]
        self.prefix_lengths.pop()
        self._plan = None

    def admit(self, slot: int, prefix: int) -> None:
        """See `Backend`."""
        if slot == len(self.lengths):
            self.lengths.append(0)
            self.prefix_of.append(prefix)
            self.own.pages_of.append([])
        self.own.clear(slot)
        self.lengths[slot], self.prefix_of[slot] = 0, prefix
        self._plan = None

    def retire(self, slot: int) -> None:
        """See `Backend`."""
        self.own.retire(slot)
        for values in (self.lengths, self.prefix_of):
            last = values.pop()
            if slot < len(values):
                values[slot] = last
        self._plan = None

    def extend(self, slots: Sequence[int], chunks: Sequence[Sequence[int]]) -> Tensor:
        """See `Backend`."""
        spans: list[Span] = []
        positions: list[int] = []
        for slot, chunk in zip(slots, chunks, strict=True):
            begin = self.prefix_lengths[self.prefix_of[slot]] + self.lengths[slot]
            self.lengths[slot] += len(chunk)
            self.own.reserve(slot, self.lengths[slot])
            spans.append(Span(slot, len(positions), len(positions) + len(chunk), self.lengths[slot]))
            positions += range(begin, begin + len(chunk))
        prefixes = [self.prefix_of[slot] for slot in slots]
        plans = self._plan_for([p for p, c in zip(prefixes, chunks, strict=True) for _ in c]), self._plan_for(prefixes)
        share = self.forward.weights.heads // self.forward.weights.key_heads
        queries = SpanQueries(self.own, self.shared, spans, plans, share)
        tokens = [token for chunk in chunks for token in chunk]
        return self.forward(self._tensor(tokens), self._tensor(positions), max(positions) + 1, queries)

    def step(self, tokens: Sequence[int | None]) -> Tensor:
        """See `Backend`. A row that waits computes a token that is forgotten."""
        for slot, length in enumerate(self.lengths):
            self.own.reserve(slot, length + 1)
        if self._plan is None:
            self._plan = self._plan_for(self.prefix_of)
        positions = [self.prefix_lengths[p] + length for p, length in zip(self.prefix_of, self.lengths, strict=True)]
        queries = StepQueries(self.own, self.shared, self.lengths, self._plan)
        ids = self._tensor([0 if token is None else token for token in tokens])
        logits_RV = self.forward(ids, self._tensor(positions), max(positions) + 1, queries)
        self.lengths = [n + (token is not None) for n, token in zip(self.lengths, tokens, strict=True)]
        return logits_RV

    def _plan_for(self, prefix_of: Sequence[int]) -> Plan:
        return plan_blocks(prefix_of, self.prefix_lengths, self.forward.weights.key_heads, self.shared.keys[0])

    def _tensor(self, values: Sequence[int]) -> Tensor:
        return torch.tensor(values, dtype=torch.long, device=self.forward.device)
