"""The words by which augmentation re-describes a livestream harness: descriptions of tools and skills, rules, phrases.

Every list is cut into a train and a test half by the hash of its entries, so held-out wordings were never seen in
training: the halves are disjoint, and together they are the whole.
"""

from functools import cache
from typing import Literal

from hat.domains.livestream import lexicon_en, lexicon_zh
from hat.domains.livestream.split import ranked
from hat.harness import Frozen

Half = Literal["train", "test"]
Wordings = dict[str, tuple[str, ...]]


class Lexicon(Frozen):
    """Synonyms by canonical name."""

    tools: Wordings
    """Canonical tool to descriptions."""
    skills: Wordings
    """Canonical skill to descriptions."""
    rules: Wordings
    """`opening`, `closing` to sentences that state the rule; `{phrase}` takes the phrase."""
    phrases: Wordings
    """`opening`, `closing` to phrases that a reply can begin or end with."""

    def half(self, half: Half) -> "Lexicon":
        """The train or the test half of every list; an odd one more goes to train."""
        groups = self.model_dump()
        return Lexicon(
            **{name: {key: _half(key, texts, half) for key, texts in group.items()} for name, group in groups.items()}
        )


def _half(key: str, texts: tuple[str, ...], half: Half) -> tuple[str, ...]:
    order = ranked(texts, salt=key)
    middle = (len(order) + 1) // 2
    return tuple(order[:middle] if half == "train" else order[middle:])


@cache
def lexicon(locale: str = "zh-CN") -> Lexicon:
    """The whole lexicon of a language: Chinese for `zh...`, English otherwise."""
    chinese = locale.lower().startswith("zh")
    words, separator = (lexicon_zh, None) if chinese else (lexicon_en, "|")
    groups = {"tools": words.TOOLS, "skills": words.SKILLS, "rules": words.RULES, "phrases": words.PHRASES}
    return Lexicon(
        **{name: {key: _entries(text, separator) for key, text in group.items()} for name, group in groups.items()}
    )


def _entries(text: str, separator: str | None) -> tuple[str, ...]:
    return tuple(" ".join(entry.split()) for entry in text.split(separator))
