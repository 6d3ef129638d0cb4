"""Plays of livestream tasks, right ones and wrong ones, made without a policy."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from random import Random
from typing import Any

from hat.domains.livestream import Livestream
from hat.domains.livestream.split import Split
from hat.domains.oracle import Oracle, compose_reply
from hat.domains.task import Task
from hat.domains.verify import Verdict, verify
from hat.episode import CallRecord, Trace, run_episode
from hat.episode.environment import ToolError
from hat.harness import LOAD_SKILL, Harness

Call = tuple[str, dict[str, Any]]


@cache
def domain(split: Split = "train", locale: str = "zh-CN") -> Livestream:
    return Livestream(split=split, locale=locale)


def task(kind: str, seed: int = 0, faulty: str | None = None) -> Task:
    """A task of a kind; without a fault unless one is named."""
    rng = Random(seed)
    while True:
        made = domain().generator.sample(rng, kind)
        if (faulty in made.faults.values()) if faulty else not made.faults:
            return made


def tasks(kind: str) -> Iterator[Task]:
    """Tasks of a kind without end."""
    return (task(kind, seed) for seed in count())


def oracle_trace(made: Task, harness: Harness, world: Livestream | None = None) -> Trace:
    world = world or domain()
    return run_episode(harness, made.situation, world.environment(made), Oracle(harness, made))


def right_calls(made: Task) -> list[Call]:
    return [(call.tool, call.arguments) for call in made.expected.calls]


def right_skills(made: Task) -> list[str]:
    return [name for name in (made.expected.strategy, made.expected.skill) if name]


def styled(made: Task, core: str) -> str:
    """A reply with another core in the phrases that the harness asks for."""
    return compose_reply(domain().harness(), made.expected.model_copy(update={"answer": core, "short": core}))


def judge(
    made: Task,
    calls: list[Call] | None = None,
    skills: list[str] | None = None,
    core: str | None = None,
    reply: str | None = None,
) -> Verdict:
    """The verdict on a play that is the right one but for what is given."""
    environment = domain().environment(made)
    records = [_execute(environment, *call) for call in (right_calls(made) if calls is None else calls)]
    trace = Trace(
        id=made.id,
        task=made.id,
        harness="",
        policy="test",
        messages=(),
        calls=tuple(records),
        skills=tuple(right_skills(made) if skills is None else skills),
        reply=reply if reply is not None else styled(made, made.expected.answer if core is None else core),
        stop="reply",
    )
    return verify(made, trace, domain().harness())


def _execute(environment: Any, tool: str, arguments: dict[str, Any]) -> CallRecord:
    record = CallRecord(name=tool, arguments=arguments, tool=tool, input=arguments)
    if tool == LOAD_SKILL:
        return record
    try:
        output = environment.call(tool, arguments)
    except ToolError as error:
        return record.model_copy(update={"error": error.kind})
    return record.model_copy(update={"error": "malformed"} if isinstance(output, str) else {"output": output})


def scores(verdict: Verdict) -> tuple[float, float, float, float]:
    return verdict.accuracy, verdict.effectiveness, verdict.tool_rationality, verdict.skill_selection


def row(made: Task, link: int | None = None) -> dict[str, Any]:
    """A product of the task's room: the one asked for, or the one of a link."""
    link = link or made.expected.calls[0].arguments["link_id"]
    return next(product for product in made.world["products"] if product["link_id"] == link)


def other_row(made: Task) -> dict[str, Any]:
    """Another product, with another price, that is not on show either."""
    asked, shown = row(made), made.situation.context.get("current_link_id")
    known = {asked["link_id"], shown, asked["price"]}
    return next(p for p in made.world["products"] if p["link_id"] not in known and p["price"] not in known)


def with_opening(opening: str) -> Harness:
    harness = domain().harness()
    skills = [skill.model_copy(update={"metadata": {**skill.metadata, "opening": opening}}) for skill in harness.skills]
    return harness.model_copy(update={"skills": tuple(skills)})
