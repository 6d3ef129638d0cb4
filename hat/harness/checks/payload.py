"""What a hook's expression may speak of: the payload's keys, with a neutral value of each type."""

from typing import Any

PAYLOAD: dict[str, Any] = {
    "event": "Stop",
    "tool_name": "",
    "tool_input": {},
    "canonical_tool": "",
    "canonical_input": {},
    "tool_response": "",
    "error": "",
    "message": "",
    "context": {},
    "reply": "",
    "reply_chars": 0,
    "reply_emoji": 0,
    "reply_numbers": [],
    "known_numbers": [],
    "loaded_skills": [],
    "loaded_kinds": [],
    "rules": {},
    "limits": {},
    "turn": 1,
}
"""Every event's payload has all these keys; those that don't apply hold the neutral value."""

TEXTS = frozenset({"message", "reply", "tool_response"})
"""Keys in people's words, whose size() would count bytes."""
TYPES = frozenset({"int", "uint", "double", "string", "bytes", "bool", "list", "map", "null_type", "type"})
FUNCTIONS = frozenset(
    {"size", "contains", "startsWith", "endsWith", "matches", "has", "dyn", "timestamp", "duration", "max", "min"}
)
"""Functions that the CEL library has of its own; operators are named with `_`, `@`, `!` or `-`."""
