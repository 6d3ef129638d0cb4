"""Any causal language model of transformers, through its own forward and cache: correct, batched, slower.

Rows advance in turns: all are fed together (shorter chunks padded on the left and masked), sample together, and wait
for each other at the end of an answer. For models with position ids and a key-value cache; those with recurrent state
would see the padding and are refused.
"""

from collections.abc import Sequence
from inspect import signature
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache


class GenericBackend:
    """A `Backend` over any decoder-only transformers model. Raises `ValueError` for models with recurrent state."""

    shares_prefixes = False
    in_waves = True

    def __init__(self, model: Any) -> None:
        kinds = set(getattr(model.config, "layer_types", None) or ["full_attention"])
        if kinds - {"full_attention", "sliding_attention"} or getattr(model, "_is_stateful", False):
            raise ValueError(
                f"{type(model).__name__} keeps recurrent state ({', '.join(sorted(kinds))}): not supported"
            )
        self.model = model
        accepted = signature(model.forward).parameters
        self._cache_argument = "past_key_values" if "past_key_values" in accepted else "cache"
        self.lengths: list[int] = []
        self._cache: Any = None
        self._seen_RS = torch.empty(0, 0, dtype=torch.long, device=model.device)

    def open_prefix(self, ids: Sequence[int]) -> None:
        """Prefixes are not shared here."""
        raise NotImplementedError(f"no shared prefixes; got {len(ids)} tokens")

    def close_prefix(self, slot: int) -> None:
        """Prefixes are not shared here."""
        raise NotImplementedError(f"no shared prefixes; got slot {slot}")

    def admit(self, slot: int, prefix: int) -> None:
        """See `Backend`."""
        del prefix
        if slot == 0:
            self._cache, self.lengths = DynamicCache(), []
        self.lengths.append(0)
        self._seen_RS = self._seen_RS.new_zeros(len(self.lengths), 0)

    def retire(self, slot: int) -> None:
        """See `Backend`."""
        kept = list(range(len(self.lengths) - 1))
        if slot < len(kept):
            kept[slot] = len(kept)
        self.lengths = [self.lengths[i] for i in kept]
        index = torch.tensor(kept, dtype=torch.long, device=self._seen_RS.device)
        self._seen_RS = self._seen_RS[index]
        if kept:
            self._cache.batch_select_indices(index)

    def extend(self, slots: Sequence[int], chunks: Sequence[Sequence[int]]) -> Tensor:
        """See `Backend`."""
        by_slot = dict(zip(slots, chunks, strict=True))
        logits_RV = self._feed([by_slot.get(slot, ()) for slot in range(len(self.lengths))])
        return logits_RV[list(slots)]

    def step(self, tokens: Sequence[int | None]) -> Tensor:
        """See `Backend`."""
        return self._feed([() if token is None else (token,) for token in tokens])

    def _feed(self, chunks: Sequence[Sequence[int]]) -> Tensor:
        """Logits after each row's chunk, (R, V); of rows without one, meaningless."""
        width, device = max(map(len, chunks)), self._seen_RS.device
        ids_RT = torch.zeros(len(chunks), width, dtype=torch.long, device=device)
        real_RT = torch.zeros_like(ids_RT)
        for row, chunk in enumerate(chunks):
            if chunk:
                ids_RT[row, -len(chunk) :] = torch.tensor(chunk, device=device)
                real_RT[row, -len(chunk) :] = 1
        past_R1 = torch.tensor(self.lengths, device=device)[:, None]
        self._seen_RS = torch.cat([self._seen_RS, real_RT], 1)
        output = self.model(
            input_ids=ids_RT,
            attention_mask=self._seen_RS,
            position_ids=(past_R1 + real_RT.cumsum(1) - 1).clamp_(min=0),
            use_cache=True,
            logits_to_keep=1,
            **{self._cache_argument: self._cache},
        )
        self.lengths = [n + len(chunk) for n, chunk in zip(self.lengths, chunks, strict=True)]
        logits: Tensor = output.logits[:, -1].float()
        return logits
