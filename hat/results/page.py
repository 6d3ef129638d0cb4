"""`docs/results.md` and its figures, from results; what stands outside the marks in the page stays as it is."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hat.markdown import table
from hat.report import figures
from hat.results.data import POLICIES, SUITES, Cell, Part, Results
from hat.results.goals import goals

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
COMPARED = ("base", "fixed-sft", "hat")
"""Policies of the figures that cut a suite into parts."""


def write_results(results: Results, folder: Path) -> Path:
    """Write results.json, results.md and results/*.svg into `folder`; returns the page.

    Raises:
        ValueError: there is a page without the marks that the tables go between.
    """
    drawn = draw(results)
    page = folder / "results.md"
    text = page.read_text(encoding="utf-8") if page.exists() else f"# Results\n\n{BEGIN}\n{END}\n"
    if BEGIN not in text or END not in text:
        raise ValueError(f"{page}: lacks the lines {BEGIN} and {END}, between which the tables go; put them in")
    (folder / "results").mkdir(parents=True, exist_ok=True)
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    for name, svg in drawn.items():
        (folder / "results" / f"{name}.svg").write_text(svg, encoding="utf-8")
    body = "\n\n".join(sections(results, drawn))
    page.write_text(f"{before}{BEGIN}\n\n{body}\n\n{END}{after}", encoding="utf-8")
    (folder / "results.json").write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return page


def draw(results: Results) -> dict[str, str]:
    """Every figure by name, as SVG that stands alone."""
    suites = [(suite, [_bar(cell) for cell in _row(results, suite)]) for suite in results.suites]
    drawn = {
        "suites": figures.bars(suites, "Score by suite and policy, % with 95 % intervals", _legend(results.policies))
    }
    for name, by, suite in (("operators", "operator", "T2"), ("edits", "edit", "edits")):
        if parts := _parts(results, by, suite):
            drawn[name] = figures.bars(parts, f"{suite} by {by}, % with 95 % intervals", _legend(COMPARED))
    for suite in dict.fromkeys(point.suite for point in results.points):
        drawn[f"curve-{suite}"] = figures.lines(
            _curves(results, suite), f"{suite} over SFT steps, mean of the seeds", named=True
        )
    return {name: figures.standalone(svg) for name, svg in drawn.items()}


def sections(results: Results, drawn: Iterable[str]) -> Iterable[str]:
    """The generated part of the page."""
    there = set(drawn)
    yield "## Goals"
    yield table(
        ["goal", "wanted", "measured (95 % interval)", "met", "paper"],
        [
            (g.what, g.wanted, g.found, {True: "yes", False: "**no**", None: "-"}[g.met], g.paper)
            for g in goals(results)
        ],
    )
    yield "## Score by suite, %"
    yield "Mean with its 95 % interval over seeds and episodes; n episodes, all seeds together."
    yield _main_table(results)
    yield _image("suites", "Score by suite and policy")
    yield "## Paired differences, points"
    yield _difference_table(results)
    yield "## Errors removed on held-out edits, %"
    yield table(
        ["policy", "of the errors of", "removed (95 % interval)", "of its wrong episodes now right", "n"],
        [
            (POLICIES.get(r.policy, r.policy), r.against, _share(r.share, r.low, r.high), f"{100 * r.mended:.1f}", r.n)
            for r in results.removed
        ],
    )
    for name, title in (("operators", "T2 by operator"), ("edits", "Held-out edits, one by one")):
        if name in there:
            yield f"## {title}"
            yield _image(name, title)
    yield "## Step curves of SFT"
    yield " ".join(_image(name, name) for name in sorted(there) if name.startswith("curve-"))
    yield _curve_table(results)
    yield "## What it cost"
    yield _cost_table(results)
    yield "## Settings"
    yield f"```json\n{json.dumps(results.settings, ensure_ascii=False, indent=1)}\n```"
    yield table(["what", "value"], list(results.facts.items()))


def _main_table(results: Results) -> str:
    head = ["policy", *(f"{suite}: {SUITES.get(suite, '')}" for suite in results.suites)]
    rows = [
        [POLICIES.get(policy, policy), *(_cell(results.cell(policy, suite)) for suite in results.suites)]
        for policy in results.policies
    ]
    return table(head, rows)


def _cell(cell: Cell | None) -> str:
    return f"{_share(cell.mean, cell.low, cell.high)}, n {cell.n:,}" if cell else "-"


def _share(mean: float, low: float, high: float) -> str:
    return f"{100 * mean:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _difference_table(results: Results) -> str:
    found = {(d.policy, d.against, d.suite): d for d in results.differences}
    gaps = {gap.policy: gap for gap in results.gaps}
    rows: list[list[Any]] = []
    for against in dict.fromkeys(d.against for d in results.differences):
        for policy in results.policies:
            cells = [found.get((policy, against, suite)) for suite in results.suites]
            if any(cells):
                texts = [
                    f"{100 * d.mean:+.1f} ({100 * d.low:+.1f} to {100 * d.high:+.1f})" if d else "-" for d in cells
                ]
                rows.append([POLICIES.get(policy, policy), against, *texts])
    text = table(["policy", "minus", *results.suites], rows)
    if not gaps:
        return text
    gap_rows = [
        (POLICIES.get(policy, policy), f"{100 * gap.mean:+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f})", gap.n)
        for policy, gap in gaps.items()
    ]
    return f"{text}\n\n{table(['policy', 'T1 minus T2, the same tasks', 'n'], gap_rows)}"


def _curve_table(results: Results) -> str:
    rows = [
        (point.lane, point.seed, point.step, point.suite, _share(point.mean, point.low, point.high), point.n)
        for point in sorted(results.points, key=lambda p: (p.suite, p.lane, p.seed, p.step))
    ]
    return table(["SFT", "seed", "step", "suite", "score (95 % interval)", "n"], rows)


def _cost_table(results: Results) -> str:
    rows = []
    for stage in dict.fromkeys(cost.stage for cost in results.costs):
        members = [cost for cost in results.costs if cost.stage == stage]
        rows.append(
            (
                stage,
                members[0].steps,
                *(_spread([value(cost) for cost in members]) for value in (_tokens, _seconds, _memory)),
            )
        )
    return table(["stage", "steps", "thousand tokens", "seconds", "peak memory, MiB"], rows)


def _tokens(cost: Any) -> float:
    return float(cost.tokens) / 1000


def _seconds(cost: Any) -> float:
    return float(cost.seconds)


def _memory(cost: Any) -> float:
    return float(cost.peak_memory_mib)


def _spread(values: Sequence[float]) -> str:
    low, high = f"{min(values):,.0f}", f"{max(values):,.0f}"
    return low if low == high else f"{low} to {high}"


def _legend(policies: Iterable[str]) -> list[tuple[str, str]]:
    return [(policy, POLICIES.get(policy, policy)) for policy in policies]


def _image(name: str, title: str) -> str:
    return f"![{title}](results/{name}.svg)"


def _row(results: Results, suite: str) -> Iterable[Cell]:
    return [cell for policy in results.policies if (cell := results.cell(policy, suite))]


def _bar(cell: Cell) -> figures.Bar:
    return figures.Bar(cell.policy, POLICIES.get(cell.policy, cell.policy), cell.mean, cell.low, cell.high, cell.n)


def _parts(results: Results, by: str, suite: str) -> list[tuple[str, list[figures.Bar]]]:
    found: dict[str, dict[str, Part]] = {}
    for part in results.parts:
        if (part.by, part.suite) == (by, suite):
            found.setdefault(part.value, {})[part.policy] = part
    return [(value, [_bar(parts[policy]) for policy in COMPARED if policy in parts]) for value, parts in found.items()]


def _curves(results: Results, suite: str) -> list[tuple[str, list[tuple[float, float]]]]:
    lines = []
    for lane in sorted({point.lane for point in results.points}, reverse=True):
        points = [point for point in results.points if (point.suite, point.lane) == (suite, lane)]
        steps = sorted({point.step for point in points})
        means = [[point.mean for point in points if point.step == step] for step in steps]
        lines.append((lane, [(float(s), 100 * sum(m) / len(m)) for s, m in zip(steps, means, strict=True)]))
    return lines
