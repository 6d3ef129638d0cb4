"""Keys and values of the prefixes that rows share.

Prefixes stand in slots 0..n-1 without holes: what leaves is replaced by the last. Axes: G prefix slot, K key heads,
S positions, D head width.
"""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class CacheShape:
    """What a cache is made for."""

    layers: int
    key_heads: int
    head_width: int
    dtype: torch.dtype
    device: torch.device


class SlotCache:
    """Keys and values by slot, growing as needed; `keys[layer]` and `values[layer]` are (G, K, S, D)."""

    def __init__(self, shape: CacheShape) -> None:
        self._shape = shape
        self.slots, self.positions = 1, 64
        self.keys = [self._empty() for _ in range(shape.layers)]
        self.values = [self._empty() for _ in range(shape.layers)]

    def _empty(self) -> Tensor:
        shape = self._shape
        return torch.zeros(
            (self.slots, shape.key_heads, self.positions, shape.head_width), dtype=shape.dtype, device=shape.device
        )

    def reserve(self, slots: int, positions: int) -> None:
        """Make room for that many slots and positions; what is there is kept."""
        if slots <= self.slots and positions <= self.positions:
            return
        self.slots = self.slots if slots <= self.slots else max(slots, self.slots * 2)
        self.positions = self.positions if positions <= self.positions else max(positions, self.positions * 3 // 2)
        self.keys = [self._grown(old) for old in self.keys]
        self.values = [self._grown(old) for old in self.values]

    def _grown(self, old: Tensor) -> Tensor:
        new = self._empty()
        new[: old.shape[0], :, : old.shape[2]] = old
        return new

    def move(self, source: int, target: int, length: int) -> None:
        """Copy the first `length` positions of one slot to another."""
        for tensor in (*self.keys, *self.values):
            tensor[target, :, :length] = tensor[source, :, :length]
