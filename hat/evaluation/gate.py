"""May a result go on? A pure function of two reports; every reason to hold names the figure and the bound it missed."""

from typing import Annotated, Literal

from pydantic import Field

from hat.evaluation.report import Report, compare, gap
from hat.harness import Frozen

Margin = Annotated[float, Field(ge=0, le=1)]


class GatePolicy(Frozen):
    """Bounds, in score (0 to 1). None leaves a check out."""

    better_on: tuple[str, ...] = ("T1", "T2")
    """Suites on which the result must beat the base: the paired difference's whole 95 % interval above 0."""
    not_worse_on: tuple[str, ...] = ("T4",)
    """Suites on which the result may not be worse by more than `margin`: the interval's lower end above -margin."""
    margin: Margin = 0.03
    """Non-inferiority margin."""
    max_gap: Margin | None = 0.1
    """Bound on what is lost from T1 to T2."""
    floors: dict[str, Margin] = Field(default_factory=dict)
    """Suite to the least mean score."""
    max_failed: Margin = 0.01
    """Share of episodes that may end by the policy's own failure."""


class Promote(Frozen):
    """The result may go on."""

    verdict: Literal["promote"] = "promote"
    figures: tuple[str, ...] = ()
    """What was seen, in words."""


class Hold(Frozen):
    """The result may not."""

    verdict: Literal["hold"] = "hold"
    reasons: tuple[str, ...]
    figures: tuple[str, ...] = ()


def gate(policy: GatePolicy, base: Report, result: Report) -> Promote | Hold:
    """Hold a result against its base. Missing suites, or reports of different episodes, are reasons to hold."""
    if base.fingerprint != result.fingerprint:
        return Hold(
            reasons=(f"{base.policy} and {result.policy} were not evaluated on the same episodes: evaluate anew",)
        )
    figures: list[str] = []
    reasons: list[str] = []
    for report in (base, result):
        reasons += _failures(policy, report)
    for suite in policy.better_on:
        _difference(suite, base, result, 0.0, figures, reasons)
    for suite in policy.not_worse_on:
        _difference(suite, base, result, -policy.margin, figures, reasons)
    if policy.max_gap is not None:
        _gap(policy.max_gap, result, figures, reasons)
    for suite, floor in policy.floors.items():
        row = result.row(suite)
        if row is None or row.mean < floor:
            seen = "missing" if row is None else f"{row.mean:.3f}"
            reasons.append(f"{suite} score is {seen}, below the floor {floor:.3f}")
    return Hold(reasons=tuple(reasons), figures=tuple(figures)) if reasons else Promote(figures=tuple(figures))


def _failures(policy: GatePolicy, report: Report) -> list[str]:
    share = report.failed / max(1, len(report.outcomes))
    if share <= policy.max_failed:
        return []
    return [
        f"{report.policy}: {share:.1%} of the episodes ended by the policy's failure, above {policy.max_failed:.1%}"
    ]


def _difference(suite: str, base: Report, result: Report, bound: float, figures: list[str], reasons: list[str]) -> None:
    if base.row(suite) is None or result.row(suite) is None:
        reasons.append(f"{suite} was not evaluated: add it to the configuration's suites")
        return
    seen = compare(result, base, suite)
    words = f"{suite}: {result.policy} minus {base.policy} is {seen.mean:+.3f} ({seen.low:+.3f} to {seen.high:+.3f})"
    figures.append(f"{words}, n = {seen.n}")
    if seen.low <= bound:
        reasons.append(f"{words}; the lower end must be above {bound:+.3f}")


def _gap(bound: float, result: Report, figures: list[str], reasons: list[str]) -> None:
    if result.row("T1") is None or result.row("T2") is None:
        reasons.append("the gap from T1 to T2 is unknown: evaluate both")
        return
    seen = gap(result)
    words = f"T1 minus T2 is {seen.mean:+.3f} ({seen.low:+.3f} to {seen.high:+.3f})"
    figures.append(f"{words}, n = {seen.n}")
    if seen.mean > bound:
        reasons.append(f"{words}; at most {bound:.3f} may be lost under variants")
