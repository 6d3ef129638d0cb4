"""The words of one language and one split: what its viewers may say. No split's questions occur in another.

Questions, things that are not on sale, and prizes are cut by hash within their list, so every kind has some in every
split; ways to name a link (`3号链接`, `这款`) are grammar and belong to all.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from types import ModuleType
from typing import Any

from hat.domains.livestream import wordings_en, wordings_zh
from hat.domains.livestream.product import Product
from hat.domains.livestream.snapshot import products_of
from hat.domains.livestream.split import SPLITS, Split, share
from hat.domains.numerals import to_chinese


class Wordings:
    """Questions, answers and small words of one locale, of one split or of several together."""

    def __init__(self, locale: str, *splits: Split) -> None:
        words = _module(locale)

        def of_splits(text: str, kind: str) -> tuple[str, ...]:
            return tuple(said for split in splits for said in share(_cut(text), split, kind))

        self.chinese = words is wordings_zh
        self.questions = {kind: of_splits(text, kind) for kind, text in words.QUESTIONS.items()}
        self.unknown = of_splits(words.UNKNOWN, "unknown")
        self.prizes = of_splits(words.PRIZES, "prizes")
        self.answers: dict[str, tuple[str, str]] = words.ANSWERS
        self.any_of = {kind: tuple(text.split("|")) for kind, text in words.ANY_OF.items()}
        self.forbidden = {kind: tuple(text.split("|")) for kind, text in words.FORBIDDEN.items()}
        self.pairs: dict[str, Any] = words.PAIRS
        self.explicit, self.current = _cut(words.EXPLICIT), _cut(words.CURRENT)
        self.one_size: str = words.ONE_SIZE

    def question(self, rng: Random, kind: str, **slots: object) -> str:
        """One of the kind's questions with its slots filled."""
        return rng.choice(self.questions[kind]).format(**slots)

    def answer(self, kind: str, slots: dict[str, Any]) -> tuple[str, str]:
        """The right sentence and its shortest form."""
        long, short = self.answers[kind]
        return long.format(**slots), short.format(**slots)

    def link(self, rng: Random, number: int) -> str:
        """A way to name a link: by digits, in Chinese by a numeral now and then (up to ten)."""
        ways = self.explicit
        if self.chinese:
            ways = ways[2:] if number <= 10 and rng.random() < 0.3 else ways[:2]
        return rng.choice(ways).format(n=number, c=to_chinese(number) if number <= 10 else "")

    def texts(self) -> set[str]:
        """Everything that belongs to these splits alone."""
        return {text for group in self.questions.values() for text in group} | set(self.unknown) | set(self.prizes)


@cache
def wordings(locale: str, *splits: Split) -> Wordings:
    """The wordings of a locale (`zh...` or English) and of the splits."""
    return Wordings(locale, *splits)


def split_overlap(locale: str = "zh-CN", products: Sequence[Product] = ()) -> set[str]:
    """Questions, things not on sale, prizes and product titles that stand in more than one split: none, by test."""
    texts = [wordings(locale, split).texts() for split in SPLITS]
    if products:
        titles = [{product.title for product in products_of(products, split)} for split in SPLITS]
        texts = [one | other for one, other in zip(texts, titles, strict=True)]
    return set().union(*(left & right for left, right in combinations(texts, 2)))


def _module(locale: str) -> ModuleType:
    return wordings_zh if locale.lower().startswith("zh") else wordings_en


def _cut(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split("|"))
