"""The agent loop, the only one: training, evaluation and live serving all run this.

It is a generator, so that one driver can serve many episodes with one batched model: it yields a `ChatRequest`, is sent a
`ChatResponse`, and returns a `Trace`.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from hat.episode.chat import ChatRequest, ChatResponse, Message, Policy, PolicyError, ToolCall
from hat.episode.environment import Environment, ToolError
from hat.episode.trace import CallRecord, Trace
from hat.harness import LOAD_SKILL, Frozen, Harness, digest, render_system, tool_schemas

Episode = Generator[ChatRequest, ChatResponse, Trace]


class Situation(Frozen):
    """What a viewer's turn starts from."""

    id: str
    message: str
    """The viewer's words."""
    context: dict[str, Any] = {}
    """Room state that the model is shown, such as current_link_id and time; in this order."""
    history: tuple[tuple[str, str], ...] = ()
    """Earlier turns: the viewer's words, the spoken reply."""


def user_message(context: Mapping[str, Any], message: str) -> Message:
    """Room state on the first line, the viewer's words after it."""
    state = " ".join(f"{key}={value}" for key, value in context.items())
    return Message(role="user", content=f"{state}\n{message}" if state else message)


def opening_messages(harness: Harness, situation: Situation) -> list[Message]:
    """System prompt, earlier turns, and the viewer's message."""
    messages = [Message(role="system", content=render_system(harness))]
    for viewer, reply in situation.history:
        messages += [Message(role="user", content=viewer), Message(role="assistant", content=reply)]
    return [*messages, user_message(situation.context, situation.message)]


def episode(harness: Harness, situation: Situation, environment: Environment, policy: str = "") -> Episode:
    """Play one viewer turn: bounded model calls until a reply passes."""
    messages = opening_messages(harness, situation)
    tools = tuple(tool_schemas(harness))
    calls: list[CallRecord] = []
    skills: list[str] = []
    reply, stop = None, "max_turns"
    for _ in range(harness.max_turns):
        answer = (yield ChatRequest(messages=tuple(messages), tools=tools)).message
        messages.append(answer)
        if not answer.tool_calls:
            reply, stop = answer.content.strip(), "reply"
            break
        for call in answer.tool_calls:
            content, record = _execute(harness, environment, call, skills)
            calls.append(record)
            messages.append(Message(role="tool", content=content, tool_call_id=call.id))
    return Trace(
        id=situation.id, task=situation.id, harness=digest(harness), policy=policy, messages=tuple(messages),
        calls=tuple(calls), skills=tuple(skills), reply=reply, stop=stop,
    )


def _execute(
    harness: Harness, environment: Environment, call: ToolCall, skills: list[str]
) -> tuple[str, CallRecord]:
    record = CallRecord(name=call.name, arguments=call.arguments)
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    if call.name == LOAD_SKILL:
        skill = harness.skill_by_alias.get(str(arguments.get("skill")))
        if skill is None:
            return _error("not_found"), record.model_copy(update={"error": "not_found"})
        skills.append(skill.alias)
        return skill.body, record.model_copy(update={"tool": LOAD_SKILL, "input": arguments})
    tool = harness.tool_by_name.get(call.name)
    if tool is None:
        return _error("unknown_tool"), record.model_copy(update={"error": "unknown_tool"})
    bound = tool.bound
    canonical = {bound.params.get(key, key): value for key, value in arguments.items()} | bound.fixed
    record = record.model_copy(update={"tool": bound.tool, "input": canonical})
    try:
        output = environment.call(bound.tool, canonical)
    except ToolError as error:
        return _error(error.kind), record.model_copy(update={"error": error.kind})
    if bound.fields is not None and isinstance(output, dict):
        output = {key: output[key] for key in bound.fields if key in output}
    return json.dumps(output, ensure_ascii=False), record.model_copy(update={"output": output})


def _error(kind: str) -> str:
    return json.dumps({"error": kind})


def run_episode(
    harness: Harness, situation: Situation, environment: Environment, policy: Policy
) -> Trace:
    """Play one episode with a policy that answers one request at a time."""
    play = episode(harness, situation, environment, policy.name)
    request = next(play)
    while True:
        try:
            response = policy.chat(request)
        except PolicyError as error:
            return _failed(harness, situation, policy.name, request.messages, str(error))
        try:
            request = play.send(response)
        except StopIteration as done:
            trace: Trace = done.value
            return trace


def _failed(
    harness: Harness, situation: Situation, policy: str, messages: Sequence[Message], error: str
) -> Trace:
    return Trace(
        id=situation.id, task=situation.id, harness=digest(harness), policy=policy,
        messages=tuple(messages), stop="policy_error", error=error,
    )
