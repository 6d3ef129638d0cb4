"""The chat boundary between the loop and a policy: messages, calls, requests and answers. OpenAI's shapes, typed."""

import json
from typing import Any, Literal, Protocol

from hat.harness import Frozen


class ToolCall(Frozen):
    """One call that the model asks for."""

    id: str
    name: str
    arguments: dict[str, Any] | str
    """Parsed arguments; the raw text if it was no JSON object."""


BRACKETS = 100
"""Lists and objects in one call's arguments at most: JSON readers, ours included, give up on deep nesting."""


def carriable(arguments: dict[str, Any]) -> bool:
    """Whether arguments can be stored, sent and read back: no NaN, half characters, deep nesting, foreign types."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return text.count("{") + text.count("[") <= BRACKETS


class Message(Frozen):
    """One chat message."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    reasoning: str | None = None
    """What the model thought; kept in the trace, never spoken, never sent back."""

    def to_openai(self) -> dict[str, Any]:
        """The message as the chat completions API takes it."""
        data: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            data["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {
                        "name": call.name,
                        "arguments": call.arguments
                        if isinstance(call.arguments, str)
                        else json.dumps(call.arguments, ensure_ascii=False),
                    },
                }
                for call in self.tool_calls
            ]
        if self.tool_call_id is not None:
            data["tool_call_id"] = self.tool_call_id
        return data


class Usage(Frozen):
    """Tokens of one answer."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatRequest(Frozen):
    """What a policy is asked: the conversation so far and the tools."""

    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...]
    """OpenAI function tools, from `hat.harness.tool_schemas`."""


class ChatResponse(Frozen):
    """What a policy answers: one assistant message."""

    message: Message
    usage: Usage = Usage()


class PolicyError(Exception):
    """A policy could not answer: endpoint down, slow, or not speaking the protocol. Names endpoint and cause."""


class Policy(Protocol):
    """Anything that answers a chat request."""

    name: str

    def chat(self, request: ChatRequest) -> ChatResponse:
        """One assistant message. Raises `PolicyError`."""
        ...
