"""A task, what is expected of it, and what a domain must offer. Everything here speaks canonical names."""

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from pydantic import Field

from hat.domains.verdict import Verdict
from hat.episode import Environment, Situation, Trace
from hat.harness import Frozen, Harness


class ExpectedCall(Frozen):
    """A canonical tool call that the task needs."""

    tool: str
    arguments: dict[str, Any]
    needs: tuple[str, ...] = ()
    """Keys of the output that the answer uses; they tell a split tool apart."""
    attempts: int = 1
    """How often it must be made: 2 where the first attempt meets a passing fault."""
    loose: tuple[str, ...] = ()
    """Arguments whose text may be shorter or longer than given here, such as a search keyword."""


class Expected(Frozen):
    """What a right play of a task does."""

    skill: str
    """Canonical reply skill."""
    strategy: str | None = None
    """Canonical strategy skill to load before the calls, or None."""
    calls: tuple[ExpectedCall, ...] = ()
    answer: str
    """The fact as a sentence, as the oracle says it."""
    short: str
    """The same in the fewest words, for tight length limits."""
    values: tuple[str, ...] = ()
    """Strings that the reply must contain: numbers, materials, names."""
    any_of: tuple[str, ...] = ()
    """Strings of which the reply must contain one at least, such as the ways to ask back; no condition if empty."""
    forbidden: tuple[str, ...] = ()
    """Strings that the reply must not contain, such as another product's material."""
    allowed: tuple[str, ...] = ()
    """Numbers that may be said though nothing asks for them, such as a price difference."""
    pairs: tuple[tuple[str, str], ...] = ()
    """(label, value): wherever the reply says the value, it must say it of this label, not of another pair's."""


class Task(Frozen):
    """One viewer turn with its expected outcome."""

    kind: str
    situation: Situation
    faults: dict[str, str] = Field(default_factory=dict)
    """Injected faults: canonical tool to kind (`hat.episode.Fault`); a passing one hits the first call only."""
    world: dict[str, Any] = Field(default_factory=dict)
    """What the domain's tools answer from in this task; only the domain reads it."""
    expected: Expected

    @property
    def id(self) -> str:
        """The situation's id."""
        return self.situation.id


class Domain(Protocol):
    """A world with tools and seeded tasks."""

    name: str

    def harness(self) -> Harness:
        """The original harness of the domain."""
        ...

    def sample(self, rng: Random, kind: str | None = None) -> Task:
        """One task of the domain's traffic mix, or of one kind. Raises KeyError for a kind that it does not have."""
        ...

    def environment(self, task: Task) -> Environment:
        """The tools for one episode of the task, its faults included; a fresh one each time."""
        ...

    def verify(self, task: Task, trace: Trace, harness: Harness) -> Verdict:
        """What a trace of the task is worth under the harness it was played with."""
        ...

    def output_schemas(self) -> Mapping[str, dict[str, Any]]:
        """JSON Schema of each canonical tool's output."""
        ...
