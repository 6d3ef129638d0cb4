"""Drills of the tiny base, one thing each: copy, choose from an index, read a record, keep to a rule, follow orders.

They are the dictionary of a model too small to have met its language elsewhere. The drills that choose, read and keep
to a rule hold wordings of all splits, the tests' too, each in one step under an index of names made up on the spot.
None holds an episode, the example's own descriptions and rules, or an edit.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Any

from hat.domains.assistant import sample_room
from hat.domains.assistant.rooms import CLOSINGS, OPENINGS, draw_names
from hat.domains.general import GeneralTask
from hat.domains.oracle import bind, script
from hat.domains.task import Expected, Task
from hat.episode import Message, ToolCall, ToolError
from hat.episode.situation import opening_messages, user_message
from hat.harness import LOAD_SKILL, Harness, render_system, tool_schemas
from hat.hsa.augment import BY_NAME
from hat.hsa.copies import replace
from hat.hsa.mentions import rename_skills, rename_tools
from hat.hsa.names import names_of
from hat.hsa.operator import Context
from hat.training.base.language import every_question, every_wording, livestream
from hat.training.encoding import Branch, Row, encode_branch, encode_prefix

CHOICES, RECORDS, RULES = 14, 7, 7
"""Branches of a row."""
TRIES = 8
"""Tasks drawn for one that an index can serve."""
SCHEMAS = 0.6
"""Share of indexes of tools that come with schemas."""
OTHER_ROOMS = 0.25
"""Share of indexes that belong to another assistant."""
OPERATORS = (
    "describe_skills",
    "distractor_skills",
    "reorder_skills",
    "describe_tools",
    "distractor_tools",
    "reorder_tools",
)
READERS = ("照记录回答。", "读结果，直接回答。", "只说查到的。", "按查到的数字回答。", "简短回答。")
TELLERS = ("请说：{}", "回复：{}", "告诉观众：{}", "转告：{}", "这样回：{}")


def copy_row(characters: Sequence[int], rng: Random) -> Row:
    """A random string said three times; the second and third are learnt."""
    word = [rng.choice(characters) for _ in range(rng.randint(5, 14))]
    learnt = [position > 0 for position in range(len(word))]
    return Row(word[:1], [Branch(word[1:] + word * 2, [False] * (len(word) - 1) + learnt * 2)])


def general_row(tokenizer: Any, tasks: Iterable[GeneralTask]) -> Row:
    """General prompts and their answers, each a branch."""
    branches = [
        encode_branch(tokenizer, [Message(role="user", content=t.prompt), Message(role="assistant", content=t.answer)])
        for t in tasks
    ]
    first = branches[0].ids[:1]
    return Row(first, [Branch(branch.ids[1:], branch.trained[1:]) for branch in branches])


def choice_row(tokenizer: Any, rng: Random, known: Sequence[str] = ()) -> Row:
    """An index of tools, of skills, or of both; each viewer's words are answered by the first call of a right play."""
    schemas = rng.random() < SCHEMAS
    if rng.random() < OTHER_ROOMS:
        room = sample_room(rng, CHOICES, 9, known)
        harness, tasks, schemas = room.harness, list(room.tasks), True
    else:
        tasks = []
        while not tasks:
            harness = index(rng, known, params=schemas)
            tasks = _served(harness, rng)
    branches = []
    for task in tasks:
        name, arguments = first_step(harness, task.expected) or (LOAD_SKILL, {})
        call = ToolCall(id="1", name=name, arguments=arguments)
        said = opening_messages(harness, task.situation, system="")[1:]
        branch = encode_branch(tokenizer, [*said, Message(role="assistant", tool_calls=(call,))])
        branches.append(last_said(branch))
    system = Message(role="system", content=render_system(harness))
    return Row(encode_prefix(tokenizer, system, tool_schemas(harness) if schemas and harness.tools else ()), branches)


def index(rng: Random, known: Sequence[str], params: bool) -> Harness:
    """Some tools or skills of the example, or both, described and named anew, beside others.

    `known`: names that they may bear, whatever they stand for; `params`: whether parameters have other names too.
    """
    original, shown = livestream().harness(), rng.choice(("tools", "skills", "both"))
    tools = () if shown == "skills" else rng.sample(original.tools, rng.randint(2, len(original.tools)))
    skills = () if shown == "tools" else rng.sample(original.skills, rng.randint(2, len(original.skills)))
    order = rng.sample([part for part, items in (("tools", tools), ("skills", skills)) if items], 1 + (shown == "both"))
    harness = replace(
        original,
        tools=tuple(tools),
        skills=tuple(replace(skill, body="", allowed_tools=()) for skill in skills),
        sections=(),
        hooks=(),
        order=tuple(order),
    )
    context = Context(every_wording(), "train", 1.0, None, set(names_of(original)), silent=True)
    borrowed = known and rng.random() < 0.3
    renamed = ("rename_params",) if params and rng.random() < 0.7 else ()
    for name in (*renamed, *(() if borrowed else ("rename_tools", "rename_skills")), *OPERATORS):
        there = harness.skills if "skill" in name else harness.tools
        if there and (change := BY_NAME[name].apply(harness, rng, context)):
            harness = change.harness
    return _borrowing(harness, rng, known) if borrowed else harness


