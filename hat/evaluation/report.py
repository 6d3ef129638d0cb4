"""The result of an evaluation: every figure with n and a 95 % interval, by suite and by what tells more."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from hat.evaluation.config import EvalConfig
from hat.evaluation.outcome import Outcome
from hat.harness import Frozen
from hat.statistics import Estimate, difference_of, mean_of


class Row(Frozen):
    """One figure."""

    policy: str
    suite: str
    metric: str
    n: int
    """Episodes."""
    groups: int
    """Variants or edits that they fall into; n where each episode stands for itself."""
    mean: float
    """0 to 1."""
    low: float
    """Lower end of the 95 % interval."""
    high: float


class Slice(Row):
    """One figure of a part of a suite."""

    by: str
    """kind, operator, family or edit."""
    value: str
    """Which."""


class Report(Frozen):
    """An evaluation of one policy."""

    policy: str
    config: EvalConfig
    fingerprint: str
    """sha256 of all that was played; reports with the same one can be compared episode by episode."""
    played: str = ""
    """Names what was played and by whom; a finished evaluation is recognised by it."""
    rows: tuple[Row, ...]
    slices: tuple[Slice, ...]
    outcomes: tuple[Outcome, ...]
    failed: int
    """Episodes that the policy's own failure ended (an endpoint down); they count as wrong."""

    def row(self, suite: str, metric: str = "score") -> Row | None:
        """The figure of a suite; None if it was not evaluated."""
        return next((row for row in self.rows if (row.suite, row.metric) == (suite, metric)), None)


def build_report(
    policy: str, config: EvalConfig, fingerprint: str, outcomes: Sequence[Outcome], played: str = ""
) -> Report:
    """Count outcomes into a report."""
    rows, slices = [], []
    for suite, members in _split(outcomes, lambda outcome: (outcome.suite,)).items():
        for metric in members[0].scores:
            rows.append(_row(policy, suite, metric, members))
            slices += _slices(policy, suite, metric, members)
    return Report(
        policy=policy,
        config=config,
        fingerprint=fingerprint,
        played=played,
        rows=tuple(rows),
        slices=tuple(slices),
        outcomes=tuple(outcomes),
        failed=sum(outcome.stop == "policy_error" for outcome in outcomes),
    )


def compare(left: Report, right: Report, suite: str, metric: str = "score") -> Estimate:
    """Left minus right on a suite, episode by episode.

    Raises:
        ValueError: the reports have no episode of that suite in common.
    """
    others = {outcome.key: outcome for outcome in right.outcomes}
    pairs = [(one, others[one.key]) for one in left.outcomes if one.suite == suite and one.key in others]
    if not pairs:
        raise ValueError(f"{left.policy} and {right.policy} have no episode of {suite} in common")
    return difference_of(
        [one.scores[metric] for one, _ in pairs],
        [other.scores[metric] for _, other in pairs],
        _groups([one for one, _ in pairs]),
    )


def gap(report: Report, metric: str = "score", left: str = "T1", right: str = "T2") -> Estimate:
    """What is lost between two suites, task by task: `left` (one harness) minus `right` (its tasks under variants).

    Raises:
        ValueError: no task is in both.
    """
    known = {outcome.task: outcome.scores[metric] for outcome in report.outcomes if outcome.suite == left}
    varied = [outcome for outcome in report.outcomes if outcome.suite == right and outcome.task in known]
    if not varied:
        raise ValueError(f"{report.policy}: no task of {left} is in {right} too")
    return difference_of(
        [known[outcome.task] for outcome in varied], [outcome.scores[metric] for outcome in varied], _groups(varied)
    )


def errors_removed(result: Report, base: Report, suite: str, metric: str = "score") -> float:
    """The share of the base's losses that the result avoids: (result - base) / (1 - base); 0 where base has none."""
    ours, theirs = result.row(suite, metric), base.row(suite, metric)
    if ours is None or theirs is None or theirs.mean == 1:
        return 0.0
    return (ours.mean - theirs.mean) / (1 - theirs.mean)


def _slices(policy: str, suite: str, metric: str, members: Sequence[Outcome]) -> list[Slice]:
    cuts: dict[str, Callable[[Outcome], Iterable[str]]] = {"kind": lambda outcome: (outcome.kind,)}
    if suite == "T2":
        cuts["operator"] = lambda outcome: outcome.operators
    if suite == "families":
        cuts["family"] = lambda outcome: outcome.families
    if suite == "edits":
        cuts["edit"] = lambda outcome: (outcome.group,)
    return [
        Slice(by=by, value=value, **_row(policy, suite, metric, part).model_dump())
        for by, labels in cuts.items()
        for value, part in sorted(_split(members, labels).items())
    ]


def _split(outcomes: Iterable[Outcome], labels: Callable[[Outcome], Iterable[str]]) -> dict[str, list[Outcome]]:
    parts: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        for label in labels(outcome):
            parts[label].append(outcome)
    return dict(parts)


def _row(policy: str, suite: str, metric: str, members: Sequence[Outcome]) -> Row:
    estimate = mean_of([outcome.scores[metric] for outcome in members], _groups(members))
    return Row(policy=policy, suite=suite, metric=metric, **estimate.model_dump())


def _groups(members: Sequence[Outcome]) -> list[str] | None:
    """The groups of outcomes; None where each outcome is its own, or where all are of one (a single edit)."""
    groups = [outcome.group for outcome in members]
    return groups if 1 < len(set(groups)) < len(groups) else None
