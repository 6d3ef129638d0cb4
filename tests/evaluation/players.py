"""Policies for these tests: one that plays every planned episode right, and one that gives up now and then."""

import zlib
from collections.abc import Mapping, Sequence
from inspect import getgeneratorlocals
from pathlib import Path
from typing import Any, NamedTuple

from hat.domains.general import GeneralTasks
from hat.domains.livestream.domain import EXAMPLES, Livestream
from hat.domains.oracle import Oracle
from hat.episode import ChatRequest, ChatResponse, Episode, Message, Policy, Trace
from hat.episode.loop import play
from hat.evaluation import EvalConfig
from hat.evaluation.suites import Play, plan
from hat.harness import digest

EDITS: Path = EXAMPLES / "edits"
SMALL = EvalConfig(
    t1_tasks=30,
    t2_variants=4,
    t2_tasks=8,
    t3_variants=2,
    t3_tasks=4,
    family_variants=1,
    family_tasks=4,
    edit_tasks=2,
    t4_tasks=20,
    part=20,
)
DOMAIN = Livestream(split="test")
GENERAL = GeneralTasks("test")


class Played(NamedTuple):
    """What `run_episodes` takes from a policy that drives episodes itself."""

    trace: Trace


class Player:
    """Plays as the oracle does, in the share `skill` of the episodes; it looks into each for harness and task."""

    def __init__(self, config: EvalConfig = SMALL, skill: float = 1.0, name: str = "player") -> None:
        self.name, self.skill = name, skill
        self.played = 0
        plays = [one for suite in plan(config, DOMAIN, EDITS, GENERAL).values() for one in suite]
        self._tasks = {(digest(one.harness), one.task.id): one.task for one in plays if isinstance(one, Play)}

    def drive(self, episodes: Sequence[Episode]) -> list[Played]:
        """One after the other."""
        return [Played(play(episode, self._policy(getgeneratorlocals(episode)))) for episode in episodes]

    def chat(self, request: ChatRequest) -> ChatResponse:
        """Not asked: it drives."""
        raise NotImplementedError

    def _policy(self, inside: Mapping[str, Any]) -> Policy:
        self.played += 1
        harness, name = inside.get("harness"), inside["situation"].id if "situation" in inside else inside["task"].id
        if zlib.crc32(name.encode()) % 1000 >= 1000 * self.skill:
            return Says("不知道")
        return Oracle(harness, self._tasks[digest(harness), name]) if harness else Says(inside["task"].answer)


class Says:
    """Says one thing."""

    name = "says"

    def __init__(self, text: str) -> None:
        self._text = text

    def chat(self, request: ChatRequest) -> ChatResponse:
        """That thing."""
        return ChatResponse(message=Message(role="assistant", content=self._text))
