"""The agent loop, the only one: training, evaluation and live serving all run this.

It is a generator, so that one driver can serve many episodes with one batched model: it yields a `ChatRequest`, is
sent a `ChatResponse` (or thrown a `PolicyError`), and returns a `Trace`. It ends within `max_turns` model calls
whatever the policy says.
"""

import time
from collections.abc import Callable, Generator
from typing import Any

from hat.episode.calls import execute, refused
from hat.episode.chat import ChatRequest, ChatResponse, Message, Policy, PolicyError, ToolCall, carriable
from hat.episode.environment import Environment
from hat.episode.hooks import Payload, fire
from hat.episode.prepared import prepare
from hat.episode.reasoning import split_reasoning
from hat.episode.situation import Situation
from hat.episode.state import State
from hat.episode.trace import Trace
from hat.harness import Harness

Episode = Generator[ChatRequest, ChatResponse, Trace]

MAX_CALLS = 16
"""Tool calls executed of one answer; any more are refused."""
ARGUMENT_CHARS = 1000
"""Characters that are kept of arguments that no trace could hold."""
WORDS = {
    "zh": {"empty": "回复为空，请直接回复观众。", "revise": "回复不合要求，请改写。"},
    "en": {"empty": "The reply is empty. Answer the viewer.", "revise": "The reply breaks a rule. Rewrite it."},
}
"""What the model is told of an empty reply, and of one refused by a hook that says nothing."""


def episode(
    harness: Harness,
    situation: Situation,
    environment: Environment,
    policy: str = "",
    clock: Callable[[], float] = time.perf_counter,
) -> Episode:
    """Play one viewer turn: bounded model calls until a reply passes the Stop hooks.

    A reply that was refused is never spoken: once the retries are used up the trace ends with `stop="max_retries"` and
    `reply=None`, the words themselves staying in `messages`. An input that a hook refuses ends the episode before the
    first model call, with the hook's message as the reply.
    """
    state = State(harness, prepare(harness), situation, environment, policy, clock)
    state.open()
    if (blocked := fire(Payload(state, "UserPromptSubmit"))) is not None:
        return state.finish("input_blocked", reply=blocked or None)
    while state.turn < harness.max_turns:
        try:
            response = yield ChatRequest(messages=tuple(state.messages), tools=state.prepared.tools)
        except PolicyError as error:
            return state.finish("policy_error", error=str(error))
        answer = _accept(state, response)
        if answer.tool_calls:
            _execute(state, answer.tool_calls)
            continue
        reply = answer.content.strip()
        if (refusal := _review(state, reply)) is None:
            return state.finish("reply", reply=reply)
        if state.retries == harness.max_retries:
            return state.finish("max_retries")
        state.retries += 1
        state.messages.append(Message(role="user", content=refusal))
    return state.finish("max_turns")


def _accept(state: State, response: ChatResponse) -> Message:
    """Count the answer and append it: an assistant's message, reasoning apart, every call with an id of its own."""
    state.turn += 1
    state.prompt_tokens += response.usage.prompt_tokens
    state.completion_tokens += response.usage.completion_tokens
    answer = response.message
    spoken, thought = split_reasoning(answer.content)
    calls = answer.tool_calls and _distinct(state, _carried(answer.tool_calls))
    if thought is not None or calls is not answer.tool_calls or answer.role != "assistant":
        reasoning = "\n".join(part for part in (answer.reasoning, thought) if part) or None
        answer = Message(role="assistant", content=spoken, tool_calls=calls, reasoning=reasoning)
    state.messages.append(answer)
    return answer


def _carried(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """The calls, with arguments that no trace could hold turned into text."""
    if all(isinstance(call.arguments, str) or carriable(call.arguments) for call in calls):
        return calls
    return tuple(
        call
        if isinstance(call.arguments, str) or carriable(call.arguments)
        else call.model_copy(update={"arguments": _as_text(call.arguments)})
        for call in calls
    )


def _as_text(arguments: dict[str, Any]) -> str:
    try:
        return ascii(arguments)[:ARGUMENT_CHARS]
    except RecursionError:
        return "nested too deep"


def _distinct(state: State, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """The calls, given new ids where one is empty or was used before in this episode."""
    ids = [call.id for call in calls]
    if not calls or ("" not in ids and len(set(ids)) == len(ids) and state.call_ids.isdisjoint(ids)):
        state.call_ids.update(ids)
        return calls
    fresh = []
    for place, call in enumerate(calls):
        taken = not call.id or call.id in state.call_ids
        name = f"call_{state.turn}_{place}" if taken else call.id
        while name in state.call_ids:
            name += "_"
        state.call_ids.add(name)
        fresh.append(call.model_copy(update={"id": name}))
    return tuple(fresh)


def _execute(state: State, calls: tuple[ToolCall, ...]) -> None:
    for place, call in enumerate(calls):
        content = execute(state, call) if place < MAX_CALLS else refused("blocked", f"> {MAX_CALLS}")
        state.messages.append(Message(role="tool", content=content, tool_call_id=call.id))


def _review(state: State, reply: str) -> str | None:
    """What the model is told if the reply must not be spoken; None if it may."""
    words = WORDS["zh" if state.harness.locale.lower().startswith("zh") else "en"]
    if not reply:
        return words["empty"]
    refusal = fire(Payload(state, "Stop", reply=reply))
    return None if refusal is None else refusal or words["revise"]


def play(turn: Episode, policy: Policy) -> Trace:
    """Drive an episode to its end with a policy that answers one request at a time."""
    try:
        request = next(turn)
        while True:
            try:
                response = policy.chat(request)
            except PolicyError as error:
                request = turn.throw(error)
            else:
                request = turn.send(response)
    except StopIteration as done:
        trace: Trace = done.value
        return trace


def run_episode(harness: Harness, situation: Situation, environment: Environment, policy: Policy) -> Trace:
    """Play one episode with a policy that answers one request at a time."""
    return play(episode(harness, situation, environment, policy.name), policy)
