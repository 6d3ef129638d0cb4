"""One tool call of the model, from its words to the tool message: checks, hooks, the domain's tool, the record.

Order: unknown names and arguments that don't fit the schema are refused first; then PreToolUse, the tool, and
PostToolUse (PostToolUseFailure where anything failed). A PostToolUse hook that blocks holds the output back; a
PostToolUseFailure hook that blocks adds its message to what the model is told.
"""

import json
from typing import Any, Literal

from hat.episode.chat import ToolCall
from hat.episode.environment import Fault, ToolError
from hat.episode.hooks import Payload, fire
from hat.episode.prepared import NAME_CHARS
from hat.episode.state import State
from hat.episode.trace import CallRecord
from hat.harness import LOAD_SKILL


class _BlockedError(Exception):
    """A PreToolUse hook refused the call; says its message."""


def execute(state: State, call: ToolCall) -> str:
    """Make the call, record it, and return the tool message's content."""
    payload = Payload(state, "PreToolUse", tool_name=call.name)
    if isinstance(call.arguments, dict):
        payload.tool_input = call.arguments
    try:
        output, content = _perform(state, call, payload)
    except _BlockedError as error:
        _record(state, call, payload, error="blocked")
        return refused("blocked", str(error))
    except ToolError as error:
        return _failed(state, call, payload, error)
    payload.event, payload.tool_response = "PostToolUse", content
    blocked = fire(payload)
    _record(state, call, payload, output=output, error=None if blocked is None else "blocked")
    if blocked is not None:
        return refused("blocked", blocked)
    if call.name == LOAD_SKILL:
        state.skills.append(call.arguments["skill"])  # type: ignore[index]
    else:
        state.results.append(content)
    return content


def refused(kind: str, message: str = "") -> str:
    """The content of a tool message that tells a failure."""
    return json.dumps({"error": kind, "message": message} if message else {"error": kind}, ensure_ascii=False)


def _perform(state: State, call: ToolCall, payload: Payload) -> tuple[Any, str]:
    """The output to record and the content to tell. Raises ToolError and _BlockedError."""
    _resolve(state, call, payload)
    if payload.tool_input is None:
        raise ToolError("invalid_arguments", "not a JSON object")
    if (objection := state.prepared.objection(call.name, payload.tool_input)) is not None:
        raise ToolError("invalid_arguments", objection)
    if (blocked := fire(payload)) is not None:
        raise _BlockedError(blocked)
    if call.name == LOAD_SKILL:
        return None, state.harness.skill_by_alias[payload.tool_input["skill"]].body
    return _ask_domain(state, call, payload)


def _resolve(state: State, call: ToolCall, payload: Payload) -> None:
    """Find the canonical tool and arguments. Raises ToolError for a name that the harness lacks."""
    given = payload.tool_input or {}
    if call.name == LOAD_SKILL:
        payload.canonical_tool, payload.canonical_input = LOAD_SKILL, given
        return
    tool = state.harness.tool_by_name.get(call.name)
    if tool is None:
        raise ToolError("unknown_tool", call.name[:NAME_CHARS])
    bound = tool.bound
    payload.canonical_tool = bound.tool
    payload.canonical_input = bound.canonical(given)


def _ask_domain(state: State, call: ToolCall, payload: Payload) -> tuple[Any, str]:
    """The domain's output, joined and cut as bound. Raises ToolError, `malformed` for text that is no JSON."""
    bound = state.harness.tool_by_name[call.name].bound
    output = _ask(state, bound.tool, payload)
    for tool in bound.also:
        more = _ask(state, tool, payload)
        output = {**output, **more} if isinstance(output, dict) and isinstance(more, dict) else [output, more]
    if bound.fields is not None and isinstance(output, dict):
        output = {key: output[key] for key in bound.fields if key in output}
    return output, json.dumps(output, ensure_ascii=False)


def _ask(state: State, tool: str, payload: Payload) -> Any:
    output = state.environment.call(tool, dict(payload.canonical_input or {}))
    if not isinstance(output, str):
        return output
    try:
        return json.loads(output)
    except ValueError:
        raise ToolError("malformed", output) from None


def _failed(state: State, call: ToolCall, payload: Payload, error: ToolError) -> str:
    said = "" if str(error) == error.kind else str(error)
    payload.event, payload.error, payload.tool_response = "PostToolUseFailure", error.kind, said
    added = fire(payload)
    _record(state, call, payload, error=error.kind)
    if error.kind == "malformed" and said and not added:
        return said
    return refused(error.kind, added or said)


def _record(
    state: State, call: ToolCall, payload: Payload, output: Any = None, error: Fault | Literal["blocked"] | None = None
) -> None:
    tool = state.harness.tool_by_name.get(call.name)
    state.calls.append(
        CallRecord(
            name=call.name,
            arguments=call.arguments,
            tool=payload.canonical_tool or None,
            also=tool.binding.also if tool and tool.binding else (),
            input=payload.canonical_input or {},
            output=output,
            error=error,
        )
    )
