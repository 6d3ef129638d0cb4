"""What `docs/results.json` holds, as plain data; shares from 0 to 1, intervals of 95 %."""

from typing import Any

from pydantic import Field

from hat.harness import Frozen

POLICIES = {
    "base": "Base model",
    "fixed-sft": "SFT, original harness only",
    "fixed-opd": "SFT, original harness only, + OPD",
    "plain-rl": "RL, original harness only",
    "hsa-sft": "HSA-SFT",
    "hsa-opd": "HSA-SFT + OPD",
    "hat": "HAT: HSA-SFT + OPD + HSA-RL",
}
"""Policies in the order of the tables, and what they are called there."""
SUITES = {
    "T1": "original harness",
    "T2": "variants, unseen names and wordings",
    "T3-tools": "tools changed, every second task meets a failing one",
    "T3-prompts": "skills and prompt changed",
    "edits": "held-out edits by hand",
    "T4": "general instructions, no harness",
}
"""Suites in the order of the tables, and what they are."""


class Cell(Frozen):
    """One policy on one suite."""

    policy: str
    suite: str
    metric: str
    n: int
    """Episodes, all seeds together."""
    seeds: int
    mean: float
    low: float
    high: float


class Part(Cell):
    """A part of a cell."""

    by: str
    """operator, edit or kind."""
    value: str
    """Which."""


class Difference(Frozen):
    """One policy minus another on a suite, paired episode by episode."""

    policy: str
    against: str
    suite: str
    n: int
    seeds: int
    mean: float
    low: float
    high: float


class Removed(Frozen):
    """What of another policy's errors on a suite a policy does not make."""

    policy: str
    against: str
    suite: str
    share: float
    """1 - error rate / the other's error rate: the relative reduction; below 0 if there are more."""
    low: float
    high: float
    mended: float
    """Of the episodes that the other got wrong, the share that the policy got right; breaks are not counted."""
    n: int
    """Episodes."""


class Point(Frozen):
    """One model on the way of an SFT."""

    lane: str
    seed: int
    step: int
    suite: str
    n: int
    mean: float
    low: float
    high: float


class Cost(Frozen):
    """What one stage of one seed took."""

    stage: str
    seed: int
    steps: int
    tokens: int
    """That went through the trained model: inputs and samples."""
    seconds: float
    peak_memory_mib: float


class Results(Frozen):
    """All that was measured in one reproduction."""

    cells: tuple[Cell, ...]
    differences: tuple[Difference, ...]
    gaps: tuple[Difference, ...]
    """T1 minus T2 of each policy, on the tasks of both; `against` is the policy itself, `suite` T1-T2."""
    removed: tuple[Removed, ...]
    parts: tuple[Part, ...]
    points: tuple[Point, ...]
    costs: tuple[Cost, ...]
    settings: dict[str, Any] = Field(default_factory=dict)
    facts: dict[str, str] = Field(default_factory=dict)
    """Digests, versions, the machine."""

    def cell(self, policy: str, suite: str, metric: str = "score") -> Cell | None:
        """The figure of a policy on a suite, or None."""
        wanted = (policy, suite, metric)
        return next((x for x in self.cells if (x.policy, x.suite, x.metric) == wanted), None)

    @property
    def policies(self) -> tuple[str, ...]:
        """Policies that have figures, in order."""
        return _in_order(POLICIES, [cell.policy for cell in self.cells])

    @property
    def suites(self) -> tuple[str, ...]:
        """Suites that have figures, in order."""
        return _in_order(SUITES, [cell.suite for cell in self.cells])


def _in_order(known: dict[str, str], there: list[str]) -> tuple[str, ...]:
    return (*(name for name in known if name in there), *dict.fromkeys(name for name in there if name not in known))
