"""Rooms of other assistants: a random harness with made-up names and a few questions that its tools answer.

Generic tool calling for the tiny base model: the same loop, rendering and verdicts as everywhere, other duties than the
livestream's, another harness in every room.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from hat.domains.assistant.topics import TOPICS, VALUES, Fact, Topic
from hat.domains.syllables import SYLLABLES
from hat.domains.task import Expected, ExpectedCall, Task
from hat.episode import Situation, ToolError
from hat.harness import LOAD_SKILL, Frozen, Harness, Limit, PromptSection, Skill, Tool

OPENINGS = "亲 您好 好的 收到 朋友 同学 来了 大家好 贵宾 顾客你好".split()
CLOSINGS = "祝你顺利 欢迎再问 随时找我 慢走 谢谢光临 请查收 一路平安 期待再见 多谢关照 辛苦了 祝好运 下次见".split()
OPENING_RULES = ("开头说“{}”。", "先说“{}”。", "第一句是“{}”。", "用“{}”起头。")
CLOSING_RULES = ("结尾说“{}”。", "最后加“{}”。", "收尾用“{}”。", "末句是“{}”。")
PERSONAS = ("你是前台小助手。", "你是值班客服。", "你是智能助理小安。", "你在大厅回答问题。", "你是服务台助手。")
FLOWS = ("先查工具，再读技能，最后回复。", "流程：查工具、读取技能、再回答。", "回答前要查证，并读取技能。")
HONESTY = ("只说查到的内容。", "不编造数字。", "查不到就直说。")
CHATS = "你好呀 大家好 今天真热闹 辛苦啦 第一次来 晚上好 我来了 你真棒".split()
CHAT_ANSWERS = ("欢迎你来", "很高兴见到你")
CHAT_SKILLS = ("打招呼", "闲聊问候", "陪聊天", "寒暄互动")


class Room(Frozen):
    """One harness, questions under it, and what its tools answer."""

    harness: Harness
    tasks: tuple[Task, ...]
    outputs: dict[str, dict[str, Any]]
    """Output by `tool/number`."""

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The output for a subject's number; `not_found` for any other."""
        found = self.outputs.get(f"{tool}/{arguments.get('id', 0)}")
        if found is None:
            raise ToolError("not_found")
        return found


def made_up_name(rng: Random) -> str:
    """Two to four syllables with an underscore, such as `zapo_kiru`."""
    parts = ["".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 2))) for _ in range(2)]
    return "_".join(parts)


def draw_names(rng: Random, count: int, known: Sequence[str] = ()) -> list[str]:
    """Different names; half of them from `known`, if there are any, the others made up."""
    names: dict[str, None] = {}
    while len(names) < count:
        names[rng.choice(known) if known and rng.random() < 0.5 else made_up_name(rng)] = None
    return list(names)


def sample_room(rng: Random, questions: int = 3, most_topics: int = 8, known: Sequence[str] = ()) -> Room:
    """A room of three to `most_topics` topics and so many questions; names may be taken from `known`."""
    topics = rng.sample(TOPICS, rng.randint(3, most_topics))
    groups = _groups(topics, rng)
    harness = _harness(topics, groups, rng, known)
    outputs: dict[str, dict[str, Any]] = {}
    tasks = tuple(_task(topics, groups, outputs, rng) for _ in range(questions))
    return Room(harness=harness, tasks=tasks, outputs=outputs)


def _groups(topics: list[Topic], rng: Random) -> list[list[Topic]]:
    """Topics dealt to skills, one to three each."""
    groups, rest = [], list(topics)
    while rest:
        size = rng.randint(1, 3)
        groups.append(rest[:size])
        rest = rest[size:]
    return groups


def _harness(topics: list[Topic], groups: list[list[Topic]], rng: Random, known: Sequence[str]) -> Harness:
    param, *names = draw_names(rng, 2 + len(topics) + len(groups), [name for name in known if name != LOAD_SKILL])
    param = param if rng.random() < 0.7 else "link_id"
    tools = [_tool(topic, names.pop(), param, rng) for topic in topics]
    rng.shuffle(tools)
    duties = [(f"g{i}", "和".join(_short(t, rng) for t in group)) for i, group in enumerate(groups)]
    duties.append(("chat", rng.choice(CHAT_SKILLS)))
    skills = [_skill(duty, names.pop(), purpose, rng) for duty, purpose in duties]
    rng.shuffle(skills)
    limit = rng.randint(20, 60)
    sections = [
        PromptSection(name="persona", body=rng.choice(PERSONAS)),
        PromptSection(name="flow", body=f"# 流程\n{rng.choice(FLOWS)}"),
        PromptSection(
            name="style",
            body=rng.choice(("# 回复\n最多{max_reply_chars}字。", "# 字数\n不超过{max_reply_chars}字。")),
            limits={"max_reply_chars": Limit(value=limit, min=10, max=90)},
        ),
        PromptSection(name="facts", body=f"# 事实\n{rng.choice(HONESTY)}"),
    ]
    kept = [s for s in sections if s.name == "style" or rng.random() < 0.8]
    order = [*(section.name for section in kept), "skills", "tools"]
    rng.shuffle(order)
    return Harness(name="room", order=tuple(order), sections=tuple(kept), skills=tuple(skills), tools=tuple(tools))


