"""Verdicts by program: what a trace is worth against what its task expects, under the harness it was played with.

Four parts, the paper's rewards, each judged on its own; accuracy also asks for the calls and the reply skill, because a
fact that is right by luck is not an answer.
"""

import re

from hat.domains.facts import TAIL, check_facts
from hat.domains.numerals import numbers
from hat.domains.task import Expected, ExpectedCall, Task
from hat.domains.verdict import Verdict
from hat.episode import CallRecord, Trace
from hat.harness import LOAD_SKILL, Harness

__all__ = ["Verdict", "numbers", "verify"]

EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")
RETRIED = 1
"""Repeats of a call that failed which are not held against a play."""


def verify(task: Task, trace: Trace, harness: Harness) -> Verdict:
    """Score a trace. A trace without a reply scores 0 in accuracy and effectiveness."""
    problems: list[str] = []
    tool_rationality = _tools(task.expected, trace.calls, problems)
    skill_selection = _skills(task.expected, trace, harness, problems)
    wrong = check_facts(task, trace, harness)
    problems += wrong
    return Verdict(
        accuracy=float(not wrong and tool_rationality > 0 and skill_selection > 0),
        effectiveness=_style(task.expected, trace, harness, problems),
        tool_rationality=tool_rationality,
        skill_selection=skill_selection,
        problems=tuple(problems),
    )


def _tools(expected: Expected, calls: tuple[CallRecord, ...], problems: list[str]) -> float:
    made = [call for call in calls if call.name != LOAD_SKILL and call.error != "blocked"]
    needed: set[int] = set()
    repeated = None
    for want in expected.calls:
        hits = [index for index, call in enumerate(made) if _is(want, call)]
        if not _served(want, [made[index] for index in hits]):
            problems.append(f"missing call {want.tool}({want.arguments})")
            return 0.0
        needed.update(hits)
        repeated = repeated or _repeat([made[index] for index in hits])
    extra = next((call for index, call in enumerate(made) if index not in needed), None)
    if extra is not None:
        problems.append(f"needless call {extra.name}({extra.arguments})")
    elif repeated is not None:
        problems.append(f"repeated call {repeated.name}({repeated.arguments})")
    return 1.0 if extra is None and repeated is None else 0.5


def _is(want: ExpectedCall, call: CallRecord) -> bool:
    if want.tool not in (call.tool, *call.also) or call.input.keys() != want.arguments.keys():
        return False
    return all(_same(call.input[key], value, key in want.loose) for key, value in want.arguments.items())


def _same(given: object, wanted: object, loose: bool) -> bool:
    if given == wanted and not isinstance(given, bool):
        return True
    one, other = str(given).strip(), str(wanted)
    return one == other or (loose and one != "" and (one in other or other in one))


def _served(want: ExpectedCall, hits: list[CallRecord]) -> bool:
    """Whether the calls got what is needed; where nothing is, whether they were made often enough."""
    if not want.needs:
        return len(hits) >= want.attempts
    got = {key for call in hits if call.error is None and isinstance(call.output, dict) for key in call.output}
    return got.issuperset(want.needs)


def _repeat(hits: list[CallRecord]) -> CallRecord | None:
    """The first call that asks again for what is known, or for what failed twice already."""
    answered: set[str] = set()
    failed: dict[str, int] = {}
    for call in hits:
        if call.name in answered or failed.get(call.name, 0) > RETRIED:
            return call
        if call.error is None:
            answered.add(call.name)
        else:
            failed[call.name] = failed.get(call.name, 0) + 1
    return None


def _skills(expected: Expected, trace: Trace, harness: Harness, problems: list[str]) -> float:
    loaded = [skill for alias in trace.skills if (skill := harness.skill_by_alias.get(alias))]
    duties = {duty for skill in loaded for duty in skill.duties}
    if expected.skill not in duties:
        problems.append(f"reply skill {expected.skill} not loaded")
        return 0.0
    wanted = {expected.skill, expected.strategy}
    needless = next((skill.alias for skill in loaded if not wanted & set(skill.duties)), None)
    doubled = next((alias for alias in trace.skills if trace.skills.count(alias) > 1), None)
    if needless or doubled:
        problems.append(f"needless skill {needless}" if needless else f"skill {doubled} loaded again")
        return 0.5
    if expected.strategy and expected.strategy not in duties and harness.skill_for(expected.strategy):
        problems.append(f"strategy {expected.strategy} not loaded")
        return 0.5
    return 1.0


def _style(expected: Expected, trace: Trace, harness: Harness, problems: list[str]) -> float:
    reply = trace.reply
    if not reply:
        return 0.0
    rules = harness.rules_for(harness.skill_for(expected.skill))
    limit, emoji = harness.limits.get("max_reply_chars"), harness.limits.get("max_emoji")
    misses = []
    if "opening" in rules and not reply.startswith(rules["opening"]):
        misses.append(f"opening {rules['opening']!r} missed")
    if "closing" in rules and not reply.rstrip(TAIL).endswith(rules["closing"].rstrip(TAIL)):
        misses.append(f"closing {rules['closing']!r} missed")
    if limit is not None and len(reply) > limit:
        misses.append(f"{len(reply)} characters, limit {limit}")
    if emoji is not None and not reply.isascii() and len(EMOJI.findall(reply)) > emoji:
        misses.append(f"more than {emoji} emoji")
    problems += misses
    return max(0.0, 1 - len(misses) / 2)
