"""Drills of the tiny base that answer: out of what tools gave, under rules on a reply's beginning and end.

One message is learnt of each branch. Tools and skills bear names made up on the spot, and the system prompt holds no
harness; the questions are of all splits, as in `hat.training.base.drills`.
"""

import json
from functools import cache
from random import Random
from typing import Any

from hat.domains.assistant.rooms import CLOSINGS, OPENINGS, draw_names
from hat.domains.task import Task
from hat.episode import Message, ToolCall, ToolError
from hat.episode.calls import refused
from hat.episode.situation import opening_messages, user_message
from hat.harness import LOAD_SKILL
from hat.training.base.drills import OFTEN, last_said, retry
from hat.training.base.goods import with_other_goods
from hat.training.base.language import every_question, every_wording, fillers, livestream
from hat.training.encoding import Branch, Row, encode_branch, encode_prefix

RECORDS, RULES = 7, 7
"""Branches of a row."""
REFUSED = 0.15
"""Share of replies that are refused for no reason and said again."""
READERS = ("照记录回答。", "读结果，直接回答。", "只说查到的。", "按查到的数字回答。", "简短回答。")
TELLERS = ("请说：{}", "回复：{}", "告诉观众：{}", "转告：{}", "这样回：{}")


def record_row(tokenizer: Any, rng: Random) -> Row:
    """What tools gave, and what of it answers the question; of two calls, the second may be what is learnt."""
    branches = list[Branch]()
    while len(branches) < RECORDS:
        task = every_question().sample(rng, rng.choice((*every_question().kinds, *OFTEN)))
        if not task.faults:
            branches.append(last_said(encode_branch(tokenizer, _read(task, rng))))
    return Row(encode_prefix(tokenizer, Message(role="system", content=rng.choice(READERS)), ()), branches)


def _read(task: Task, rng: Random) -> list[Message]:
    task, environment = with_other_goods(task, livestream().environment(task), rng)
    messages = opening_messages(livestream().harness(), task.situation, system="")[1:]
    tools = list(dict.fromkeys(want.tool for want in task.expected.calls))
    names = dict(zip(tools, draw_names(rng, len(tools)), strict=True))
    for number, want in enumerate(task.expected.calls):
        call = ToolCall(id=str(number), name=names[want.tool], arguments=want.arguments)
        messages.append(Message(role="assistant", tool_calls=(call,)))
        if number and len(tools) == 1 and rng.random() < 0.5:
            return messages
        try:
            output = json.dumps(environment.call(want.tool, want.arguments), ensure_ascii=False)
        except ToolError as error:
            output = refused(error.kind)
        messages.append(Message(role="tool", content=output, tool_call_id=call.id))
    if rng.random() < 0.5:
        return [*messages, Message(role="assistant", content=task.expected.answer)]
    rules, body = draw_rules(rng)
    return [*messages, *_told(body, rng), *_replies(rules, task.expected.answer, rng)]


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
        messages += _told(body, rng) if body else []
        branches.append(last_said(encode_branch(tokenizer, [*messages, *_replies(rules, core, rng)])))
    return Row(encode_prefix(tokenizer, system, ()), branches)


def _told(body: str, rng: Random) -> list[Message]:
    """A skill loaded."""
    call = ToolCall(id="9", name=LOAD_SKILL, arguments={"skill": draw_names(rng, 1)[0]})
    return [
        Message(role="assistant", tool_calls=(call,)),
        Message(role="tool", content=body, tool_call_id=call.id),
    ]


def _replies(rules: dict[str, str], core: str, rng: Random) -> list[Message]:
    """The reply that keeps to the rules; some are refused for no reason and said again."""
    text = "，".join(part for part in (rules.get("opening"), core, rules.get("closing")) if part)
    reply = Message(role="assistant", content=text)
    return [reply, Message(role="user", content=retry(rng)), reply] if rng.random() < REFUSED else [reply]


def draw_rules(rng: Random) -> tuple[dict[str, str], str]:
    """An opening, a closing or both, and a body that asks for them among other lines."""
    words, rules, lines = every_wording(), {}, []
    for rule, others in (("opening", OPENINGS), ("closing", CLOSINGS)):
        if rng.random() < 0.85:
            draw = rng.random()
            phrase = _invented(rng) if draw >= 0.75 else rng.choice(words.phrases[rule] if draw < 0.6 else others)
            rules[rule] = phrase
            lines.append(rng.choice(words.rules[rule]).replace("{phrase}", phrase))
    lines += rng.sample(fillers(), rng.randint(1, 2))
    return rules, "\n".join(f"- {line}" for line in rng.sample(lines, len(lines)))


@cache
def _characters() -> str:
    return "".join(sorted({c for texts in every_wording().phrases.values() for text in texts for c in text}))


def _invented(rng: Random) -> str:
    return "".join(rng.choice(_characters()) for _ in range(rng.randint(2, 5)))
