"""What a transform is: a named, task-preserving change of a harness, and what it may draw from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Literal, NamedTuple, TypeVar

from hat.domains.livestream.split import Split
from hat.domains.task import Task
from hat.harness import Harness
from hat.hsa.wordings import Wordings

Family = Literal["skill_ids", "skill_content", "tools", "prompt", "hooks"]
FAMILIES: tuple[Family, ...] = ("skill_ids", "skill_content", "tools", "prompt", "hooks")
"""The paper's five."""

COMMAS = 4
"""Characters between opening, answer and closing: two times a comma and a space."""

Item = TypeVar("Item")


class Keep(NamedTuple):
    """What the tasks at hand need, by canonical names; the rest may be masked."""

    tools: frozenset[str]
    skills: frozenset[str]
    chars: int | None = None
    """Characters that the longest of the shortest right answers needs beside its phrases; None: not known."""


def needs(tasks: Iterable[Task]) -> Keep:
    """What a right play of any of `tasks` uses."""
    tools: set[str] = set()
    skills: set[str] = set()
    chars = 0
    for task in tasks:
        chars = max(chars, len(task.expected.short) + COMMAS)
        tools.update(call.tool for call in task.expected.calls)
        skills.add(task.expected.skill)
        if task.expected.strategy:
            skills.add(task.expected.strategy)
    return Keep(frozenset(tools), frozenset(skills), chars)


@dataclass(frozen=True)
class Context:
    """What an operator may draw from."""

    wordings: Wordings
    split: Split
    strength: float
    """0 to 1: scales the size of numeric changes and the number of things added or taken away."""
    keep: Keep | None = None
    """None: everything is kept."""
    taken: set[str] = field(default_factory=set)
    """Names that a made-up one must not equal; operators add theirs."""
    silent: bool = False
    """Whether no prose of the original mentions a name, so that renaming has none to look for."""
    reserve: int = 0
    """Characters that a reply needs beside its opening and closing; length limits and phrases leave room for it."""


class Change(NamedTuple):
    """A changed harness, and what was changed in a few words or names."""

    harness: Harness
    detail: dict[str, object]


Apply = Callable[[Harness, Random, Context], Change | None]


@dataclass(frozen=True)
class Operator:
    """One transform. `apply` returns None where it finds nothing to change."""

    name: str
    family: Family
    summary: str
    """What it does and what it leaves alone."""
    apply: Apply = field(repr=False)
    after: str = ""
    """The operator that makes what this one changes, where a harness may have none of it by itself."""


def shuffled(items: Iterable[Item], rng: Random) -> tuple[Item, ...]:
    """The items in a random order; three times as fast as `Random.shuffle`."""
    return tuple(sorted(items, key=lambda _: rng.random()))


def pick(items: "tuple[Item, ...]", rng: Random) -> Item:
    """One item, quickly."""
    return items[int(rng.random() * len(items))]
