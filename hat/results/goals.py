"""The goals of the reproduction, held against what was measured. Figures of the paper: arXiv 2608.15763, its tables."""

from collections.abc import Iterable
from typing import NamedTuple

from hat.results.data import Difference, Results

HAT = "hat"


class Goal(NamedTuple):
    """One goal."""

    what: str
    wanted: str
    found: str
    met: bool | None
    """None: not measured."""
    paper: str


def goals(results: Results) -> list[Goal]:
    """Every goal, in order."""
    return [*_levels(results), _gap(results), *_removed(results), *_differences(results)]


def _levels(results: Results) -> Iterable[Goal]:
    for suite, paper in (("T1", "94.8"), ("T2", "94.6")):
        cell = results.cell(HAT, suite)
        found = f"{100 * cell.mean:.1f} ({100 * cell.low:.1f} to {100 * cell.high:.1f})" if cell else "not measured"
        yield Goal(f"HAT on {suite}, %", "at least 94.8", found, cell.mean >= 0.948 if cell else None, paper)


def _gap(results: Results) -> Goal:
    gap = next((gap for gap in results.gaps if gap.policy == HAT), None)
    return Goal("HAT, T1 minus T2, points", "at most 0.2", _points(gap), gap.mean <= 0.002 if gap else None, "0.2")


def _removed(results: Results) -> Iterable[Goal]:
    for against, paper in (("base", "51.7 (fixed SFT 18.1)"), ("fixed-sft", "")):
        found = next((r for r in results.removed if (r.policy, r.against) == (HAT, against)), None)
        text = f"{100 * found.share:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})" if found else "not measured"
        met = found.share >= 0.517 if found else None
        yield Goal(f"errors of {against} on held-out edits that HAT removes, %", "at least 51.7", text, met, paper)


def _differences(results: Results) -> Iterable[Goal]:
    against_base = _difference(results, HAT, "base", "T4")
    kept = against_base.high >= 0 if against_base else None
    yield Goal("HAT minus base on T4, points", "not below 0", _points(against_base), kept, "+2.0")
    for suite, paper in (("T2", ""), ("T4", "+9.7")):
        found = _difference(results, HAT, "fixed-sft", suite)
        worse = found.low > 0 if found else None
        yield Goal(f"HAT minus fixed SFT on {suite}, points", "above 0", _points(found), worse, paper)


def _difference(results: Results, policy: str, against: str, suite: str) -> Difference | None:
    wanted = (policy, against, suite)
    return next((d for d in results.differences if (d.policy, d.against, d.suite) == wanted), None)


def _points(found: Difference | None) -> str:
    if found is None:
        return "not measured"
    return f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"
