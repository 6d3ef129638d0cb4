"""What a model wrote, as an assistant message: text, and the calls between `<tool_call>` marks.

A canonical call (JSON as `json.dumps(..., ensure_ascii=False)` writes it) is rendered back by the chat template to
the same text. Broken ones are kept as they are: with a readable name as a call with raw arguments, without one as plain
text.
"""

import json
import re
from typing import Any

from hat.episode.chat import Message, ToolCall, carriable

_CALL = re.compile(r"\n?<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_NAME = re.compile(r'\s*\{\s*"name"\s*:\s*"([^"\\]+)"\s*(?:,\s*"arguments"\s*:\s*(.*))?', re.DOTALL)


def parse_assistant(text: str, first_call: int = 0) -> Message:
    """The message in `text` (without the end-of-turn mark). Calls get the ids `call_<first_call>` and up."""
    calls: list[ToolCall] = []
    content, end = "", 0
    for match in _CALL.finditer(text):
        call = _parse_call(match[1], closed=match[0].endswith("</tool_call>"), id=f"call_{first_call + len(calls)}")
        if call is None:
            continue
        content += text[end : match.start()]
        end = match.end()
        calls.append(call)
    content += text[end:]
    return Message(role="assistant", content=content, tool_calls=tuple(calls))


def _parse_call(body: str, *, closed: bool, id: str) -> ToolCall | None:  # noqa: A002
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return _broken_call(body, id) if closed else None
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        return None
    if not carriable(data):
        return _broken_call(body, id)
    return ToolCall(id=id, name=data["name"], arguments=_arguments(data.get("arguments", {})))


def _arguments(value: Any) -> dict[str, Any] | str:
    return value if isinstance(value, dict | str) else json.dumps(value, ensure_ascii=False)


def _broken_call(body: str, id: str) -> ToolCall | None:  # noqa: A002
    match = _NAME.match(body)
    if match is None:
        return None
    arguments = (match[2] or "").rstrip().removesuffix("}")
    return ToolCall(id=id, name=match[1], arguments=arguments)
