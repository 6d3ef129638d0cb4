"""From reports, traces and curves to what the report page shows. Pure but for reading files."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from hat.episode import HookRecord, Trace
from hat.episode.trace_file import read_traces
from hat.evaluation import Hold, Outcome, Promote, Report, compare
from hat.report import Call, Chart, Example, Family, Number, Side
from hat.tracking import read_curves

Pair = tuple[Outcome, Trace]
SHOWN = ("T1", "T2", "edits", "T4")
CHARTS: dict[str, dict[str, tuple[str, str]]] = {
    "SFT: loss": {"fixed harness": ("fixed", "loss"), "augmented harnesses": ("sft", "loss")},
    "General OPD: loss (reverse KL to the base)": {"loss": ("opd", "loss")},
    "HSA-RL: mean reward, by part": {
        "accuracy": ("rl", "rewards/accuracy/mean"),
        "effectiveness": ("rl", "rewards/effectiveness/mean"),
        "tool rationality": ("rl", "rewards/tool_rationality/mean"),
        "skill selection": ("rl", "rewards/skill_selection/mean"),
    },
}
"""Title to lines: label to stage and metric."""


def read_pairs(folder: Path, report: Report) -> list[Pair]:
    """Outcomes with their traces, which lie beside the report in the same order."""
    return list(zip(report.outcomes, read_traces(folder / "traces.jsonl"), strict=True))


def numbers(reports: Mapping[str, Report]) -> tuple[Number, ...]:
    """Every figure of the suites that the table shows."""
    return tuple(
        Number(policy=name, suite=row.suite, metric=row.metric, n=row.n, mean=row.mean, low=row.low, high=row.high)
        for name, report in reports.items()
        for row in report.rows
        if row.suite in SHOWN
    )


def families(reports: Mapping[str, Report]) -> tuple[Family, ...]:
    """Scores on variants of one operator family each."""
    return tuple(
        Family(policy=name, family=cut.value, n=cut.n, mean=cut.mean, low=cut.low, high=cut.high)
        for name, report in reports.items()
        for cut in report.slices
        if (cut.suite, cut.by, cut.metric) == ("families", "family", "score")
    )


def charts(models: Mapping[str, Path]) -> tuple[Chart, ...]:
    """What training went like; `models` maps stages (fixed, sft, opd, rl) to their folders."""
    curves = {stage: read_curves(folder) for stage, folder in models.items()}
    return tuple(
        Chart(
            title=title,
            curves={
                label: [(step, value) for step, value in curves[stage][metric]]
                for label, (stage, metric) in lines.items()
                if metric in curves.get(stage, {})
            },
        )
        for title, lines in CHARTS.items()
    )


def reason(decision: Promote | Hold, base: Report, result: Report) -> str:
    """The gate's verdict in one sentence."""
    if isinstance(decision, Hold):
        return "; ".join(decision.reasons) + "."
    parts = []
    for suite in SHOWN:
        if base.row(suite) and result.row(suite):
            seen = compare(result, base, suite)
            parts.append(f"{suite} {100 * seen.mean:+.1f} ({100 * seen.low:+.1f} to {100 * seen.high:+.1f})")
    return f"Points over the base, with 95 % intervals: {', '.join(parts)}."


def examples(pairs: Sequence[Pair], most: int = 10) -> tuple[Example, ...]:
    """Tasks played under the original harness (T1) and a variant (T2): kinds in turn, failures last, three at most."""
    originals = {outcome.task: (outcome, trace) for outcome, trace in pairs if outcome.suite == "T1"}
    both = [
        (originals[outcome.task], (outcome, trace))
        for outcome, trace in pairs
        if outcome.suite == "T2" and outcome.task in originals
    ]
    chosen = _spread(both, most)
    return tuple(_example(original, variant) for original, variant in chosen)


def _spread(both: Sequence[tuple[Pair, Pair]], most: int) -> list[tuple[Pair, Pair]]:
    """Kinds in turn, failures last: three, or more where too little went right."""
    failed = [pair for pair in both if pair[1][0].scores["accuracy"] < 1]
    right = [pair for pair in both if pair[1][0].scores["accuracy"] == 1]
    room = max(min(3, most), most - len(right))
    bad = _by_kind(failed)[:room]
    return [*_by_kind(right)[: most - len(bad)], *bad]


def _by_kind(both: Iterable[tuple[Pair, Pair]]) -> list[tuple[Pair, Pair]]:
    """One of each kind, then a second of each, and so on; no task twice."""
    seen: set[str] = set()
    rounds: dict[str, int] = {}
    ranked: list[tuple[int, int, tuple[Pair, Pair]]] = []
    for original, variant in both:
        outcome = variant[0]
        if outcome.task in seen:
            continue
        seen.add(outcome.task)
        rounds[outcome.kind] = rounds.get(outcome.kind, 0) + 1
        ranked.append((rounds[outcome.kind], len(ranked), (original, variant)))
    return [pair for _, _, pair in sorted(ranked, key=lambda item: item[:2])]


def _example(original: Pair, variant: Pair) -> Example:
    situation = variant[1].situation
    return Example(
        kind=variant[0].kind,
        message=situation.message if situation else "",
        context=dict(situation.context) if situation else {},
        trail=variant[0].operators,
        original=_side(original),
        variant=_side(variant),
    )


def _side(pair: Pair) -> Side:
    outcome, trace = pair
    return Side(
        prompt=trace.messages[0].content,
        calls=tuple(Call(name=call.name, arguments=call.arguments, error=call.error) for call in trace.calls),
        hooks=tuple(_hook(hook) for hook in trace.hooks),
        skills=trace.skills,
        reply=trace.reply,
        accuracy=outcome.scores["accuracy"],
        effectiveness=outcome.scores["effectiveness"],
        problems=outcome.problems,
    )


def _hook(hook: HookRecord) -> str:
    return f"{hook.hook} ({hook.event}) {hook.outcome}" + (f": {hook.message}" if hook.message else "")
