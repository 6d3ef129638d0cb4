"""The report as one HTML page: no script, no request to anywhere, light and dark, narrow and wide."""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from hat.report import figures
from hat.report.data import NAMES, SUITES, Chart, Number, ReportData, percent
from hat.report.episodes import render_example

FAMILY_NAMES = {
    "skill_ids": "Skill names",
    "skill_content": "Skill content",
    "tools": "Tools",
    "prompt": "System prompt",
    "hooks": "Hooks",
}


def render_page(data: ReportData) -> str:
    """The whole page; `Path.write_text(page, encoding="utf-8")` and open it."""
    style = figures.style() + (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    body = "".join(
        [_head(data), _table(data), _scores(data), _families(data), _curves(data), _examples(data), _facts(data)]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(data.title)}</title><style>{style}</style></head><body><main>{body}</main></body></html>\n"
    )


def _head(data: ReportData) -> str:
    word = "may go on" if data.verdict == "promote" else "held back"
    return (
        f"<header><h1>{escape(data.title)}</h1>"
        f'<p><span class="verdict {escape(data.verdict)}">{word}</span> {escape(data.reason)}</p></header>'
    )


def _table(data: ReportData) -> str:
    head = "".join(f"<th>{escape(NAMES.get(policy, policy))}</th>" for policy in data.policies)
    rows = "".join(_row(data, suite) for suite in data.suites)
    return (
        "<h2>What was measured</h2>"
        '<p class="soft">Score in per cent: accuracy, halved where the style that the harness asks for is all missed. '
        "Below it the 95 % interval and the number of tasks. Higher is better.</p>"
        f'<div class="card wide"><table><thead><tr><th>Suite</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(data: ReportData, suite: str) -> str:
    cells = [(policy, data.number(policy, suite)) for policy in data.policies]
    best = max((number.mean for _, number in cells if number), default=0.0)
    tds = "".join(_cell(number, best=bool(number and number.mean == best)) for _, number in cells)
    what = escape(SUITES.get(suite, ""))
    return f'<tr><td class="suite"><b>{escape(suite)}</b> <span class="ci">{what}</span></td>{tds}</tr>'


def _cell(number: Number | None, *, best: bool) -> str:
    if number is None:
        return "<td>not measured</td>"
    interval = f"{percent(number.low)} to {percent(number.high)}, n {number.n:,}"
    return f'<td{" class=best" if best else ""}><b>{percent(number.mean)}</b><span class="ci">{interval}</span></td>'


def _legend(policies: Sequence[str]) -> str:
    items = "".join(f'<span><i class="s-{escape(p)}"></i>{escape(NAMES.get(p, p))}</span>' for p in policies)
    return f'<div class="legend">{items}</div>'


def _scores(data: ReportData) -> str:
    groups = [
        (
            suite,
            [
                figures.Bar(policy, NAMES.get(policy, policy), number.mean, number.low, number.high, number.n)
                for policy in data.policies
                if (number := data.number(policy, suite))
            ],
        )
        for suite in data.suites
    ]
    svg = figures.bars(groups, "Score by suite and model, with 95 % intervals")
    return f'<div class="card">{_legend(data.policies)}{svg}</div>'


def _families(data: ReportData) -> str:
    if not data.families:
        return ""
    names = sorted({row.family for row in data.families}, key=[*FAMILY_NAMES].index)
    groups = [
        (
            FAMILY_NAMES.get(name, name),
            [
                figures.Bar(row.policy, NAMES.get(row.policy, row.policy), row.mean, row.low, row.high, row.n)
                for policy in data.policies
                for row in data.families
                if (row.family, row.policy) == (name, policy)
            ],
        )
        for name in names
    ]
    svg = figures.bars(groups, "Score on variants of one operator family each")
    return (
        '<h2>By operator family</h2><p class="soft">Score on variants that one family alone made, at full strength; '
        "T2's variants are touched by several.</p>"
        f'<div class="card">{_legend(data.policies)}{svg}</div>'
    )


def _curves(data: ReportData) -> str:
    cards = "".join(_chart(chart) for chart in data.charts if chart.curves)
    return f'<h2>How training went</h2><div class="figures">{cards}</div>' if cards else ""


def _chart(chart: Chart) -> str:
    names = [f'<span><i class="l-{number}"></i>{escape(name)}</span>' for number, name in enumerate(chart.curves)]
    legend = f'<div class="legend">{"".join(names)}</div>' if len(names) > 1 else ""
    svg = figures.lines(list(chart.curves.items()), chart.title)
    return f'<div class="card"><h3>{escape(chart.title)}</h3>{legend}{svg}</div>'


def _examples(data: ReportData) -> str:
    if not data.examples:
        return ""
    cards = "".join(render_example(example, unfolded=number == 0) for number, example in enumerate(data.examples))
    return (
        f"<h2>{len(data.examples)} episodes of the result, side by side</h2>"
        '<p class="soft">One question under the original harness and'
        " under a variant of it that training never saw. In the variant's prompt, lines that are new are "
        f"marked and lines that are gone are struck.</p>{cards}"
    )


def _facts(data: ReportData) -> str:
    facts = "".join(f"<dt>{escape(key)}</dt><dd>{_code(value)}</dd>" for key, value in data.facts.items())
    steps = "".join(f"<li>{_code(step)}</li>" for step in data.following)
    return (
        f"{f'<h2>What to do next</h2><div class=card><ul>{steps}</ul></div>' if steps else ''}"
        f"{f'<h2>What this run was</h2><div class=card><dl>{facts}</dl></div>' if facts else ''}"
    )


def _code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
