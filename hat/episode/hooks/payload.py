"""What a hook is shown. Every name is there at every event (empty where it has no meaning), and is worked out only when
asked for.

In CEL, `size(text)` counts bytes of UTF-8: use `reply_chars`. `text.contains("x")` is ten times as fast as `matches`.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hat.episode.numerals import numbers
from hat.harness import Event

if TYPE_CHECKING:
    from hat.episode.state import State

_PICTURE = "[\U0001f300-\U0001faff\u2600-\u27bf\u2b00-\u2bff]"
_EMOJI = re.compile(
    rf"[\U0001f1e6-\U0001f1ff]{{2}}|{_PICTURE}[\ufe0f\U0001f3fb-\U0001f3ff]?(?:\u200d{_PICTURE}\ufe0f?)*"
)


@dataclass(slots=True)
class Payload:
    """One event of one episode."""

    state: "State"
    event: Event
    tool_name: str = ""
    tool_input: dict[str, Any] | None = None
    canonical_tool: str = ""
    canonical_input: dict[str, Any] | None = None
    tool_response: str = ""
    error: str = ""
    reply: str = ""

    def get(self, name: str) -> Any:
        """The value of one of `NAMES`. Raises KeyError for any other."""
        return NAMES[name](self)

    def text(self, template: str) -> str:
        """The template with `{name}` filled in by the payload or the harness's limits; other names stay as they are."""
        if "{" not in template:
            return template
        return re.sub(r"\{(\w+)\}", self._fill, template)

    def to_json(self) -> str:
        """The whole payload, with the names by which other agents' hooks know the same things."""
        data = {name: get(self) for name, get in NAMES.items()}
        data |= {
            "session_id": self.state.situation.id,
            "hook_event_name": self.event,
            "prompt": data["message"],
            "stop_hook_active": self.event == "Stop" and self.state.retries > 0,
            "last_assistant_message": self.reply,
        }
        return json.dumps(data, ensure_ascii=False, default=str)

    def _fill(self, match: re.Match[str]) -> str:
        name = match[1]
        if name not in NAMES:
            return str(self.state.harness.limits.get(name, match[0]))
        value = self.get(name)
        if isinstance(value, list):
            return "、".join(str(item) for item in value)
        return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict) else str(value)


def _known(payload: Payload) -> list[str]:
    situation = payload.state.situation
    told = [situation.message, *map(str, situation.context.values()), *payload.state.results]
    told += [words for turn in situation.history for words in turn]
    told += _rules(payload).values()
    return list(dict.fromkeys(numbers("\n".join(told))))


def _kinds(payload: Payload) -> list[str]:
    skills = payload.state.harness.skill_by_alias
    return [skills[alias].kind for alias in payload.state.skills]


def _rules(payload: Payload) -> dict[str, str]:
    harness = payload.state.harness
    replying = [s for s in map(harness.skill_by_alias.__getitem__, payload.state.skills) if s.kind == "reply"]
    return harness.rules_for(replying[-1] if replying else None)


NAMES: dict[str, Callable[[Payload], Any]] = {
    "event": lambda p: p.event,
    "turn": lambda p: p.state.turn,
    "message": lambda p: p.state.situation.message,
    "context": lambda p: p.state.situation.context,
    "tool_name": lambda p: p.tool_name,
    "tool_input": lambda p: p.tool_input or {},
    "canonical_tool": lambda p: p.canonical_tool,
    "canonical_input": lambda p: p.canonical_input or {},
    "tool_response": lambda p: p.tool_response,
    "error": lambda p: p.error,
    "reply": lambda p: p.reply,
    "reply_chars": lambda p: len(p.reply),
    "reply_emoji": lambda p: len(_EMOJI.findall(p.reply)),
    "reply_numbers": lambda p: numbers(p.reply),
    "known_numbers": _known,
    "loaded_skills": lambda p: list(p.state.skills),
    "loaded_kinds": _kinds,
    "rules": _rules,
    "limits": lambda p: p.state.harness.limits,
}
"""Every name of the payload and how it is found.

- event, turn (model calls so far), message (the viewer's words), context (room state, map)
- tool_name, tool_input: as this harness names them; canonical_tool, canonical_input: as the domain does, whatever they
  were renamed to; tool_response (text); error (kind of failure)
- reply, reply_chars (characters), reply_emoji (count), reply_numbers (in the one form of `hat.episode.numerals`)
- known_numbers: numbers in tool results, the viewer's words, room state, earlier turns and rules (list of string)
- loaded_skills, loaded_kinds (reply | strategy), in order; rules: opening, closing that this reply must keep (map)
- limits: the harness's typed numbers (map)
"""
