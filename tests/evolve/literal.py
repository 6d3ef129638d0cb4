"""A policy that does what skills' bodies say, word by word, and a fault planted in one of them."""

import re
import shutil
from collections.abc import Sequence
from inspect import getgeneratorlocals
from pathlib import Path
from random import Random
from typing import NamedTuple

from hat.domains.livestream import Livestream
from hat.domains.livestream.domain import EXAMPLES
from hat.domains.oracle import Oracle
from hat.domains.task import Task
from hat.episode import ChatRequest, ChatResponse, Episode, Trace
from hat.episode.loop import play
from hat.harness import Harness, load_harness

SKILL = "skills/item_qa/SKILL.md"
RIGHT, WRONG = "- 以“喜欢就拍”结尾。", "- 以“再见啦”结尾。"


class Shop(Livestream):
    """The example domain; it remembers the tasks that it gave."""

    def __init__(self, harness: Harness) -> None:
        self.given: dict[str, Task] = {}
        super().__init__(harness=harness, split="dev", checked=0)

    def sample(self, rng: Random, kind: str | None = None) -> Task:
        """A task, remembered."""
        task = super().sample(rng, kind)
        self.given[task.id] = task
        return task


class Played(NamedTuple):
    """What `run_episodes` takes from a policy that drives episodes itself."""

    trace: Trace


class Literal:
    """Plays right, but closes a reply with the first phrase that the loaded skill's body names for the end."""

    name = "literal"

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def drive(self, episodes: Sequence[Episode]) -> list[Played]:
        """One after the other."""
        return [Played(play(turn, _Reader(self._shop, turn))) for turn in episodes]

    def chat(self, request: ChatRequest) -> ChatResponse:
        """Not asked: it drives."""
        raise NotImplementedError


class _Reader:
    name = "literal"

    def __init__(self, shop: Shop, turn: Episode) -> None:
        inside = getgeneratorlocals(turn)
        task = shop.given[inside["situation"].id]
        self._harness: Harness = inside["harness"]
        self._oracle = Oracle(self._harness, task)
        self._skill = self._harness.skill_for(task.expected.skill)

    def chat(self, request: ChatRequest) -> ChatResponse:
        """The oracle's answer, its closing as the body says."""
        response = self._oracle.chat(request)
        if response.message.tool_calls or self._skill is None or "closing" not in self._skill.rules:
            return response
        said = re.search(r"“([^”]+)”结尾", self._skill.body)
        closing = self._skill.rules["closing"]
        text = response.message.content.removesuffix(closing) + (said[1] if said else closing)
        return response.model_copy(update={"message": response.message.model_copy(update={"content": text})})


def planted(folder: Path) -> Harness:
    """The example's harness with a fault in one skill: its body asks for another closing first."""
    shutil.copytree(EXAMPLES / "harness", folder)
    file = folder / SKILL
    file.write_text(file.read_text(encoding="utf-8").replace(RIGHT, f"{WRONG}\n{RIGHT}"), encoding="utf-8")
    return load_harness(folder)
