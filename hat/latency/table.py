"""The table of a latency measurement, beside the paper's figures (arXiv 2608.15763: one H20, MTP on)."""

from typing import Any

from hat.latency.measure import LatencyReport
from hat.markdown import table as markdown

PAPER = {"P50": 3.407, "P95": 8.114, "under": 1.0, "tokens": 271.4, "acceptance": 0.780}
PAPERS = "the paper, one H20, MTP on, Qwen3.6-35B-A3B"


def table(report: LatencyReport) -> str:
    """In Markdown."""
    rows = [
        (
            f"P{100 * q.share:g} of a turn, s",
            f"{q.seconds:.3f} ({q.low:.3f} to {q.high:.3f})",
            _paper(f"P{100 * q.share:g}"),
        )
        for q in report.quantiles
    ]
    under = report.under
    share = f"{100 * under.mean:.1f} ({100 * under.low:.1f} to {100 * under.high:.1f})"
    rows += [
        (f"turns under {report.config.within:g} s, %", share, "100"),
        ("completion tokens/s", f"{report.tokens_per_second:,.1f}", f"{PAPER['tokens']:g}"),
        ("turns/s", f"{report.turns_per_second:.2f}", ""),
        ("model calls a turn", f"{report.calls_per_turn:.2f}", ""),
        ("accepted draft tokens, %", _percent(report.acceptance), f"{100 * PAPER['acceptance']:g}"),
        ("turns timed / failed", f"{report.n} / {report.failed}", "not said"),
    ]
    head = ["", f"{report.model}, {report.hardware}, {report.config.concurrency} turns at once", PAPERS]
    return markdown(head, rows)


def rows(report: LatencyReport, machine: dict[str, Any]) -> list[dict[str, Any]]:
    """In the form of `build/bench/<name>.json`. The peer ran elsewhere, so there is no goal."""
    what = f"whole turns, {report.model} on {report.hardware}, {report.config.concurrency} at once"
    found = [
        _row(
            f"P{100 * q.share:g}",
            f"{what}, P{100 * q.share:g}",
            "s",
            q.seconds,
            (q.low, q.high),
            PAPER.get(f"P{100 * q.share:g}"),
        )
        for q in report.quantiles
    ]
    under = report.under
    found.append(
        _row("under", f"{what}, under {report.config.within:g} s", "share", under.mean, (under.low, under.high), 1.0)
    )
    found.append(_row("tokens", what, "completion tokens/s", report.tokens_per_second, None, PAPER["tokens"]))
    if report.acceptance is not None:
        found.append(_row("acceptance", what, "accepted share", report.acceptance, None, PAPER["acceptance"]))
    return [row | {"n": report.n, "machine": machine | {"serving": report.hardware}} for row in found]


def _row(
    name: str, what: str, unit: str, ours: float, between: tuple[float, float] | None, paper: float | None
) -> dict[str, Any]:
    return {
        "id": f"latency-{name.lower()}",
        "what": what,
        "unit": unit,
        "ours": ours,
        "ours_range": between,
        "peer": PAPERS if paper is not None else None,
        "peer_value": paper,
        "ratio": ours / paper if paper else None,
        "goal": None,
        "met": None,
    }


def _paper(name: str) -> str:
    return f"{PAPER[name]:.3f}" if name in PAPER else "not said"


def _percent(share: float | None) -> str:
    return "the server drafts none" if share is None else f"{100 * share:.1f}"
