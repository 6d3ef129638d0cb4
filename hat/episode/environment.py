"""The world behind the tools: what an episode needs from a domain, by canonical names only."""

from typing import Any, Literal, Protocol

Fault = Literal["timeout", "malformed", "permission_denied", "not_found", "invalid_arguments", "unknown_tool"]
"""Kinds of failure that a tool call can have."""


class ToolError(Exception):
    """A tool call failed; the model is told `kind` and the message."""

    def __init__(self, kind: Fault, message: str = "") -> None:
        super().__init__(message or kind)
        self.kind = kind


class Environment(Protocol):
    """Executes canonical tool calls for one episode."""

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The tool's output, JSON-serialisable. Raises `ToolError`."""
        ...
