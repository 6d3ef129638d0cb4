"""Clean data: what the splits share, counted. Nothing, or the figures of a test say little.

Looked at are the texts themselves, not how they were dealt: products, viewers' questions, all wordings that a variant
may hold, made-up names and general prompts as they are drawn, and the texts that the held-out edits bring.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

from hat.domains.general import GeneralTasks
from hat.domains.livestream import Livestream
from hat.domains.livestream.snapshot import products_of
from hat.domains.livestream.split import SPLITS, Split
from hat.domains.livestream.wordings import wordings as spoken
from hat.evaluation.edits import load_edits
from hat.harness import Harness
from hat.hsa import Wordings, made_up, wordings
from hat.hsa.mentions import texts as prose_of

DRAWN = 4000
"""Names, and general prompts, drawn for each split."""
BULLET = "- "


class Shared(NamedTuple):
    """One kind of data: how much each split holds, and what more than one holds."""

    what: str
    counts: Mapping[str, int]
    """By split; `edits` is what the held-out edits bring."""
    shared: tuple[str, ...]


def splits(domain: Livestream, edits: Path | None = None) -> list[Shared]:
    """Every kind of data that is dealt to splits.

    Raises:
        ValueError: the catalogue is too small to be dealt.
        EditError, HarnessError: an edit is broken.
    """
    locale = domain.locale
    words = {split: wordings(locale, split) for split in SPLITS}
    said = {split: spoken(locale, split) for split in SPLITS}
    found = [
        _held("products", {s: {p.title for p in products_of(domain.products, s)} for s in SPLITS}),
        _held("viewers' questions", {s: _all(said[s].questions.values()) for s in SPLITS}),
        _held("things not on sale", {s: set(said[s].unknown) for s in SPLITS}),
        _held("prizes", {s: set(said[s].prizes) for s in SPLITS}),
        *(_held(kind, {s: texts(words[s]) for s in SPLITS}) for kind, texts in WRITTEN.items()),
        _held("made-up names, drawn", {s: _names(s) for s in SPLITS}),
        _held("general prompts, drawn", {s: _prompts(s) for s in SPLITS}),
    ]
    if edits is not None:
        known = set().union(*(texts(words["train"]) for texts in WRITTEN.values()))
        found.append(_held("texts of edits", {"train": known, "edits": _brought(edits, domain.harness())}))
    return found


def _held(what: str, texts: Mapping[str, set[str]]) -> Shared:
    shared = set().union(*(left & right for left, right in combinations(texts.values(), 2)))
    return Shared(what, {split: len(there) for split, there in texts.items()}, tuple(sorted(shared)))


def _all(groups: Iterable[Sequence[str]]) -> set[str]:
    return {text for group in groups for text in group}


WRITTEN: Mapping[str, Callable[[Wordings], set[str]]] = {
    "descriptions of tools": lambda words: _all(words.tools.values()),
    "descriptions of skills": lambda words: _all(words.skills.values()),
    "rules": lambda words: _all(words.rules.values()),
    "phrases": lambda words: _all(words.phrases.values()),
    "sentences": lambda words: _all(words.sentences.values()),
    "retry messages": lambda words: set(words.retry),
    "shapes of messages": lambda words: set(words.forms),
    "distractors": lambda words: _all(one.descriptions for one in (*words.distractor_tools, *words.distractor_skills)),
}
"""What a variant may hold, by kind."""


def _names(split: Split) -> set[str]:
    rng, taken = Random(f"clean {split}"), set[str]()
    for _ in range(DRAWN):
        made_up(rng, split, taken)
    return taken


def _prompts(split: Split) -> set[str]:
    rng, tasks = Random(f"clean {split}"), GeneralTasks(split)
    return {tasks.sample(rng).prompt for _ in range(DRAWN)}


def _brought(edits: Path, original: Harness) -> set[str]:
    """Lines that the edits bring: those in none of the original's texts."""
    before = _lines(original)
    return {line for edit in load_edits(edits, original) for line in _lines(edit.harness)} - before


def _lines(harness: Harness) -> set[str]:
    lines = (line.strip().removeprefix(BULLET) for text in prose_of(harness) for line in text.splitlines())
    return {line for line in lines if line}
