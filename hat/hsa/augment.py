"""`augment`: a task-preserving variant of a harness, drawn with a seed; the same seed gives the same variant.

Each operator is applied with probability `strength`, in a random order; the trail says which and what each did.
Nothing is validated or digested on the way, so that training can draw thousands of variants a second.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from hat.domains.livestream.split import Split
from hat.harness import Frozen, Harness, digest
from hat.hsa import hooks, moved, prompt, skill_content, skill_ids, structure, tools
from hat.hsa.copies import replace
from hat.hsa.mentions import mentioned
from hat.hsa.names import names_of
from hat.hsa.operator import FAMILIES, Context, Family, Keep, Operator, shuffled
from hat.hsa.wordings import Wordings, wordings

ALL: tuple[Operator, ...] = (
    *skill_ids.OPERATORS,
    *skill_content.OPERATORS,
    *tools.OPERATORS,
    *prompt.OPERATORS,
    *hooks.OPERATORS,
)
"""Every operator of the paper's, by family."""

STRUCTURAL: tuple[Operator, ...] = (*structure.OPERATORS, *moved.OPERATORS)
"""Operators beyond them, which change how a harness is built."""

BY_NAME: dict[str, Operator] = {operator.name: operator for operator in (*ALL, *STRUCTURAL)}

RESERVE = {"zh": 16, "en": 32}
"""Characters kept free for what a reply says beside its opening and closing where no tasks are named, by language."""


GROUPS: dict[str, tuple[Operator, ...]] = {
    "paper": ALL,
    "structural": STRUCTURAL,
    **{family: tuple(operator for operator in ALL if operator.family == family) for family in FAMILIES},
    **{name: (operator,) for name, operator in BY_NAME.items()},
}
"""What a configuration may name: `paper`, `structural`, a family of the paper's, or one operator."""


def drawn_from(names: Iterable[str] = ("paper",), without: Iterable[str] = ()) -> tuple[Operator, ...]:
    """The operators that `names` name and `without` does not, each once, in a fixed order.

    Raises:
        ValueError: a name that there is not.
    """
    names, without = tuple(names), tuple(without)
    if wrong := [name for name in (*names, *without) if name not in GROUPS]:
        raise ValueError(f"no operators {', '.join(map(repr, wrong))}: there are {', '.join(GROUPS)}")
    wanted = {operator.name for name in names for operator in GROUPS[name]}
    wanted -= {operator.name for name in without for operator in GROUPS[name]}
    return tuple(operator for name, operator in BY_NAME.items() if name in wanted)


@dataclass(frozen=True)
class Applied:
    """One operator that was applied."""

    operator: str
    family: Family
    detail: dict[str, object]


class Variant(Frozen):
    """A harness after task-preserving transforms."""

    harness: Harness
    origin: str
    """Digest of the harness it was made from."""
    seed: int
    strength: float
    split: Split = "train"
    """Whose names and wordings were drawn."""
    trail: tuple[Applied, ...] = ()

    @property
    def families(self) -> tuple[Family, ...]:
        """Families of the applied operators, each once, in order."""
        return tuple(dict.fromkeys(applied.family for applied in self.trail))


_BLANK = Variant(
    harness=Harness(name="blank", order=(), skills=(), sections=(), tools=()), origin="", seed=0, strength=0
)


def augment(
    harness: Harness,
    rng: Random,
    strength: float = 0.7,
    operators: tuple[Operator, ...] = ALL,
    *,
    split: Split = "train",
    keep: Keep | None = None,
    lexicon: Wordings | None = None,
) -> Variant:
    """Draw a variant of `harness`.

    Args:
        harness: what to vary; left as it is.
        operators: those that may be applied.
        rng: gives the variant's seed, one draw.
        strength: 0 to 1: probability of each operator, and the size of numeric changes.
        split: which names and wordings may be drawn.
        keep: what the tasks at hand need (`needs(tasks)`); the rest may be masked. None keeps all.
        lexicon: wordings instead of the harness's language's.

    Raises:
        ValueError: strength outside 0 to 1.
    """
    return replay(harness, rng.getrandbits(48), strength, operators, split=split, keep=keep, lexicon=lexicon)


def replay(
    harness: Harness,
    seed: int,
    strength: float = 0.7,
    operators: tuple[Operator, ...] = ALL,
    *,
    split: Split = "train",
    keep: Keep | None = None,
    lexicon: Wordings | None = None,
) -> Variant:
    """The variant of a seed. Raises ValueError if strength is outside 0 to 1."""
    if not 0 <= strength <= 1:
        raise ValueError(f"strength is {strength}; give a number from 0 to 1")
    rng = Random(seed)
    words = lexicon or wordings(harness.locale, split)
    origin = _origin(harness)
    silent = origin.silent and lexicon is None
    context = Context(words, split, strength, keep, set(origin.names), silent, _reserve(harness, keep))
    drawn = [operator for operator in operators if rng.random() < strength]
    current, trail = harness, []
    for operator in shuffled(drawn, rng):
        change = operator.apply(current, rng, context)
        if change is not None:
            current = change.harness
            trail.append(Applied(operator.name, operator.family, change.detail))
    return replace(
        _BLANK, harness=current, origin=origin.digest, seed=seed, strength=strength, split=split, trail=tuple(trail)
    )


def _reserve(harness: Harness, keep: Keep | None) -> int:
    if keep is not None and keep.chars is not None:
        return keep.chars
    return RESERVE["zh" if harness.locale.lower().startswith("zh") else "en"]


class _Origin(NamedTuple):
    """What is known of a harness that variants are drawn from; holds it, so that its id is not reused."""

    harness: Harness
    digest: str
    names: frozenset[str]
    silent: bool
    """Whether no prose mentions any of the names."""


_origins: dict[int, _Origin] = {}
"""The last few by identity: a harness is a deep value, too slow to hash at every draw."""


def _origin(harness: Harness) -> _Origin:
    known = _origins.get(id(harness))
    if known is None:
        while len(_origins) >= 16:
            del _origins[next(iter(_origins))]
        names = frozenset(names_of(harness))
        silent = names.isdisjoint(mentioned(harness))
        known = _origins[id(harness)] = _Origin(harness, digest(harness), names, silent)
    return known
