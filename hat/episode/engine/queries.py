"""The three ways in which tokens enter the cache: a prefix, a chunk of some rows, one token of every row."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from hat.episode.engine.attention import attend_pages, attend_prefixes, attend_span, causal_bias, merge
from hat.episode.engine.blocks import Plan
from hat.episode.engine.cache import SlotCache
from hat.episode.engine.pages import PagedCache


class PrefixQueries:
    """All tokens of one prefix, each to those before it; no logits are wanted."""

    def __init__(self, shared: SlotCache, slot: int, length: int) -> None:
        self.shared, self.slot, self.length = shared, slot, length
        self.picked: Tensor | None = torch.empty(0, dtype=torch.long, device=shared.keys[0].device)

    def store(self, layer: int, key_NKD: Tensor, value_NKD: Tensor) -> None:
        """See `Queries`."""
        self.shared.keys[layer][self.slot, :, : self.length] = key_NKD.transpose(0, 1)
        self.shared.values[layer][self.slot, :, : self.length] = value_NKD.transpose(0, 1)

    def attend(self, q_NHD: Tensor, layer: int, *, picked: bool) -> Tensor:
        """See `Queries`."""
        del picked
        key, value = (t[layer][self.slot, None, :, : self.length] for t in (self.shared.keys, self.shared.values))
        share = q_NHD.shape[1] // key.shape[1]
        if share > 1:
            key, value = key.repeat_interleave(share, 1), value.repeat_interleave(share, 1)
        q_1HND = q_NHD.transpose(0, 1)[None]
        return F.scaled_dot_product_attention(q_1HND, key, value, is_causal=True, scale=1.0)[0].transpose(0, 1)


class StepQueries:
    """One token of every row; rows' lengths do not count it yet."""

    picked: Tensor | None = None

    def __init__(self, own: PagedCache, shared: SlotCache, lengths: Sequence[int], plan: Plan) -> None:
        self.own, self.shared, self.plan = own, shared, plan
        self.rows = own.rows(range(len(lengths)), lengths)
        self.slots_B, self.bias_B1S = own.layout([length + 1 for length in lengths])

    def store(self, layer: int, key_NKD: Tensor, value_NKD: Tensor) -> None:
        """See `Queries`."""
        self.own.write(layer, self.rows, key_NKD, value_NKD)

    def attend(self, q_NHD: Tensor, layer: int, *, picked: bool) -> Tensor:
        """See `Queries`."""
        del picked
        return merge(
            attend_prefixes(q_NHD, self.shared.keys[layer], self.shared.values[layer], self.plan),
            attend_pages(q_NHD, self.own.keys[layer], self.own.values[layer], self.slots_B, self.bias_B1S),
        )


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive tokens of one row."""

    slot: int
    start: int
    stop: int
    length: int
    """Own positions of the row, these tokens included."""


class SpanQueries:
    """Chunks of some rows, side by side; the logits after each chunk are wanted."""

    def __init__(self, own: PagedCache, shared: SlotCache, spans: Sequence[Span], plans: tuple[Plan, Plan], share: int):
        """`plans`: for all tokens, and for the last of each span. `share`: query heads to a key head."""
        self.own, self.shared, self.spans, self.plans = own, shared, spans, plans
        like = own.keys[0]
        slots = [span.slot for span in spans for _ in range(span.start, span.stop)]
        positions = [place for span in spans for place in range(span.length - span.stop + span.start, span.length)]
        self.rows = own.rows(slots, positions)
        self.picked: Tensor | None = torch.tensor([span.stop - 1 for span in spans], device=like.device)
        self.hidden = [causal_bias(span.stop - span.start, span.length, share, like) for span in spans]

    def store(self, layer: int, key_NKD: Tensor, value_NKD: Tensor) -> None:
        """See `Queries`."""
        self.own.write(layer, self.rows, key_NKD, value_NKD)

    def attend(self, q_NHD: Tensor, layer: int, *, picked: bool) -> Tensor:
        """See `Queries`."""
        parts = []
        for i, (span, bias) in enumerate(zip(self.spans, self.hidden, strict=True)):
            key_KSD, value_KSD = self.own.row(span.slot, layer, span.length)
            q_MHD = q_NHD[i : i + 1] if picked else q_NHD[span.start : span.stop]
            parts.append(attend_span(q_MHD, key_KSD, value_KSD, None if picked else bias))
        past = torch.cat([out for out, _ in parts]), torch.cat([lse for _, lse in parts])
        plan = self.plans[picked]
        return merge(attend_prefixes(q_NHD, self.shared.keys[layer], self.shared.values[layer], plan), past)
