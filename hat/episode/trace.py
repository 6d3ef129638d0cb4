"""The record of one episode. As JSONL it replays: the same answers under the same harness give the same trace."""

from typing import Any, Literal

from pydantic import Field

from hat.episode.chat import Message, Usage
from hat.episode.environment import Fault
from hat.episode.situation import Situation
from hat.harness import Event, Frozen

Stop = Literal["reply", "max_turns", "max_retries", "policy_error", "input_blocked"]
"""Why an episode ended."""


class CallRecord(Frozen):
    """One tool call as made and as executed."""

    name: str
    """As the model named it."""
    arguments: dict[str, Any] | str
    """As the model gave them."""
    tool: str | None = None
    """Canonical tool; None if no tool of the harness has that name."""
    also: tuple[str, ...] = ()
    """Further canonical tools that the same call asked."""
    input: dict[str, Any] = Field(default_factory=dict)
    """Canonical arguments."""
    output: Any = None
    """What the tool gave and the binding passes on; kept also where a PostToolUse hook held it back from the model."""
    error: Fault | Literal["blocked"] | None = None


class HookRecord(Frozen):
    """One hook that did something: blocked, was passed over (its triggers used up), or failed itself."""

    hook: str
    event: Event
    outcome: Literal["blocked", "exhausted", "error"]
    message: str = ""
    """What the model was told (blocked), or what went wrong in the hook (error)."""


class Trace(Frozen):
    """One task played by one policy under one harness."""

    id: str
    task: str
    harness: str
    """Digest."""
    policy: str
    situation: Situation | None = None
    """What the turn started from; needed for replay."""
    messages: tuple[Message, ...]
    """All of them, replies that hooks refused included."""
    calls: tuple[CallRecord, ...] = ()
    hooks: tuple[HookRecord, ...] = ()
    skills: tuple[str, ...] = ()
    """Loaded skills by the names that the model used, in order."""
    reply: str | None = None
    """What is spoken; None if the episode ended without a reply that may be spoken."""
    stop: Stop
    error: str | None = None
    """The policy's error."""
    usage: Usage = Usage()
    duration: float = 0.0
    """Seconds."""

    def same_as(self, other: "Trace") -> bool:
        """Equality apart from timing."""
        return self == other.model_copy(update={"duration": self.duration})
