"""The ablation as a page with one figure a suite."""

from pathlib import Path

from hat.ablation.run import AblationReport, Row
from hat.evaluation.parts import write_whole
from hat.markdown import table
from hat.report import figures

SERIES = {"all": "hat", "none": "base", "without": "hsa-sft", "only": "fixed-sft"}
LEGEND = [
    ("hat", "all operators"),
    ("base", "none: the original harness only"),
    ("hsa-sft", "all but this one"),
    ("fixed-sft", "this one alone"),
]


def write_page(report: AblationReport, out: Path) -> Path:
    """Write out/ablation.md and out/ablation-<suite>.svg; returns the page."""
    parts = ["# Ablation of augmentation's operators", _about(report)]
    for suite in dict.fromkeys(row.suite for row in report.rows):
        rows = [row for row in report.rows if row.suite == suite]
        write_whole(out / f"ablation-{suite}.svg", figures.standalone(_figure(suite, rows)))
        parts += [f"## {suite}", f"![{suite}](ablation-{suite}.svg)", _table(rows)]
    page = out / "ablation.md"
    write_whole(page, "\n\n".join(parts) + "\n")
    return page


def _about(report: AblationReport) -> str:
    config = report.config
    return (
        f"One SFT a row, {config.sft.steps} steps on {config.traces.harnesses} harness states, seed {config.sft.seed}; "
        f"measured on the {config.evaluate.split} split. Score in per cent with 95 % intervals over episodes of this "
        "one training seed; the difference is to the SFT with all operators, episode by episode."
    )


def _figure(suite: str, rows: list[Row]) -> str:
    groups: dict[str, list[figures.Bar]] = {}
    for row in rows:
        name = row.cell.split(" ", 1)[-1]
        bar = figures.Bar(SERIES[row.mode], row.cell, row.mean, row.low, row.high, row.n)
        groups.setdefault(name, []).append(bar)
    used = {SERIES[row.mode] for row in rows}
    legend = [(series, name) for series, name in LEGEND if series in used]
    return figures.bars(list(groups.items()), f"{suite}: SFT without an operator, and with it alone", legend)


def _table(rows: list[Row]) -> str:
    return table(
        ["trained with", "score (95 % interval)", "minus all, points", "n"],
        [
            (
                row.cell,
                f"{100 * row.mean:.1f} ({100 * row.low:.1f} to {100 * row.high:.1f})",
                f"{100 * row.difference:+.1f} ({100 * row.difference_low:+.1f} to {100 * row.difference_high:+.1f})",
                row.n,
            )
            for row in rows
        ],
    )
