"""What a report shows, as plain data: numbers with their n and interval, curves, examples."""

from typing import Any

from pydantic import Field

from hat.harness import Frozen

POLICIES = ("base", "fixed", "result")
"""Columns of the table, in order."""
NAMES = {"base": "Base model", "fixed": "Fixed-harness SFT", "result": "Harness-aware (result)"}
SUITES = {
    "T1": "Live-stream QA, the original harness",
    "T2": "The same questions, harness variants with unseen names and wordings",
    "edits": "Held-out edits of the harness, made by hand",
    "T4": "General instructions, no harness",
}


class Number(Frozen):
    """One measured figure."""

    policy: str
    suite: str
    metric: str = "score"
    n: int
    mean: float
    """0 to 1."""
    low: float
    """Lower end of the 95 % interval."""
    high: float


class Family(Frozen):
    """A figure on variants of one operator family."""

    policy: str
    family: str
    n: int
    mean: float
    low: float
    high: float


class Chart(Frozen):
    """Some metrics of training over steps, in one figure."""

    title: str
    curves: dict[str, list[tuple[int, float]]] = Field(default_factory=dict)


class Call(Frozen):
    """One tool call of an example."""

    name: str
    arguments: Any = None
    error: str | None = None


class Side(Frozen):
    """One episode of an example."""

    prompt: str
    """The system prompt."""
    calls: tuple[Call, ...] = ()
    hooks: tuple[str, ...] = ()
    """What hooks did, in words."""
    skills: tuple[str, ...] = ()
    reply: str | None = None
    accuracy: float = 0.0
    effectiveness: float = 0.0
    problems: tuple[str, ...] = ()


class Example(Frozen):
    """One task under the original harness and under a variant."""

    kind: str
    message: str
    """The viewer's words."""
    context: dict[str, Any] = Field(default_factory=dict)
    trail: tuple[str, ...] = ()
    """Operators that made the variant."""
    original: Side
    variant: Side


class ReportData(Frozen):
    """All that a report shows."""

    title: str
    verdict: str
    """promote or hold."""
    reason: str
    numbers: tuple[Number, ...]
    families: tuple[Family, ...] = ()
    charts: tuple[Chart, ...] = ()
    examples: tuple[Example, ...] = ()
    facts: dict[str, str] = Field(default_factory=dict)
    """Digests, versions, sizes: label to value."""
    following: tuple[str, ...] = ()
    """What a reader may do next; `code` between backticks."""

    def number(self, policy: str, suite: str, metric: str = "score") -> Number | None:
        """The figure of a policy on a suite, or None."""
        wanted = (policy, suite, metric)
        return next((x for x in self.numbers if (x.policy, x.suite, x.metric) == wanted), None)

    @property
    def policies(self) -> tuple[str, ...]:
        """Policies that have figures: the known ones in order, then others."""
        there = dict.fromkeys(number.policy for number in self.numbers)
        return (*(p for p in POLICIES if p in there), *(p for p in there if p not in POLICIES))

    @property
    def suites(self) -> tuple[str, ...]:
        """Suites that have figures: the known ones in order, then others."""
        there = dict.fromkeys(number.suite for number in self.numbers)
        return (*(s for s in SUITES if s in there), *(s for s in there if s not in SUITES))


def percent(value: float) -> str:
    """A share as a percentage with one decimal: 0.9481 is 94.8."""
    return f"{100 * value:.1f}"
