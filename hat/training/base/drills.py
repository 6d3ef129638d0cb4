"""Drills of the tiny base, one thing each: copy, follow an order, choose the next act under an index; see `answers`.

They are the dictionary of a model too small to have met its language elsewhere. The drills that choose and answer hold
wordings of all splits, the tests' too, each in one step under names made up on the spot. None holds an episode, the
example's own descriptions and rules, or an edit.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from hat.domains.assistant import sample_room
from hat.domains.assistant.rooms import draw_names
from hat.domains.general import GeneralTask
from hat.domains.oracle import Oracle, bind, script
from hat.domains.task import Expected, Task
from hat.episode import Environment, Message, ToolCall, run_episode
from hat.episode.calls import refused
from hat.episode.situation import opening_messages
from hat.harness import LOAD_SKILL, Harness, render_system, tool_schemas
from hat.hsa.augment import BY_NAME
from hat.hsa.copies import replace
from hat.hsa.mentions import rename_skills, rename_tools
from hat.hsa.names import names_of
from hat.hsa.operator import Context
from hat.training.base.goods import with_other_goods
from hat.training.base.language import every_question, every_wording, fillers, livestream
from hat.training.encoding import Branch, Row, encode_branch, encode_prefix

CHOICES = 14
"""Questions of a row."""
REFUSED = 0.25
"""Share of calls that are refused for no reason and made again."""
TRIES = 8
"""Tasks drawn for one that an index can serve."""
FIRST = 0.35
"""How surely what is learnt is the first call of its play."""
REPLIED = 0.4
"""How surely, else, it is the reply."""
SHOWN = ("tools", "skills", "both", "both")
"""What an index may hold; of both, whole plays can be made."""
SCHEMAS = 0.9
"""Share of indexes of tools that come with schemas."""
RENAMED = 0.85
"""Share of indexes with schemas in which parameters bear made-up names."""
OTHER_ROOMS = 0.1
"""Share of indexes that belong to another assistant."""
OFTEN = tuple(
    "where where price_by_name price_by_name unknown_product unknown_product size size size promotion promotion clock "
    "follow compare_price compare_price compare_weight compare_weight deal_end missing_link lottery_prize color".split()
)
"""Kinds that are asked more often: what they take is copied from far, told from earlier turns, missing or compared."""
OPERATORS = (
    "describe_skills",
    "distractor_skills",
    "reorder_skills",
    "describe_tools",
    "distractor_tools",
    "reorder_tools",
)


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
    """An index of tools, of skills, or of both; each viewer's words are answered by an act of a right play.

    Where there are both it may be any of its calls, or the reply; else it is the first call.
    """
    schemas, domain = rng.random() < SCHEMAS, livestream().environment
    if rng.random() < OTHER_ROOMS:
        room = sample_room(rng, CHOICES, 9, known)
        harness, tasks, schemas, domain = room.harness, list(room.tasks), True, lambda task: room
    else:
        tasks = []
        while not tasks:
            harness = index(rng, known, params=schemas)
            tasks = _served(harness, rng)
    branches = []
    for task in tasks:
        *said, act = _until_an_act(harness, *with_other_goods(task, domain(task), rng), rng)
        if act.tool_calls and rng.random() < REFUSED:
            (made,) = act.tool_calls
            said += [act, Message(role="tool", content=refused("blocked", retry(rng)), tool_call_id=made.id)]
        branches.append(last_said(encode_branch(tokenizer, [*said, act])))
    system = Message(role="system", content=render_system(harness))
    return Row(encode_prefix(tokenizer, system, tool_schemas(harness) if schemas and harness.tools else ()), branches)


def _until_an_act(harness: Harness, task: Task, environment: Environment, rng: Random) -> list[Message]:
    """What was said up to a call or the reply of a right play, and that."""
    if harness.skills and harness.tools:
        messages = run_episode(harness, task.situation, environment, Oracle(harness, task)).messages[1:]
        calls = [place for place, message in enumerate(messages) if message.tool_calls]
        if rng.random() < FIRST:
            return list(messages[: calls[0] + 1])
        return list(messages if rng.random() < REPLIED else messages[: rng.choice(calls) + 1])
    name, arguments = first_step(harness, task.expected) or (LOAD_SKILL, {})
    call = ToolCall(id="1", name=name, arguments=arguments)
    said = opening_messages(harness, task.situation, system="")[1:]
    return [*said, Message(role="assistant", tool_calls=(call,))]


def index(rng: Random, known: Sequence[str], params: bool) -> Harness:
    """Some tools or skills of the example, or both, described and named anew, beside others.

    `known`: names that they may bear, whatever they stand for; `params`: whether parameters have other names too.
    """
    original, shown = livestream().harness(), rng.choice(SHOWN)
    tools = () if shown == "skills" else rng.sample(original.tools, rng.randint(2, len(original.tools)))
    skills = () if shown == "tools" else rng.sample(original.skills, rng.randint(2, len(original.skills)))
    order = rng.sample([part for part, items in (("tools", tools), ("skills", skills)) if items], 1 + (shown == "both"))
    harness = replace(
        original,
        tools=tuple(tools),
        skills=tuple(replace(skill, body=f"- {rng.choice(fillers())}", allowed_tools=()) for skill in skills),
        sections=(),
        hooks=(),
        order=tuple(order),
    )
    context = Context(every_wording(), "train", 1.0, None, set(names_of(original)), silent=True)
    borrowed = known and rng.random() < 0.3
    renamed = ("rename_params",) if params and rng.random() < RENAMED else ()
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


def _served(harness: Harness, rng: Random) -> list[Task]:
    """Tasks of which the harness tells the first step."""
    questions, tasks = every_question(), []
    for _ in range(CHOICES * TRIES):
        task = questions.sample(rng, rng.choice((*questions.kinds, *OFTEN)))
        if first_step(harness, task.expected):
            tasks.append(task)
        if len(tasks) == CHOICES:
            break
    return tasks


def retry(rng: Random) -> str:
    """A neutral message that asks to do the same again, in a shape that hooks use."""
    words = every_wording()
    message = rng.choice(words.retry)
    return rng.choice(words.forms).replace("{}", message) if rng.random() < 0.4 else message


def last_said(branch: Branch) -> Branch:
    """The branch with only the assistant's last message learnt."""
    last = len(branch.trained) - branch.trained[::-1].index(True)
    start = last
    while branch.trained[start - 1]:
        start -= 1
    return Branch(branch.ids, [start <= place < last for place in range(len(branch.ids))])
