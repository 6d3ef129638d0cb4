"""The dictionary of the tiny base: texts that mean the same, looked up in an index of names made up on the spot.

Short rows, many to a step: out of them grows the look-up that the longer drills then sharpen. They hold wordings of all
splits, the tests' too, since a real base knows its language; none holds an episode or a name that a test uses.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from hat.domains.assistant.rooms import CHATS, draw_names
from hat.domains.assistant.topics import TOPICS
from hat.domains.livestream.kinds import FACTS
from hat.episode import Message, ToolCall
from hat.episode.situation import user_message
from hat.harness import LOAD_SKILL
from hat.hsa.wordings import Texts
from hat.training.base.language import every_word, every_wording
from hat.training.encoding import Branch, Row, encode_branch, encode_prefix

FILLED = {"noun": "毛衣", "variant": "红色", "height": "170", "weight": "60", "other": "5号"}
"""What stands in the slots of a question, beside the link's."""
ASKED = {
    "search_products": ("where", "price_by_name"),
    "get_size_advice": ("size",),
    "get_lottery": ("lottery_time", "lottery_prize"),
    "item_qa": ("where", "price_by_name"),
    "size_advice": ("size",),
    "chat": ("greet", "thanks", "farewell", "clock", "lottery_time", "lottery_prize"),
    "clarification": ("missing_body", "missing_weight"),
    "compare_items": ("compare_price", "compare_weight"),
    "promotion": ("promotion",),
}
"""Kinds of questions that a tool or skill serves, beside the facts of one link."""


@cache
def dictionaries() -> tuple[tuple[Texts, ...], ...]:
    """Ways to cut the language into groups of one meaning: by tool, by kind of question, by skill, by others' topics.

    Within one way no text stands in two groups, so an index of some of its groups names what is meant.
    """
    words = every_wording()
    asked = {kind: tuple(dict.fromkeys(map(_filled, texts))) for kind, texts in every_word().questions.items()}
    served = {key: list(kinds) for key, kinds in ASKED.items()}
    for kind, fact in FACTS.items():
        served.setdefault(fact.tool, []).append(kind)
        served.setdefault(fact.skill, []).append(kind)

    def joined(key: str, texts: Texts) -> Texts:
        return (*texts, *(text for kind in served.get(key, ()) for text in asked[kind]))

    ways = (
        [joined(key, texts) for key, texts in words.tools.items()],
        list(asked.values()),
        [joined(key, texts) for key, texts in words.skills.items()],
        [(*topic.descriptions, *(q for fact in topic.facts for q in fact.questions)) for topic in TOPICS]
        + [tuple(CHATS)],
    )
    return tuple(_disjoint(groups) for groups in ways)


def _filled(question: str) -> str:
    """A question with its slots filled; the link stands before it where only one is meant."""
    return question.format(**FILLED, ref="2号" if "{other}" in question else "")


def _disjoint(groups: list[Texts]) -> tuple[Texts, ...]:
    """The groups without the texts that stand in more than one of them."""
    counts = defaultdict[str, int](int)
    for group in groups:
        for text in dict.fromkeys(group):
            counts[text] += 1
    return tuple(tuple(text for text in dict.fromkeys(group) if counts[text] == 1) for group in groups)


def _drawn(rng: Random, known: Sequence[str]) -> list[tuple[Texts, str]]:
    """Two to nine groups of one way, each with a name."""
    groups = [group for group in rng.choice(dictionaries()) if group]
    chosen = rng.sample(groups, min(len(groups), rng.randint(2, 9)))
    names = draw_names(rng, len(chosen), [name for name in known if name != LOAD_SKILL])
    return list(zip(chosen, names, strict=True))


def lookup_row(tokenizer: Any, rng: Random, known: Sequence[str] = ()) -> Row:
    """An index of a few purposes, then each of them in other words, to be answered by its name."""
    drawn = _drawn(rng, known)
    index = "".join(f"- {rng.choice(group)}：{name}\n" for group, name in drawn)
    ids, trained = list[int](), list[bool]()
    for group, name in rng.sample(drawn, len(drawn)):
        asked = tokenizer.encode(f"{rng.choice(group)}：", add_special_tokens=False)
        said = tokenizer.encode(f"{name}\n", add_special_tokens=False)
        ids += asked + said
        trained += [False] * len(asked) + [True] * len(said)
    return Row(tokenizer.encode(index, add_special_tokens=False), [Branch(ids, trained)])


def call_row(tokenizer: Any, rng: Random, known: Sequence[str] = ()) -> Row:
    """An index in a system prompt; each viewer's words are answered by the call that the index names."""
    drawn, skills = _drawn(rng, known), rng.random() < 0.4
    index = "".join(f"\n- {rng.choice(group)}：{name}" for group, name in drawn)
    system = Message(role="system", content=("# 技能" if skills else "# 工具") + index)
    branches = []
    for group, name in drawn:
        number, current = rng.randint(1, 60), rng.randint(1, 60)
        number = current if (here := rng.random() < 0.3) else number
        asked = rng.choice(("这个", "这款", "") if here else (f"{number}号", f"{number}号链接", f"请问{number}号"))
        said = user_message({"current_link_id": current, "time": "20:15"}, asked + rng.choice(group))
        arguments: dict[str, Any] = {"skill": name} if skills else {"link_id": number}
        call = ToolCall(id="1", name=LOAD_SKILL if skills else name, arguments=arguments)
        branches.append(encode_branch(tokenizer, [said, Message(role="assistant", tool_calls=(call,))]))
    return Row(encode_prefix(tokenizer, system, ()), branches)