def _borrowing(harness: Harness, rng: Random, known: Sequence[str]) -> Harness:
    names = [*(tool.name for tool in harness.tools), *(skill.alias for skill in harness.skills)]
    given = dict(zip(names, draw_names(rng, len(names), [name for name in known if name != LOAD_SKILL]), strict=True))
    changed = rename_tools(harness, {tool.name: given[tool.name] for tool in harness.tools}, silent=True)
    return rename_skills(changed, {skill.alias: given[skill.alias] for skill in harness.skills}, silent=True)


def first_step(harness: Harness, expected: Expected) -> tuple[str, dict[str, Any]] | None:
    """The first call of a right play, as far as the harness goes; None if it does not tell which."""
    try:
        if harness.skills and harness.tools:
            return script(harness, expected)[0]
        if harness.tools:
            return bind(harness, expected.calls[0])[0] if expected.calls else None
    except LookupError:
        return None
    if expected.skill == "clarification" and expected.calls:
        return None
    skill = harness.skill_for(expected.strategy or expected.skill)
    return (LOAD_SKILL, {"skill": skill.alias}) if skill else None


def record_row(tokenizer: Any, rng: Random) -> Row:
    """What a tool gave, and what of it answers the question."""
    branches = list[Branch]()
    while len(branches) < RECORDS:
        task = every_question().sample(rng, rng.choice(every_question().kinds))
        if task.expected.calls and not task.faults and (read := _read(task, rng)):
            branches.append(last_said(encode_branch(tokenizer, read)))
    return Row(encode_prefix(tokenizer, Message(role="system", content=rng.choice(READERS)), ()), branches)


def _read(task: Task, rng: Random) -> list[Message] | None:
    environment, situation = livestream().environment(task), task.situation
    messages = opening_messages(livestream().harness(), situation, system="")[1:]
    for number, want in enumerate(task.expected.calls):
        call = ToolCall(id=str(number), name=draw_names(rng, 1)[0], arguments=want.arguments)
        try:
            output = environment.call(want.tool, want.arguments)
        except ToolError:
            return None
        messages += [
            Message(role="assistant", tool_calls=(call,)),
            Message(role="tool", content=json.dumps(output, ensure_ascii=False), tool_call_id=call.id),
        ]
    return [*messages, Message(role="assistant", content=task.expected.answer)]


def rule_row(tokenizer: Any, rng: Random) -> Row:
    """Rules on how a reply begins and ends, in a skill's body or the system prompt, and replies that keep to them."""
    if rng.random() < 0.4:
        rules, body = draw_rules(rng)
        system, told = Message(role="system", content=body), [(rules, "")] * RULES
    else:
        system, told = Message(role="system", content=rng.choice(READERS)), [draw_rules(rng) for _ in range(RULES)]
    branches = []
    for rules, body in told:
        core = every_question().sample(rng).expected.answer
        messages = [user_message({}, rng.choice(TELLERS).format(core))]
        if body:
            call = ToolCall(id="1", name=LOAD_SKILL, arguments={"skill": draw_names(rng, 1)[0]})
            messages += [
                Message(role="assistant", tool_calls=(call,)),
                Message(role="tool", content=body, tool_call_id="1"),
            ]
        reply = "，".join(part for part in (rules.get("opening"), core, rules.get("closing")) if part)
        branches.append(last_said(encode_branch(tokenizer, [*messages, Message(role="assistant", content=reply)])))
    return Row(encode_prefix(tokenizer, system, ()), branches)


def draw_rules(rng: Random) -> tuple[dict[str, str], str]:
    """An opening, a closing or both, and a body that asks for them among other lines."""
    words, rules, lines = every_wording(), {}, []
    for rule, others in (("opening", OPENINGS), ("closing", CLOSINGS)):
        if rng.random() < 0.85:
            draw = rng.random()
            phrase = _invented(rng) if draw >= 0.75 else rng.choice(words.phrases[rule] if draw < 0.6 else others)
            rules[rule] = phrase
            lines.append(rng.choice(words.rules[rule]).replace("{phrase}", phrase))
    lines += rng.sample(_fillers(), rng.randint(1, 2))
    return rules, "\n".join(f"- {line}" for line in rng.sample(lines, len(lines)))


@cache
def _fillers() -> list[str]:
    """Sentences that ask for no phrase and hold no slot."""
    return [text for texts in dict.fromkeys(every_wording().sentences.values()) for text in texts if "{" not in text]


@cache
def _characters() -> str:
    return "".join(sorted({c for texts in every_wording().phrases.values() for text in texts for c in text}))


def _invented(rng: Random) -> str:
    return "".join(rng.choice(_characters()) for _ in range(rng.randint(2, 5)))


def _served(harness: Harness, rng: Random) -> list[Task]:
    """Tasks of which the harness tells the first step."""
    questions, tasks = every_question(), []
    for _ in range(CHOICES * TRIES):
        task = questions.sample(rng, rng.choice(questions.kinds))
        if first_step(harness, task.expected):
            tasks.append(task)
        if len(tasks) == CHOICES:
            break
    return tasks


def last_said(branch: Branch) -> Branch:
    """The branch with only the assistant's last message learnt."""
    last = len(branch.trained) - branch.trained[::-1].index(True)
    start = last
    while branch.trained[start - 1]:
        start -= 1
    return Branch(branch.ids, [start <= place < last for place in range(len(branch.ids))])
