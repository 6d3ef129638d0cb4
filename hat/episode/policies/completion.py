"""Reads a chat completion from an endpoint's bytes: strict about what it can't do without, lenient about the rest."""

import json
from typing import Any

from hat.episode.chat import ChatResponse, Message, ToolCall, Usage, carriable


def parse_completion(content: bytes) -> ChatResponse:
    """The assistant's message and its token counts.

    Tool arguments that are no JSON object are kept as raw text: the loop tells the model.

    Raises:
        ValueError: no JSON, no choice, or a message of another form.
    """
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {content[:80]!r}") from error
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ValueError(f"no choices: {content[:80]!r}")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise ValueError(f"choice without a message: {content[:80]!r}")  # noqa: TRY004
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise ValueError(f"tool_calls is no list: {str(calls)[:80]}")  # noqa: TRY004
    answer = Message(
        role="assistant",
        content=_text(message.get("content")),
        tool_calls=tuple(_call(call) for call in calls),
        reasoning=_text(message.get("reasoning") or message.get("reasoning_content")) or None,
    )
    return ChatResponse(message=answer, usage=_usage(data.get("usage")))


def _text(content: Any) -> str:
    """Text of a content field: a string, a list of parts, or nothing."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise ValueError(f"content is neither text nor parts: {str(content)[:80]}")  # noqa: TRY004
    return _clean(content)


def _call(call: Any) -> ToolCall:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise ValueError(f"tool call without a function name: {str(call)[:80]}")  # noqa: TRY004
    name = _clean(function["name"])
    return ToolCall(id=_clean(str(call.get("id") or "")), name=name, arguments=_arguments(function.get("arguments")))


def _arguments(given: Any) -> dict[str, Any] | str:
    """The arguments as an object; as raw text if they are none, or hold what JSON can't carry (NaN, half pairs)."""
    if given is None or given == "":
        return {}
    text = given if isinstance(given, str) else json.dumps(given)
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return _clean(text)
    return parsed if isinstance(parsed, dict) and carriable(parsed) else _clean(text)


def _clean(text: str) -> str:
    """Half surrogate pairs, which no file or model takes, become question marks."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def _usage(given: Any) -> Usage:
    counts = given if isinstance(given, dict) else {}
    prompt, completion = (counts.get(key) for key in ("prompt_tokens", "completion_tokens"))
    return Usage(
        prompt_tokens=prompt if isinstance(prompt, int) else 0,
        completion_tokens=completion if isinstance(completion, int) else 0,
    )
