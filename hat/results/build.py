"""From the evaluations of all seeds to results."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from hat.evaluation import Outcome, Report
from hat.results.data import Cell, Cost, Difference, Part, Point, Removed, Results
from hat.statistics import Sample, difference_over_seeds, mean_over_seeds

AGAINST = ("base", "fixed-sft")
"""Policies that the others are held against."""
DRAWS = 2000
"""Of the bootstrap."""
CUTS: Mapping[str, Callable[[Outcome], Iterable[str]]] = {
    "operator": lambda outcome: outcome.operators if outcome.suite == "T2" else (),
    "edit": lambda outcome: (outcome.group,) if outcome.suite == "edits" else (),
    "kind": lambda outcome: (outcome.kind,) if outcome.suite in {"T1", "T2"} else (),
}
"""What cells are cut by."""


class Played(NamedTuple):
    """What one training seed came to."""

    seed: int
    reports: Mapping[str, Report]
    """By policy; all of the same episodes."""
    points: Sequence[Point] = ()
    costs: Sequence[Cost] = ()


def build_results(
    played: Sequence[Played], settings: Mapping[str, Any] | None = None, facts: Mapping[str, str] | None = None
) -> Results:
    """Count all seeds together.

    Raises:
        ValueError: no seeds, or policies of one seed that were not measured on the same episodes.
    """
    if not played:
        raise ValueError("no seeds: nothing was measured")
    for one in played:
        if len({report.fingerprint for report in one.reports.values()}) != 1:
            raise ValueError(f"seed {one.seed}: its policies were measured on different episodes; measure them anew")
    policies = list(played[0].reports)
    return Results(
        cells=tuple(cell for policy in policies for cell in _cells(played, policy)),
        differences=tuple(
            _difference(played, policy, against, suite)
            for against in AGAINST
            if against in policies
            for policy in policies
            if policy != against
            for suite in _suites(played)
        ),
        gaps=tuple(_gap(played, policy) for policy in policies if {"T1", "T2"} <= set(_suites(played))),
        removed=tuple(
            _removed(played, policy, against, "edits")
            for against in AGAINST
            if against in policies and "edits" in _suites(played)
            for policy in policies
            if policy != against
        ),
        parts=tuple(part for policy in policies for part in _parts(played, policy)),
        points=tuple(point for one in played for point in one.points),
        costs=tuple(cost for one in played for cost in one.costs),
        settings=dict(settings or {}),
        facts=dict(facts or {}),
    )


def _suites(played: Sequence[Played]) -> list[str]:
    report = next(iter(played[0].reports.values()))
    return list(dict.fromkeys(row.suite for row in report.rows))


def _members(one: Played, policy: str, suite: str) -> list[Outcome]:
    return [outcome for outcome in one.reports[policy].outcomes if outcome.suite == suite]


def _sample(values: Sequence[float], members: Sequence[Outcome]) -> Sample:
    groups = [outcome.group for outcome in members]
    return Sample(values, groups if 1 < len(set(groups)) < len(groups) else None)


def _cells(played: Sequence[Played], policy: str) -> Iterable[Cell]:
    for suite in _suites(played):
        seeds = [_members(one, policy, suite) for one in played]
        for metric in seeds[0][0].scores:
            yield Cell(policy=policy, suite=suite, metric=metric, seeds=len(played), **_mean(seeds, metric))


def _mean(seeds: Sequence[Sequence[Outcome]], metric: str) -> dict[str, Any]:
    samples = [_sample([outcome.scores[metric] for outcome in members], members) for members in seeds if members]
    return mean_over_seeds(samples).model_dump(exclude={"groups"})


def _parts(played: Sequence[Played], policy: str) -> Iterable[Part]:
    for by, labels in CUTS.items():
        cut: defaultdict[tuple[str, str], list[list[Outcome]]] = defaultdict(lambda: [[] for _ in played])
        for place, one in enumerate(played):
            for outcome in one.reports[policy].outcomes:
                for label in labels(outcome):
                    cut[outcome.suite, label][place].append(outcome)
        for (suite, label), seeds in sorted(cut.items()):
            count = sum(bool(members) for members in seeds)
            mean = _mean(seeds, "score")
            yield Part(policy=policy, suite=suite, metric="score", seeds=count, by=by, value=label, **mean)


def _difference(played: Sequence[Played], policy: str, against: str, suite: str) -> Difference:
    samples = []
    for one in played:
        members = _members(one, policy, suite)
        pairs = zip(members, _members(one, against, suite), strict=True)
        samples.append(_sample([left.scores["score"] - right.scores["score"] for left, right in pairs], members))
    return _as_difference(policy, against, suite, samples)


def _gap(played: Sequence[Played], policy: str) -> Difference:
    samples = []
    for one in played:
        known = {outcome.task: outcome.scores["score"] for outcome in _members(one, policy, "T1")}
        varied = [outcome for outcome in _members(one, policy, "T2") if outcome.task in known]
        samples.append(_sample([known[outcome.task] - outcome.scores["score"] for outcome in varied], varied))
    return _as_difference(policy, policy, "T1-T2", samples)


def _as_difference(policy: str, against: str, suite: str, samples: Sequence[Sample]) -> Difference:
    found = difference_over_seeds(samples).model_dump(exclude={"groups"})
    return Difference(policy=policy, against=against, suite=suite, seeds=len(samples), **found)


def _removed(played: Sequence[Played], policy: str, against: str, suite: str) -> Removed:
    """With a bootstrap over seeds and, within them, groups."""
    seeds: list[list[tuple[float, float]]] = []
    wrong = mended = n = 0
    for one in played:
        errors: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for ours, theirs in zip(_members(one, policy, suite), _members(one, against, suite), strict=True):
            n += 1
            errors[ours.group][0] += 1 - ours.scores["score"]
            errors[ours.group][1] += 1 - theirs.scores["score"]
            wrong += theirs.scores["accuracy"] < 1
            mended += theirs.scores["accuracy"] < 1 and ours.scores["accuracy"] == 1
        seeds.append([(one, other) for one, other in errors.values()])
    rng, draws = Random(0), []
    for _ in range(DRAWS):
        drawn = [pair for groups in rng.choices(seeds, k=len(seeds)) for pair in rng.choices(groups, k=len(groups))]
        draws.append(_reduction(drawn))
    draws.sort()
    return Removed(
        policy=policy,
        against=against,
        suite=suite,
        share=_reduction([pair for groups in seeds for pair in groups]),
        low=draws[round(0.025 * DRAWS)],
        high=draws[round(0.975 * DRAWS) - 1],
        mended=mended / wrong if wrong else 0.0,
        n=n,
    )


def _reduction(pairs: Sequence[tuple[float, float]]) -> float:
    ours, theirs = (sum(side) for side in zip(*pairs, strict=True))
    return 1 - ours / theirs if theirs else 0.0
