"""Made-up names such as `zapo_kiru`, dealt to splits by a stable hash: the test draws names that no training saw."""

from random import Random
from zlib import crc32

from hat.domains.livestream.split import Split
from hat.domains.syllables import SYLLABLES
from hat.harness import LOAD_SKILL, Harness

_STEMS = tuple(first + second for first in SYLLABLES for second in SYLLABLES)
_TRAIN: tuple[Split, ...] = ("train",)
_SPLITS: tuple[Split, ...] = ("test", "test", "dev", *_TRAIN * 7)
_SHORT = 0.2
"""Share of names of three syllables without an underscore."""


def split_of(name: str) -> Split:
    """The split a name is dealt to by its CRC-32: one in five is test, one in ten dev."""
    return _SPLITS[crc32(name.encode()) % 10]


def made_up(rng: Random, split: Split, taken: set[str]) -> str:
    """A name of the split that is not in `taken`; it is added there."""
    while True:
        stem = _STEMS[int(rng.random() * len(_STEMS))]
        short = rng.random() < _SHORT
        tail = SYLLABLES[int(rng.random() * len(SYLLABLES))] if short else _STEMS[int(rng.random() * len(_STEMS))]
        name = stem + tail if short else f"{stem}_{tail}"
        if _SPLITS[crc32(name.encode()) % 10] == split and name not in taken:
            taken.add(name)
            return name


def names_of(harness: Harness) -> set[str]:
    """Every name that a model sees in a harness: tools, parameters, skills."""
    names = {LOAD_SKILL} | {tool.name for tool in harness.tools} | {skill.alias for skill in harness.skills}
    for tool in harness.tools:
        names.update(tool.input_schema.get("properties", ()))
    return names
