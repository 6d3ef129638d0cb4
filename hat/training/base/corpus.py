"""What the tiny base is pre-trained on: copying, a dictionary, general instructions, rooms of assistants, live rooms.

Agent rows show rooms of other assistants and, at the end, live rooms under harnesses in which every name and wording
was changed, all played by a sloppy demonstrator on the train split: like any real base it has met such work, never
the example's own harness. The dictionary shows wordings of every tool, skill and question, test ones too: a real base
knows its language.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from hat.domains.assistant import sample_room
from hat.domains.assistant.rooms import CHATS, Room, draw_names
from hat.domains.assistant.topics import TOPICS
from hat.domains.general import GeneralTask, GeneralTasks
from hat.domains.livestream import Livestream
from hat.domains.livestream.lexicon import lexicon
from hat.domains.livestream.split import SPLITS
from hat.domains.livestream.wordings import wordings
from hat.domains.oracle import Oracle
from hat.domains.task import Task
from hat.episode import Message, ToolCall, Trace, run_episode, user_message
from hat.harness import Harness, tool_schemas
from hat.hsa import augment, needs
from hat.training.encoding import Branch, Row, encode_branch, encode_prefix

FORGETS_OPENING, FORGETS_CLOSING = 0.45, 0.15
"""How often the sloppy demonstrator leaves out a phrase that the skill asks for."""


def copy_row(characters: Sequence[int], rng: Random) -> Row:
    """A random string said three times; the second and third are learnt."""
    word = [rng.choice(characters) for _ in range(rng.randint(5, 14))]
    learnt = [position > 0 for position in range(len(word))]
    return Row(word[:1], [Branch(word[1:] + word * 2, [False] * (len(word) - 1) + learnt * 2)])


ASKED_OF = {
    "get_stock": "stock",
    "search_products": "where",
    "get_size_advice": "size",
    "get_coupons": "coupon",
    "get_promotion": "deal",
    "get_delivery": "delivery",
    "get_after_sales_policy": "returns",
    "get_lottery": "lottery_time",
}
"""Tools that answer one kind of question: its wordings mean what the tool's descriptions mean."""
FILLED = {"ref": "", "noun": "毛衣", "variant": "红色", "height": "170", "weight": "60", "a": "2号", "b": "5号"}
"""What stands in the slots of a question in the dictionary."""


def questions() -> dict[str, tuple[str, ...]]:
    """Viewers' questions by kind, of every split."""
    splits = [wordings("zh-CN", split).questions for split in SPLITS]
    slots = defaultdict(lambda: "3", FILLED)
    return {kind: tuple(text.format_map(slots) for split in splits for text in split[kind]) for kind in splits[0]}


def dictionary() -> list[tuple[str, ...]]:
    """Groups of texts that mean the same: descriptions and questions, by tool, skill, kind and topic."""
    words, asked = lexicon("zh-CN"), questions()
    groups = [(*texts, *asked.pop(ASKED_OF.get(tool, ""), ())) for tool, texts in words.tools.items()]
    groups += [*words.skills.values(), *asked.values()]
    groups += [
        tuple(dict.fromkeys([*topic.descriptions, *(q for f in topic.facts for q in f.questions)])) for topic in TOPICS
    ]
    return [*groups, tuple(CHATS)]


def dictionary_row(tokenizer: Any, groups: Sequence[tuple[str, ...]], rng: Random, known: Sequence[str] = ()) -> Row:
    """An index of a few purposes with made-up names, then other wordings to be looked up in it."""
    chosen = rng.sample(groups, rng.randint(2, 8))
    names = draw_names(rng, len(chosen), known)
    index = "".join(f"- {rng.choice(group)}：{name}\n" for group, name in zip(chosen, names, strict=True))
    prefix = tokenizer.encode(index, add_special_tokens=False)
    ids, trained = [], []
    for group, name in rng.sample(list(zip(chosen, names, strict=True)), len(chosen)):
        asked = tokenizer.encode(f"{rng.choice(group)}：", add_special_tokens=False)
        said = tokenizer.encode(f"{name}\n", add_special_tokens=False)
        ids += asked + said
        trained += [False] * len(asked) + [True] * len(said)
    return Row(prefix, [Branch(ids, trained)])


def call_row(tokenizer: Any, groups: Sequence[tuple[str, ...]], rng: Random, known: Sequence[str] = ()) -> Row:
    """An index in a system prompt; each viewer's words are answered by the call that the index names."""
    chosen = rng.sample(groups, rng.randint(2, 9))
    names = draw_names(rng, len(chosen), known)
    skills = rng.random() < 0.4
    index = "".join(f"\n- {rng.choice(group)}：{name}" for group, name in zip(chosen, names, strict=True))
    system = Message(role="system", content=("# 技能" if skills else "# 工具") + index)
    branches = []
    for group, name in zip(chosen, names, strict=True):
        number, current = rng.randint(1, 60), rng.randint(1, 60)
        number = current if (here := rng.random() < 0.3) else number
        asked = rng.choice(("这个", "这款", "") if here else (f"{number}号", f"{number}号链接", f"请问{number}号"))
        said = user_message({"current_link_id": current, "time": "20:15"}, asked + rng.choice(group))
        arguments: dict[str, Any] = {"skill": name} if skills else {"link_id": number}
        call = ToolCall(id="1", name="load_skill" if skills else name, arguments=arguments)
        branches.append(encode_branch(tokenizer, [said, Message(role="assistant", tool_calls=(call,))]))
    return Row(encode_prefix(tokenizer, system, ()), branches)


