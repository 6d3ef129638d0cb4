"""Which split a text belongs to: by the rank of its hash within its list, so every split of every list has some.

Stable over processes and machines (sha256, never `hash()`); adding a text may move its neighbours in the list only.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = ("train", "dev", "test")


def ranked(texts: Iterable[str], salt: str = "") -> list[str]:
    """The texts in the order of their salted hashes."""
    return sorted(texts, key=lambda text: hashlib.sha256(f"{salt}\0{text}".encode()).digest())


def share(texts: Sequence[str], split: Split, salt: str = "") -> tuple[str, ...]:
    """The part of `texts` that belongs to a split: about a sixth each for dev and test, one at least, the rest train.

    Raises:
        ValueError: fewer than three texts, or doubled ones: they cannot be told apart by split.
    """
    if len(texts) < len(SPLITS) or len(set(texts)) < len(texts):
        raise ValueError(
            f"{salt}: {len(texts)} texts, {len(set(texts))} different; a split needs 3 different ones at least"
        )
    order = ranked(texts, salt)
    held = max(1, len(order) // 6)
    parts = {"test": order[:held], "dev": order[held : 2 * held], "train": order[2 * held :]}
    return tuple(parts[split])
