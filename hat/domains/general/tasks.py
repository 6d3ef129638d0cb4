"""General instructions with program checkers: what a base model can do, and what harness training must not undo (T4).

Each prompt asks for one operation on a short list, in one form, sometimes with an opening and a closing phrase. Like
IFEval (Zhou et al., arXiv 2311.07911) every instruction is checked by program, and figures are kept by prompt (all
hold) and by instruction.
"""

import hashlib
from collections.abc import Callable
from random import Random
from typing import Literal

from hat.domains.livestream.split import Split
from hat.domains.syllables import SYLLABLES
from hat.harness import Frozen

WORDS = tuple(
    "苹果 香蕉 葡萄 西瓜 桃子 樱桃 草莓 石榴 山竹 芒果 白菜 黄瓜 番茄 土豆 玉米 南瓜 茄子 莲藕 香菇 豆角".split()
)
OPENINGS = ("你好", "收到", "好的", "没问题", "亲爱的", "各位好", "谢谢提问", "明白了")
CLOSINGS = ("祝你愉快", "回答完毕", "请过目", "就是这样", "下次再聊", "希望有用", "辛苦了", "到此为止")
OPENING_RULES = ("开头说{}", "先说{}", "起头用{}")
CLOSING_RULES = ("结尾说{}", "最后说{}", "收尾用{}")

Form = Literal["plain", "bullets", "quotes", "json", "comma", "answer"]
FORMS: dict[Form, tuple[str, Callable[[list[str]], str]]] = {
    "plain": ("", " ".join),
    "bullets": ("，写成列表", lambda items: "\n".join(f"- {item}" for item in items)),
    "quotes": ("，加引号", lambda items: f"“{' '.join(items)}”"),
    "json": ("，用JSON", lambda items: "[" + ", ".join(f'"{item}"' for item in items) + "]"),
    "comma": ("，逗号隔开", "，".join),
    "answer": ("，以答：开头", lambda items: "答：" + " ".join(items)),
}
"""Form: the instruction's words, and how the items are then written."""


class GeneralTask(Frozen):
    """One prompt and the only right answer to it."""

    id: str
    operation: str
    form: Form
    prompt: str
    body: str
    """The answer without its opening and closing."""
    opening: str | None = None
    closing: str | None = None

    @property
    def answer(self) -> str:
        """The whole right answer."""
        return "，".join(part for part in (self.opening, self.body, self.closing) if part)

    def check(self, reply: str) -> dict[str, bool]:
        """Which of the prompt's instructions a reply follows: content, and opening and closing where asked for."""
        rest, kept = reply.strip(), {}
        if self.opening:
            kept["opening"] = rest.startswith(self.opening)
            rest = rest.removeprefix(self.opening).lstrip("，,。 \n")
        if self.closing:
            kept["closing"] = rest.endswith(self.closing)
            rest = rest.removesuffix(self.closing).rstrip("，,。 \n")
        return {"content": rest == self.body, **kept}


def sample(rng: Random, split: Split) -> GeneralTask:
    """One prompt of a split; prompts are dealt to splits by a stable hash of their text."""
    while True:
        task = _draw(rng)
        if split_of(task.prompt) == split:
            return task


def split_of(text: str) -> Split:
    """The split a text is dealt to by its sha256: a tenth each for dev and test."""
    bucket = hashlib.sha256(text.encode()).digest()[0] % 10
    return "test" if bucket == 0 else "dev" if bucket == 1 else "train"


def _draw(rng: Random) -> GeneralTask:
    operation = rng.choice(sorted(OPERATIONS))
    instruction, shown, result = OPERATIONS[operation](rng)
    form = rng.choice(sorted(FORMS))
    opening = rng.choice(OPENINGS) if rng.random() < 0.3 else None
    closing = rng.choice(CLOSINGS) if rng.random() < 0.3 else None
    rules = [rng.choice(OPENING_RULES).format(opening)] if opening else []
    rules += [rng.choice(CLOSING_RULES).format(closing)] if closing else []
    asked = "，".join([instruction + FORMS[form][0], *rules])
    return GeneralTask(
        id=f"general-{rng.getrandbits(32):08x}",
        operation=operation,
        form=form,
        prompt=f"{asked}\n{shown}",
        body=FORMS[form][1](result),
        opening=opening,
        closing=closing,
    )


Drawn = tuple[str, str, list[str]]
"""Instruction, the items as shown, the items of the answer."""


def _items(rng: Random) -> list[str]:
    kind = rng.random()
    if kind < 0.3:
        return rng.sample(WORDS, rng.randint(3, 5))
    if kind < 0.5:
        return [str(n) for n in rng.sample(range(10, 100), rng.randint(3, 5))]
    return [rng.choice(SYLLABLES) + rng.choice(SYLLABLES) for _ in range(rng.randint(3, 5))]


def _whole(instruction: str, change: Callable[[list[str]], list[str]]) -> Callable[[Random], Drawn]:
    def draw(rng: Random) -> Drawn:
        items = _items(rng)
        return instruction, " ".join(items), change(items)

    return draw


def _remove(rng: Random) -> Drawn:
    items = _items(rng)
    gone = rng.choice(items)
    return f"去掉{gone}", " ".join(items), [item for item in items if item != gone]


def _replace(rng: Random) -> Drawn:
    items, new = _items(rng), rng.choice(WORDS)
    old = rng.choice(items)
    return f"把{old}换成{new}", " ".join(items), [new if item == old else item for item in items]


def _append(rng: Random) -> Drawn:
    items, new = _items(rng), rng.choice(WORDS)
    return f"末尾加上{new}", " ".join(items), [*items, new]


def _look_up(rng: Random) -> Drawn:
    keys = _items(rng)
    values = [rng.choice(SYLLABLES) + rng.choice(SYLLABLES) for _ in keys]
    wanted = rng.randrange(len(keys))
    return f"查出{keys[wanted]}", " ".join(f"{k}:{v}" for k, v in zip(keys, values, strict=True)), [values[wanted]]


def _extreme(instruction: str, choose: Callable[[list[int]], int]) -> Callable[[Random], Drawn]:
    def draw(rng: Random) -> Drawn:
        items = rng.sample(range(10, 100), rng.randint(3, 5))
        return instruction, " ".join(map(str, items)), [str(choose(items))]

    return draw


def _sort(rng: Random) -> Drawn:
    items = rng.sample(range(10), rng.randint(3, 4))
    return "从小到大排", " ".join(map(str, items)), [str(item) for item in sorted(items)]


OPERATIONS: dict[str, Callable[[Random], Drawn]] = {
    "copy": _whole("照抄", list),
    "reverse": _whole("倒过来写", lambda items: items[::-1]),
    "first": _whole("写第一个", lambda items: items[:1]),
    "last": _whole("写最后一个", lambda items: items[-1:]),
    "remove": _remove,
    "replace": _replace,
    "append": _append,
    "look_up": _look_up,
    "largest": _extreme("写最大的", max),
    "sort": _sort,
}
