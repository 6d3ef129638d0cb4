"""A scripted policy that plays any task right under any harness.

The yardstick of task preservation, and the teacher of traces. It knows what is expected (`Expected`, canonical names)
and reads the harness for the names, phrases and limits of the day.
"""

import json
from typing import Any

from hat.domains.task import Expected, ExpectedCall, Task
from hat.episode import ChatRequest, ChatResponse, Message, ToolCall
from hat.harness import LOAD_SKILL, Harness

AGAIN = ("blocked", "timeout", "malformed")
"""Failures after which the same call is worth another try."""
TRIES = 3
"""How often one call is made at most."""


class Oracle:
    """Plays one task under one harness; make a new one for each episode."""

    name = "oracle"

    def __init__(self, harness: Harness, task: Task) -> None:
        self._steps = script(harness, task.expected)
        self._reply = compose_reply(harness, task.expected)
        self._done = 0
        self._tries = 0

    def chat(self, request: ChatRequest) -> ChatResponse:
        """The next call of the script, or the last one again if it failed in passing; then the reply."""
        if self._tries and self._tries < TRIES and self._failed(request.messages[-1]):
            self._done -= 1
        else:
            self._tries = 0
        if self._done == len(self._steps):
            return ChatResponse(message=Message(role="assistant", content=self._reply))
        name, arguments = self._steps[self._done]
        self._done += 1
        self._tries += 1
        call = ToolCall(id=f"call_{len(request.messages)}", name=name, arguments=arguments)
        return ChatResponse(message=Message(role="assistant", tool_calls=(call,)))

    def _failed(self, last: Message) -> bool:
        """Whether the last message tells of a failure that may pass; a broken output is one, a skill's body is none."""
        if last.role != "tool":
            return False
        try:
            told = json.loads(last.content)
        except ValueError:
            return self._steps[self._done - 1][0] != LOAD_SKILL
        return isinstance(told, dict) and told.get("error") in AGAIN


def script(harness: Harness, expected: Expected) -> list[tuple[str, dict[str, Any]]]:
    """Calls, in the harness's own names, that a right play makes before it replies, each once.

    Raises:
        LookupError: the harness lacks a skill or tool that the task needs.
    """
    steps: list[tuple[str, dict[str, Any]]] = []
    if expected.strategy and (strategy := harness.skill_for(expected.strategy)):
        steps.append((LOAD_SKILL, {"skill": strategy.alias}))
    for call in expected.calls:
        steps += [step for step in bind(harness, call) if step not in steps]
    skill = harness.skill_for(expected.skill)
    if skill is None:
        raise LookupError(f"harness {harness.name!r} has no skill for the duty {expected.skill!r}")
    load = (LOAD_SKILL, {"skill": skill.alias})
    return steps if load in steps else [*steps, load]


def bind(harness: Harness, call: ExpectedCall) -> list[tuple[str, dict[str, Any]]]:
    """The harness's calls that make one canonical call: one, unless the tool is split over the needed keys.

    Raises:
        LookupError: no tool of the harness offers what is needed.
    """
    missing = set(call.needs)
    calls = []
    for tool in harness.tools:
        bound = tool.bound
        if call.tool not in (bound.tool, *bound.also) or any(
            call.arguments.get(key, value) != value for key, value in bound.fixed.items()
        ):
            continue
        gives = missing if bound.fields is None else missing & set(bound.fields)
        if call.needs and not gives:
            continue
        seen = {canonical: name for name, canonical in bound.params.items()}
        arguments = {seen.get(key, key): value for key, value in call.arguments.items() if key not in bound.fixed}
        calls.append((tool.name, arguments))
        missing -= gives
        if not missing:
            return calls
    raise LookupError(f"harness {harness.name!r} has no tool for {call.tool!r} with {sorted(call.needs)}")


def compose_reply(harness: Harness, expected: Expected) -> str:
    """The expected answer in the style that the harness asks for; the short form if the long one is over the limit."""
    rules = harness.rules_for(harness.skill_for(expected.skill))
    limit = harness.limits.get("max_reply_chars")
    comma = "，" if harness.locale.lower().startswith("zh") else ", "
    texts = [
        comma.join(part for part in (rules.get("opening"), core, rules.get("closing")) if part)
        for core in (expected.answer, expected.short)
    ]
    return next((text for text in texts if limit is None or len(text) <= limit), texts[-1])
