"""What a person sees of a stage in the pipeline's page: Markdown and HTML artifacts."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from hat.evaluation import Report
from hat.harness import Harness, render_system
from hat.markdown import table
from hat.report import figures

Curves = Mapping[str, Sequence[tuple[int, float]]]

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:16px;color-scheme:light dark}"
    "div{display:inline-block;width:320px;margin:0 12px 12px 0}svg{width:100%}"
    "svg text{fill:currentColor;font-size:11px}"
    ".grid{stroke:#8884}.line{fill:none;stroke:#13776f;stroke-width:2}td{padding:2px 14px 2px 0}"
)


def harness_markdown(harness: Harness, digests: Mapping[str, str]) -> str:
    """A harness at a glance: its parts, its digests, the prompt that a model is given."""
    counts = [
        ("Skills", len(harness.skills), ", ".join(f"{s.alias} ({s.kind})" for s in harness.skills)),
        ("Hooks", len(harness.hooks), ", ".join(f"{h.name} ({h.event})" for h in harness.hooks)),
        ("Prompt sections", len(harness.sections), ", ".join(s.name for s in harness.sections)),
        ("Tools", len(harness.tools), ", ".join(t.name for t in harness.tools)),
    ]
    prompt = render_system(harness)
    return "\n\n".join(
        [
            f"# Harness {harness.name}",
            table(["Part", "Count", "Names"], counts),
            table(["Digest", "Value"], [(key, f"`{value}`") for key, value in digests.items()]),
            f"## System prompt ({len(prompt)} characters)",
            f"```\n{prompt}\n```\n",
        ]
    )


def traces_markdown(lane: str, folder: Path, metrics: Mapping[str, float]) -> str:
    """Traces at a glance: figures, calls by tool, and one trace in full."""
    lines = (folder / "traces.jsonl").read_text(encoding="utf-8").splitlines()
    traces = [json.loads(line) for line in lines]
    tools = Counter(call.get("tool") or call["name"] for trace in traces for call in trace.get("calls", []))
    skills = Counter(skill for trace in traces for skill in trace.get("skills", []))
    return "\n\n".join(
        [
            f"# Traces, {lane}: {len(traces)}",
            table(["Figure", "Value"], [(key, f"{value:g}") for key, value in metrics.items()]),
            table(["Tool", "Calls"], tools.most_common(12)),
            table(["Skill, by the harness's own names", "Loads"], skills.most_common(12)),
            "## One trace" if traces else "No trace was kept.",
            _conversation(traces[0]) if traces else "",
        ]
    )


def report_markdown(report: Report) -> str:
    """An evaluation: every figure with its interval, then what tells more."""
    rows = [
        (row.suite, row.metric, f"{100 * row.mean:.1f}", f"{100 * row.low:.1f} to {100 * row.high:.1f}", row.n)
        for row in report.rows
    ]
    cuts = [
        (cut.suite, cut.by, cut.value, f"{100 * cut.mean:.1f}", f"{100 * cut.low:.1f} to {100 * cut.high:.1f}", cut.n)
        for cut in report.slices
        if cut.metric == "score"
    ]
    return "\n\n".join(
        [
            f"# {report.policy}",
            table(["Suite", "Metric", "%", "95 % interval", "n"], rows),
            "## Score by kind, operator, family and edit",
            table(["Suite", "By", "Which", "%", "95 % interval", "n"], cuts),
            "",
        ]
    )


def _conversation(trace: Mapping[str, Any]) -> str:
    rows = []
    for message in trace["messages"]:
        calls = [
            f"{call['name']}({json.dumps(call['arguments'], ensure_ascii=False)})"
            for call in message.get("tool_calls", [])
        ]
        rows.append(f"{message['role']}: {message.get('content', '')}{' '.join(calls)}")
    return "```\n" + "\n\n".join(rows) + "\n```\n"


def training_html(title: str, curves: Curves, metrics: Mapping[str, float], settings: Mapping[str, Any]) -> str:
    """A training stage: its curves, last figures and settings."""
    drawn = "".join(
        f"<div><b>{escape(name)}</b>{figures.lines([(name, line)], name)}</div>" for name, line in curves.items()
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"<h2>{escape(title)}</h2>{drawn}<h3>Figures</h3>{_rows(metrics)}<h3>Settings</h3>{_rows(settings)}</html>"
    )


def _rows(values: Mapping[str, Any]) -> str:
    cells = (
        f"<tr><td>{escape(key)}</td><td>{value:.5g}</td></tr>"
        if isinstance(value, float)
        else f"<tr><td>{escape(key)}</td><td>{escape(str(value))}</td></tr>"
        for key, value in values.items()
    )
    return f"<table>{''.join(cells)}</table>"
