"""The record of one episode. As JSONL it replays: the same assistant messages under the same harness give the same trace."""

from typing import Any, Literal

from hat.episode.chat import Message, Usage
from hat.episode.environment import Fault
from hat.harness import Event, Frozen


class CallRecord(Frozen):
    """One tool call as made and as executed."""

    name: str
    """As the model named it."""
    arguments: dict[str, Any] | str
    """As the model gave them."""
    tool: str | None = None
    """Canonical tool; None if no tool of the harness has that name."""
    input: dict[str, Any] = {}
    """Canonical arguments."""
    output: Any = None
    error: Fault | Literal["blocked"] | None = None


class HookRecord(Frozen):
    """One hook that did something: blocked, was passed over (its triggers used up), or failed itself."""

    hook: str
    event: Event
    outcome: Literal["blocked", "exhausted", "error"]
    message: str = ""


class Trace(Frozen):
    """One task played by one policy under one harness."""

    id: str
    task: str
    harness: str
    """Digest."""
    policy: str
    messages: tuple[Message, ...]
    calls: tuple[CallRecord, ...] = ()
    hooks: tuple[HookRecord, ...] = ()
    skills: tuple[str, ...] = ()
    """Loaded skills by the names that the model used, in order."""
    reply: str | None = None
    """What is spoken; None if the episode ended without a reply."""
    stop: Literal["reply", "max_turns", "max_retries", "policy_error", "input_blocked"]
    error: str | None = None
    usage: Usage = Usage()
    duration: float = 0.0
    """Seconds."""
