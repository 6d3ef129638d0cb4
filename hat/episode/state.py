"""What changes while one episode is played; at the end it becomes a `Trace`."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hat.episode.chat import Message, Usage
from hat.episode.environment import Environment
from hat.episode.prepared import Prepared
from hat.episode.situation import Situation, opening_messages
from hat.episode.trace import CallRecord, HookRecord, Stop, Trace
from hat.harness import Harness


@dataclass(slots=True)
class State:
    """One episode under way."""

    harness: Harness
    prepared: Prepared
    situation: Situation
    environment: Environment
    policy: str
    clock: Callable[[], float]
    """Seconds, monotonic."""
    started: float = 0.0
    turn: int = 0
    """Model calls so far."""
    retries: int = 0
    """Replies sent back so far."""
    messages: list[Message] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)
    records: list[HookRecord] = field(default_factory=list)
    skills: list[str] = field(default_factory=list)
    call_ids: set[str] = field(default_factory=set)
    """Ids of all tool calls so far."""
    triggers: dict[str, int] = field(default_factory=dict)
    """How often each hook blocked."""
    results: list[str] = field(default_factory=list)
    """Contents of the tool messages that told something: no errors, no skills."""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def open(self) -> None:
        """Start the clock and write the opening messages."""
        self.started = self.clock()
        self.messages = opening_messages(self.harness, self.situation, self.prepared.system)

    def finish(self, stop: Stop, reply: str | None = None, error: str | None = None) -> Trace:
        """The record."""
        return Trace(
            id=self.situation.id,
            task=self.situation.id,
            harness=self.prepared.digest,
            policy=self.policy,
            situation=self.situation,
            messages=tuple(self.messages),
            calls=tuple(self.calls),
            hooks=tuple(self.records),
            skills=tuple(self.skills),
            reply=reply,
            stop=stop,
            error=error,
            usage=Usage(prompt_tokens=self.prompt_tokens, completion_tokens=self.completion_tokens),
            duration=self.clock() - self.started,
        )
