"""Keys and values of rows in pages of 64 positions, so that a short row beside a long one costs what it needs.

Live pages stand in places 0..n-1 of one pool without holes: attention to all of them is a slice of the pool, never a
gather.
Axes: B page, R row slot, K key heads, S positions of a page, D head width.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from hat.episode.engine.cache import CacheShape

PAGE = 64
"""Positions of a page: smaller ones waste less room, larger ones need fewer products. Measured at width 32."""


class PagedCache:
    """Pages of rows in slots 0..n-1; `keys[layer]` and `values[layer]` are (pages, K, PAGE, D)."""

    def __init__(self, shape: CacheShape) -> None:
        self._shape = shape
        self.pages_of: list[list[int]] = []
        """Pages of each row slot, in order."""
        self.owner: list[tuple[int, int]] = []
        """Row slot of each live page, and its place in the row."""
        self.keys = [self._empty(16) for _ in range(shape.layers)]
        self.values = [self._empty(16) for _ in range(shape.layers)]

    def _empty(self, pages: int) -> Tensor:
        shape = self._shape
        return torch.zeros((pages, shape.key_heads, PAGE, shape.head_width), dtype=shape.dtype, device=shape.device)

    def reserve(self, slot: int, length: int) -> None:
        """Give a row pages for `length` positions."""
        pages = self.pages_of[slot]
        while len(pages) * PAGE < length:
            self.owner.append((slot, len(pages)))
            pages.append(len(self.owner) - 1)
        if len(self.owner) > len(self.keys[0]):
            self.keys = [self._grown(old) for old in self.keys]
            self.values = [self._grown(old) for old in self.values]

    def _grown(self, old: Tensor) -> Tensor:
        new = self._empty(max(2 * len(old), len(self.owner)))
        new[: len(old)] = old
        return new

    def clear(self, slot: int) -> None:
        """Take a row's pages away; the last pages move into their places."""
        freed = set(self.pages_of[slot])
        self.pages_of[slot] = []
        left = len(self.owner) - len(freed)
        sources = [page for page in range(left, len(self.owner)) if page not in freed]
        targets = sorted(page for page in freed if page < left)
        for source, target in zip(sources, targets, strict=True):
            row, place = self.owner[target] = self.owner[source]
            self.pages_of[row][place] = target
        del self.owner[left:]
        if targets:
            for tensor in (*self.keys, *self.values):
                tensor[targets] = tensor[sources]

    def retire(self, slot: int) -> None:
        """Forget a row; the last one takes its slot."""
        self.clear(slot)
        last = len(self.pages_of) - 1
        if slot != last:
            self.pages_of[slot] = self.pages_of[last]
            for place, page in enumerate(self.pages_of[slot]):
                self.owner[page] = (slot, place)
        self.pages_of.pop()

    def rows(self, slots: Sequence[int], positions: Sequence[int]) -> Tensor:
        """Where tokens' keys lie when the pool is seen as rows of D: (tokens * K,) for `write`."""
        heads, device = self._shape.key_heads, self._shape.device
        firsts = [
            self.pages_of[slot][position // PAGE] * heads * PAGE + position % PAGE
            for slot, position in zip(slots, positions, strict=True)
        ]
        return (torch.tensor(firsts, device=device)[:, None] + torch.arange(heads, device=device) * PAGE).flatten()

    def write(self, layer: int, rows: Tensor, key_NKD: Tensor, value_NKD: Tensor) -> None:
        """Store one layer's keys and values of tokens at `rows`."""
        width = self._shape.head_width
        self.keys[layer].view(-1, width).index_copy_(0, rows, key_NKD.reshape(-1, width))
        self.values[layer].view(-1, width).index_copy_(0, rows, value_NKD.reshape(-1, width))

    def row(self, slot: int, layer: int, length: int) -> tuple[Tensor, Tensor]:
        """One row's keys and values, (K, length, D)."""
        pages = self.pages_of[slot][: -(-length // PAGE)]
        return _joined(self.keys[layer], pages, length), _joined(self.values[layer], pages, length)

    def layout(self, lengths: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Row slot of each live page (B,), and the bias that hides positions past the rows' lengths, (B * K, 1, S)."""
        device, dtype = self._shape.device, self._shape.dtype
        slots_B = torch.tensor([slot for slot, _ in self.owner], device=device)
        filled_B = torch.tensor([lengths[slot] - place * PAGE for slot, place in self.owner], device=device)
        past_BS = torch.arange(PAGE, device=device) >= filled_B[:, None]
        bias_BS = torch.zeros_like(past_BS, dtype=dtype).masked_fill_(past_BS, torch.finfo(dtype).min)
        return slots_B, bias_BS.repeat_interleave(self._shape.key_heads, 0)[:, None]


def _joined(pool: Tensor, pages: list[int], length: int) -> Tensor:
    if len(pages) == 1:
        return pool[pages[0], :, :length]
    return pool[pages].transpose(0, 1).flatten(1, 2)[:, :length]
