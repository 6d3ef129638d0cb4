"""What goes wrong, put together: failing episodes by the verifier's finding, the module it points at and the part.

A finding points at a module (skills, tools, hooks, prompts) by what it is about; the part is the one that most of the
episodes used. That is a place to look at first, not a proof of cause.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from hat.episode import Trace
from hat.evaluation import Outcome
from hat.harness import Frozen, Harness

SHOWN = 5
"""Episodes that a cluster shows."""
FINDINGS: tuple[tuple[str, str, str], ...] = (
    (r"opening .* missed", "opening missed", "skills"),
    (r"closing .* missed", "closing missed", "skills"),
    (r"\d+ characters, limit", "reply too long", "prompts"),
    (r"more than \d+ emoji", "too many emoji", "prompts"),
    (r"reply skill (\S+) not loaded", "reply skill {} not loaded", "skills"),
    (r"strategy (\S+) not loaded", "strategy {} not loaded", "skills"),
    (r"needless skill|skill .* loaded again", "needless skill", "skills"),
    (r"missing call (\w+)", "missing call {}", "tools"),
    (r"needless call|repeated call", "needless call", "tools"),
    (r"not said|none said of", "answer missing", "skills"),
    (r"wrongly said|is not of", "wrong fact", "skills"),
)
"""A verifier's words, what a cluster calls them, and the module that they point at."""


class Seen(Frozen):
    """One failing episode of a cluster."""

    message: str
    reply: str | None
    problems: tuple[str, ...]


class Cluster(Frozen):
    """Episodes that fail alike."""

    finding: str
    module: str
    part: str
    """Name of the part of the harness to look at first; empty where nothing points at one."""
    count: int
    share: float
    """Of all episodes."""
    kinds: dict[str, int]
    """Kind of task to episodes, most first."""
    operators: dict[str, int]
    """Operators of the variants that they were played under, most first; empty for the original harness."""
    seen: tuple[Seen, ...]


def diagnose(pairs: Sequence[tuple[Outcome, Trace]], harness: Harness) -> list[Cluster]:
    """Clusters of the failing episodes, largest first; an episode is in the cluster of its first known finding.

    `pairs`: outcomes with their traces, of suites with a harness; `harness`: the original one.
    """
    groups: defaultdict[tuple[str, str], list[tuple[Outcome, Trace]]] = defaultdict(list)
    for outcome, trace in pairs:
        if outcome.scores.get("score", 1.0) < 1:
            groups[name_of(outcome, trace)].append((outcome, trace))
    clusters = [_cluster(name, members, len(pairs), harness) for name, members in groups.items()]
    return sorted(clusters, key=lambda cluster: (-cluster.count, cluster.finding))


def name_of(outcome: Outcome, trace: Trace) -> tuple[str, str]:
    """The finding and the module of a failing episode."""
    if trace.reply is None:
        hook = next((record.hook for record in reversed(trace.hooks) if record.outcome == "blocked"), "")
        return f"no reply ({trace.stop}{f', {hook}' if hook else ''})", "hooks" if hook else "prompts"
    for problem in outcome.problems:
        for pattern, finding, module in FINDINGS:
            if match := re.search(pattern, problem):
                return finding.format(*match.groups()), module
    return (outcome.problems[0] if outcome.problems else trace.stop), "prompts"


def _cluster(name: tuple[str, str], members: Sequence[tuple[Outcome, Trace]], total: int, harness: Harness) -> Cluster:
    finding, module = name
    return Cluster(
        finding=finding,
        module=module,
        part=_part(finding, module, [trace for _, trace in members], harness),
        count=len(members),
        share=len(members) / total,
        kinds=_counted(outcome.kind for outcome, _ in members),
        operators=_counted(operator for outcome, _ in members for operator in outcome.operators),
        seen=tuple(
            Seen(
                message=trace.situation.message if trace.situation else "",
                reply=trace.reply,
                problems=outcome.problems,
            )
            for outcome, trace in members[:SHOWN]
        ),
    )


def _part(finding: str, module: str, traces: Sequence[Trace], harness: Harness) -> str:
    *_, last = finding.split()
    last = last.strip("()")
    if module == "hooks":
        return last
    if module == "tools" and finding.startswith("missing call"):
        return next((tool.name for tool in harness.tools if last in (tool.bound.tool, *tool.bound.also)), "")
    if finding.endswith("not loaded"):
        skill = harness.skill_for(finding.split()[-3])
        return skill.alias if skill else ""
    if module == "skills":
        used = Counter(skill for trace in traces for skill in trace.skills if skill in harness.skill_by_alias)
        return used.most_common(1)[0][0] if used else ""
    return ""


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())
