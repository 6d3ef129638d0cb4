"""The livestream as TRL's `environment_factory` takes it: one object a rollout, the harness's tools as its methods.

It is played by TRL's own loop: no hooks, no checks of arguments against their schema; both spare the peer work. What
was done is kept as a trace, so that the same verifier scores it.
"""

import json
from collections.abc import Callable
from typing import Any

from hat.domains.task import Task
from hat.domains.verify import verify
from hat.episode import CallRecord, Message, ToolError, Trace
from hat.episode.situation import opening_messages
from hat.harness import LOAD_SKILL, Harness
from hat.training.config import RlConfig
from hat.training.rewards import REWARDS, rewards
from hat.training.rl import Scenes


def environment(scenes: Scenes) -> type:
    """The class of a configuration's scenes, all under the original harness."""
    members = {name: _method(name) for name in (*scenes.domain.harness().tool_by_name, LOAD_SKILL)}
    return type("LivestreamRoom", (Room,), {**members, "_scenes": scenes})


class Room:
    """One viewer's turn."""

    _scenes: Scenes

    def reset(self, number: int, **_: Any) -> None:
        """Begin the scene of a number; the prompt is in the dataset."""
        self._harness, self._task = self._scenes[number]
        self._world = self._scenes.domain.environment(self._task)
        self._calls: list[CallRecord] = []
        self._skills: list[str] = []
        self._earned: list[float] | None = None

    def _ask(self, name: str, arguments: dict[str, Any]) -> str:
        if name == LOAD_SKILL:
            body = self._harness.skill_by_alias[arguments["skill"]].body
            self._skills.append(arguments["skill"])
            return body
        call = CallRecord(name=name, arguments=arguments, tool=name, input=arguments)
        try:
            output = self._world.call(name, arguments)
        except ToolError as error:
            self._calls.append(call.model_copy(update={"error": error.kind}))
            raise
        self._calls.append(call.model_copy(update={"output": output}))
        return json.dumps(output, ensure_ascii=False)

    def _rewards(self, completion: list[dict[str, Any]], config: RlConfig) -> list[float]:
        """The rewards in the order of `REWARDS`; scored once."""
        if self._earned is None:
            trace = self._trace(completion)
            verdict = verify(self._task, trace, self._harness)
            self._earned = rewards(verdict, trace, config, len)
        return self._earned

    def _trace(self, completion: list[dict[str, Any]]) -> Trace:
        last = completion[-1]
        spoken = last.get("role") == "assistant" and not last.get("tool_calls")
        reply = (last.get("content") or "").strip() if spoken else ""
        said = [Message(role=m["role"], content=str(m.get("content") or "")) for m in completion]
        return Trace(
            id=self._task.id,
            task=self._task.id,
            harness="",
            policy="trl",
            situation=self._task.situation,
            messages=tuple(said),
            calls=tuple(self._calls),
            skills=tuple(self._skills),
            reply=reply or None,
            stop="reply" if reply else "max_turns",
        )


def reward_functions(config: RlConfig) -> list[Callable[..., list[float]]]:
    """One for each of `REWARDS`."""
    return [_reward(place, name, config) for place, name in enumerate(REWARDS)]


def prompt(harness: Harness, task: Task) -> list[dict[str, str]]:
    """System prompt, earlier turns and the viewer's message."""
    return [{"role": m.role, "content": m.content} for m in opening_messages(harness, task.situation)]


def _reward(place: int, name: str, config: RlConfig) -> Callable[..., list[float]]:
    def reward(completions: list[Any], environments: list[Any], **_: Any) -> list[float]:
        pairs = zip(environments, completions, strict=True)
        return [room._rewards(completion, config)[place] for room, completion in pairs]

    reward.__name__ = name
    return reward


def _method(name: str) -> Callable[..., str]:
    def tool(self: Room, **arguments: Any) -> str:
        return self._ask(name, arguments)

    tool.__name__ = name
    return tool