def general_row(tokenizer: Any, task: GeneralTask) -> Row:
    """One general prompt and its answer."""
    messages = [Message(role="user", content=task.prompt), Message(role="assistant", content=task.answer)]
    branch = encode_branch(tokenizer, messages)
    return Row(branch.ids[:1], [Branch(branch.ids[1:], branch.trained[1:])])


def sloppy(harness: Harness, rng: Random) -> Harness:
    """The harness as a careless demonstrator reads it: some phrases overlooked."""
    skills = []
    for skill in harness.skills:
        gone = {"opening"} if (draw := rng.random()) < FORGETS_OPENING else set()
        gone |= {"closing"} if FORGETS_OPENING <= draw < FORGETS_OPENING + FORGETS_CLOSING else set()
        kept = {key: text for key, text in skill.metadata.items() if key not in gone}
        skills.append(skill.model_copy(update={"metadata": kept}))
    return harness.model_copy(update={"skills": tuple(skills)})


def play(room: Room, task: Task, rng: Random) -> Trace:
    """One sloppy demonstration."""
    return run_episode(room.harness, task.situation, room, Oracle(sloppy(room.harness, rng), task))


def room_row(tokenizer: Any, rng: Random, most_topics: int, known: Sequence[str] = (), questions: int = 3) -> Row:
    """A room of another assistant with a few demonstrations."""
    room = sample_room(rng, questions, most_topics, known)
    traces = [play(room, task, rng) for task in room.tasks]
    prefix = encode_prefix(tokenizer, traces[0].messages[0], tool_schemas(room.harness))
    return Row(prefix, [encode_branch(tokenizer, trace.messages[1:]) for trace in traces])


def stream_row(tokenizer: Any, domain: Livestream, rng: Random, questions: int = 4) -> Row:
    """A live room under a variant in which every operator was at work, with a few demonstrations."""
    tasks = [domain.sample(rng) for _ in range(questions)]
    keep = needs(tasks) if rng.random() < 0.5 else None
    harness = augment(domain.harness(), rng, 1.0, keep=keep).harness
    policies = [Oracle(sloppy(harness, rng), task) for task in tasks]
    traces = [run_episode(harness, t.situation, domain.environment(t), p) for t, p in zip(tasks, policies, strict=True)]
    prefix = encode_prefix(tokenizer, traces[0].messages[0], tool_schemas(harness))
    return Row(prefix, [encode_branch(tokenizer, trace.messages[1:]) for trace in traces])


@cache
def livestream() -> Livestream:
    """The example domain's train split."""
    return Livestream(split="train")


class Corpus:
    """Seeded streams of rows."""

    def __init__(self, tokenizer: Any, seed: int, known: Iterable[str] = ()) -> None:
        self._tokenizer, self._rng = tokenizer, Random(seed)
        self._general, self._groups = GeneralTasks("train"), dictionary()
        vocabulary = tokenizer.get_vocab()
        self._characters = sorted(i for token, i in vocabulary.items() if len(token) <= 2 and token[0] != "<")
        self._known = sorted(known)
        self._identifiers = [vocabulary[name] for name in self._known]
        self.any_names = False
        """Whether names may also be known identifiers, as tokens that are copied, whatever they stand for."""

    @property
    def _names(self) -> list[str]:
        return self._known if self.any_names else []

    def copies(self, count: int) -> list[Row]:
        """Copy drills over the whole vocabulary."""
        pool = [*self._characters, *self._identifiers * 20] if self.any_names else self._characters
        return [copy_row(pool, self._rng) for _ in range(count)]

    def lookups(self, count: int) -> list[Row]:
        """Dictionary look-ups."""
        return [dictionary_row(self._tokenizer, self._groups, self._rng, self._names) for _ in range(count)]

    def general(self, count: int) -> list[Row]:
        """General instructions."""
        return [general_row(self._tokenizer, self._general.sample(self._rng)) for _ in range(count)]

    def calls(self, count: int) -> list[Row]:
        """Calls by index."""
        return [call_row(self._tokenizer, self._groups, self._rng, self._names) for _ in range(count)]

    def rooms(self, count: int, most_topics: int) -> list[Row]:
        """Other assistants' rooms."""
        return [room_row(self._tokenizer, self._rng, most_topics, self._names) for _ in range(count)]

    def streams(self, count: int) -> list[Row]:
        """Live rooms under made-up harnesses."""
        return [stream_row(self._tokenizer, livestream(), self._rng) for _ in range(count)]


def texts() -> Iterator[str]:
    """Every common Chinese character (GB 2312, first level) and the marks that the project's texts use."""
    cells = [(zone, cell) for zone in range(16, 56) for cell in range(1, 95 if zone < 55 else 90)]
    yield "".join(bytes((0xA0 + zone, 0xA0 + cell)).decode("gb2312") for zone, cell in cells)
    yield "，。！？：；、“”‘’（）《》【】—…～·％￥"


def identifiers(harness: Harness) -> set[str]:
    """Names that stand as one token: the example harness's tools, parameters, output keys and skills."""
    names = {"load_skill", "skill", "error"}
    for tool in harness.tools:
        names |= {tool.name, *tool.input_schema.get("properties", {})}
        names |= set((tool.output_schema or {}).get("properties", {}))
    return names | {skill.alias for skill in harness.skills}
