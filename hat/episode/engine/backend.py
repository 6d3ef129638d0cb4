"""What the scheduler needs from a model: rows in slots, fed ragged chunks or one token each, answered by logits."""

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor


class Backend(Protocol):
    """A model with its cache. Rows and prefixes stand in slots 0..n-1; one that leaves is replaced by the last."""

    shares_prefixes: bool
    """Whether rows can continue a shared prefix; if not, a row's first chunk is its whole prompt."""
    in_waves: bool
    """Whether all rows must be admitted and fed together."""

    def open_prefix(self, ids: Sequence[int]) -> None:
        """Compute a prefix (one token or more) and keep it in the next prefix slot."""
        ...

    def close_prefix(self, slot: int) -> None:
        """Forget a prefix; the last one takes its slot, for its rows too."""
        ...

    def admit(self, slot: int, prefix: int) -> None:
        """Start an empty row in a slot: the next free one, or one whose row has ended."""
        ...

    def retire(self, slot: int) -> None:
        """Forget a row; the last one takes its slot."""
        ...

    def extend(self, slots: Sequence[int], chunks: Sequence[Sequence[int]]) -> Tensor:
        """Append a chunk to each of these rows. Returns the logits after it, (rows, vocabulary), float32."""
        ...

    def step(self, tokens: Sequence[int | None]) -> Tensor:
        """Append one token to every row but those with None. Returns logits, (rows, vocabulary), float32."""
        ...