def _short(topic: Topic, rng: Random) -> str:
    """What a skill's description says of a topic: a fact's label or a description of its tool."""
    if rng.random() < 0.5:
        return "".join(fact.label for fact in topic.facts[:2]) + "问答"
    return rng.choice(topic.descriptions)


def _skill(duty: str, name: str, purpose: str, rng: Random) -> Skill:
    rules = {"opening": rng.choice(OPENINGS), "closing": rng.choice(CLOSINGS)}
    lines = [
        rng.choice(wordings).format(rules[key])
        for key, wordings in (("opening", OPENING_RULES), ("closing", CLOSING_RULES))
        if rng.random() < 0.85 or rules.pop(key) is None
    ]
    lines.append(rng.choice(("说清编号和结果。", "直接给出结果。", "回答要简短。")))
    rng.shuffle(lines)
    return Skill(
        name=duty,
        description=rng.choice(("回答{}", "{}", "负责{}", "处理{}")).format(purpose),
        body="\n".join(f"- {line}" for line in lines),
        metadata={"alias": name, "duties": duty, **rules},
    )


def _tool(topic: Topic, name: str, param: str, rng: Random) -> Tool:
    properties = {param: {"type": "integer", "description": f"{topic.subject}号"}} if topic.subject else {}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool.model_validate(
        {
            "name": name,
            "description": rng.choice(topic.descriptions),
            "input_schema": schema,
            "binding": {"tool": topic.key, "params": {param: "id"} if topic.subject else {}},
        }
    )


def value(kind: str, rng: Random) -> str | int:
    """A value of a fact's kind."""
    if kind == "time":
        return f"{rng.randint(7, 23)}:{rng.randint(0, 59):02d}"
    if kind in VALUES:
        return rng.choice(VALUES[kind])
    digits = int(kind[1])
    return rng.randint(1 if digits == 1 else 10 ** (digits - 1), 10**digits - 1)


def _task(topics: list[Topic], groups: list[list[Topic]], outputs: dict[str, dict[str, Any]], rng: Random) -> Task:
    ident = f"room-{rng.getrandbits(40):010x}"
    current, time = rng.randint(1, 60), f"{rng.randint(8, 23)}:{rng.randint(0, 59):02d}"
    context = {"current_link_id": current, "time": time}
    if rng.random() < 0.12:
        expected = Expected(skill="chat", answer=(hello := CHAT_ANSWERS[0]), short=hello, values=(hello,))
        return Task(
            kind="chat",
            situation=Situation(id=ident, message=rng.choice(CHATS), context=context),
            expected=expected,
        )
    topic = rng.choice(topics)
    fact = rng.choice(topic.facts)
    number = current if rng.random() < 0.35 else rng.randint(1, 60)
    key = f"{topic.key}/{number if topic.subject else 0}"
    outputs.setdefault(key, _output(topic, number, rng))
    duty = next(f"g{i}" for i, group in enumerate(groups) if topic in group)
    return Task(
        kind=topic.key,
        situation=Situation(id=ident, message=_question(topic, fact, number, current, rng), context=context),
        expected=_expected(topic, fact, number, outputs[key], duty),
    )


def _output(topic: Topic, number: int, rng: Random) -> dict[str, Any]:
    facts = {fact.key: value(fact.kind, rng) for fact in topic.facts}
    return ({"link_id": number} if topic.subject else {}) | facts


def _question(topic: Topic, fact: Fact, number: int, current: int, rng: Random) -> str:
    asked = rng.choice(fact.questions)
    if topic.subject is None:
        return asked
    if number == current and rng.random() < 0.6:
        return rng.choice(("这个", "现在这个", f"这个{topic.subject}")) + asked
    return rng.choice((f"{number}号{topic.subject}", f"{number}号", f"请问{number}号")) + asked


def _expected(topic: Topic, fact: Fact, number: int, output: dict[str, Any], duty: str) -> Expected:
    said = f"{output[fact.key]}{fact.unit}"
    arguments = {"id": number} if topic.subject else {}
    return Expected(
        skill=duty,
        calls=(ExpectedCall(tool=topic.key, arguments=arguments, needs=(fact.key,)),),
        answer=f"{number}号{fact.label}{said}" if topic.subject else f"{fact.label}{said}",
        short=said,
        values=(str(output[fact.key]),),
    )
