"""Verdicts by program: what a trace is worth against what its task expects, under the harness it was played with."""

import re

from hat.domains.task import Expected, Task
from hat.episode import CallRecord, Trace
from hat.harness import LOAD_SKILL, Frozen, Harness

TAIL = "。！!~～.？?… "
"""Marks that may follow a closing phrase."""


class Verdict(Frozen):
    """Scores of one trace; the paper's four reward parts."""

    accuracy: float
    """0 or 1: every expected fact said, nothing false, by the calls and the reply skill that the task needs."""
    effectiveness: float
    """0, 0.5 or 1: a half is lost for each of opening, closing and length that the harness asks for and the reply misses."""
    tool_rationality: float
    """1 if the needed calls were made and no others, 0.5 if others too, 0 if one is missing."""
    skill_selection: float
    """1 if the expected skills were loaded and no others, 0.5 if others too, 0 if the reply skill is missing."""
    problems: tuple[str, ...] = ()
    """What was wrong, in words."""

    @property
    def score(self) -> float:
        """One figure: accuracy, halved where the style is all wrong: accuracy * (1 + effectiveness) / 2."""
        return self.accuracy * (1 + self.effectiveness) / 2


def numbers(text: str) -> list[str]:
    """Numbers in a text as written, without leading zeros: `9.90` stays, `007` is `7`."""
    return [re.sub(r"^0+(?=\d)", "", number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def verify(task: Task, trace: Trace, harness: Harness) -> Verdict:
    """Score a trace. A trace without a reply scores 0 in accuracy and effectiveness."""
    problems: list[str] = []
    tool_rationality = _tools(task.expected, trace.calls, problems)
    skill_selection = _skills(task.expected, trace, harness, problems)
    facts = _facts(task.expected, trace, problems)
    return Verdict(
        accuracy=float(facts and tool_rationality > 0 and skill_selection > 0),
        effectiveness=_style(task.expected, trace, harness, problems),
        tool_rationality=tool_rationality,
        skill_selection=skill_selection,
        problems=tuple(problems),
    )


def _tools(expected: Expected, calls: tuple[CallRecord, ...], problems: list[str]) -> float:
    made = [call for call in calls if call.tool != LOAD_SKILL]
    needed: list[CallRecord] = []
    for want in expected.calls:
        hits = [c for c in made if c.tool == want.tool and _covers(c.input, want.arguments) and c.error != "blocked"]
        got = {key for call in hits if isinstance(call.output, dict) for key in call.output}
        if len(hits) < want.attempts or not set(want.needs) <= got and any(c.error is None for c in hits):
            problems.append(f"missing call {want.tool}({want.arguments})")
            return 0.0
        needed += hits
    extra = [c for c in made if c not in needed and c.error != "blocked"]
    repeated = len(needed) > sum(want.attempts for want in expected.calls) and not any(c.error for c in needed)
    if extra:
        problems.append(f"needless call {extra[0].name}({extra[0].arguments})")
    return 0.5 if extra or (repeated and not _split(needed)) else 1.0


def _covers(given: dict[str, object], wanted: dict[str, object]) -> bool:
    return {key: str(value) for key, value in given.items()} == {key: str(value) for key, value in wanted.items()}


def _split(calls: list[CallRecord]) -> bool:
    return len({call.name for call in calls}) == len(calls)


def _skills(expected: Expected, trace: Trace, harness: Harness, problems: list[str]) -> float:
    loaded = [harness.skill_by_alias[alias] for alias in trace.skills]
    duties = {duty for skill in loaded for duty in skill.duties}
    if expected.skill not in duties:
        problems.append(f"reply skill {expected.skill} not loaded")
        return 0.0
    wanted = {expected.skill, expected.strategy}
    needless = [skill.alias for skill in loaded if not wanted & set(skill.duties)]
    lacking = expected.strategy and expected.strategy not in duties and harness.skill_for(expected.strategy)
    if needless or lacking:
        problems.append(f"needless skill {needless[0]}" if needless else f"strategy {expected.strategy} not loaded")
        return 0.5
    return 1.0


def _facts(expected: Expected, trace: Trace, problems: list[str]) -> bool:
    if trace.reply is None:
        problems.append(f"no reply ({trace.stop})")
        return False
    spoken = numbers(trace.reply)
    missing = [v for v in expected.values if (v not in spoken if v in numbers(v) else v not in trace.reply)]
    false = [v for v in expected.forbidden if (v in spoken if v in numbers(v) else v in trace.reply)]
    allowed = {n for text in (expected.answer, expected.short, *expected.values) for n in numbers(text)}
    invented = [n for n in spoken if n not in allowed]
    problems += [f"not said: {v}" for v in missing] + [f"wrongly said: {v}" for v in [*false, *invented]]
    return not (missing or false or invented)


def _style(expected: Expected, trace: Trace, harness: Harness, problems: list[str]) -> float:
    if trace.reply is None:
        return 0.0
    rules = harness.rules_for(harness.skill_for(expected.skill))
    limit = harness.limits.get("max_reply_chars")
    misses = []
    if "opening" in rules and not trace.reply.startswith(rules["opening"]):
        misses.append(f"opening {rules['opening']!r} missed")
    if "closing" in rules and not trace.reply.rstrip(TAIL).endswith(rules["closing"].rstrip(TAIL)):
        misses.append(f"closing {rules['closing']!r} missed")
    if limit is not None and len(trace.reply) > limit:
        misses.append(f"{len(trace.reply)} characters, limit {limit}")
    problems += misses
    return max(0.0, 1 - len(misses) / 2)
