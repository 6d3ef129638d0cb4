"""What one evaluated episode is worth: scores, and the labels that tables are cut by."""

from hat.domains.verdict import Verdict
from hat.evaluation.config import Suite
from hat.harness import Frozen

METRICS = ("score", "accuracy", "effectiveness", "tool_rationality", "skill_selection")
"""Metrics of harness suites; T4 has score and instructions."""


class Outcome(Frozen):
    """One episode of one suite; without its trace, which lies beside it in traces.jsonl, in the same order."""

    suite: Suite
    group: str
    """The variant or edit; for T1 and T4 the task itself."""
    task: str
    kind: str
    """Of the task; of T4's prompts the operation."""
    harness: str
    """Digest; empty for T4."""
    operators: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    scores: dict[str, float]
    """Metric to value, 0 to 1."""
    stop: str
    problems: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What pairs outcomes of two policies."""
        return self.suite, self.group, self.task


def verdict_scores(verdict: Verdict) -> dict[str, float]:
    """The metrics of a verdict."""
    return {metric: float(getattr(verdict, metric)) for metric in METRICS}
