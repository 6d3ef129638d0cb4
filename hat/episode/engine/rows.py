"""One episode while it is played, and what is left of it."""

from collections.abc import Generator
from dataclasses import dataclass, field

from hat.episode.chat import ChatRequest, ChatResponse
from hat.episode.trace import Trace

Conversation = Generator[ChatRequest, ChatResponse, Trace]


@dataclass(frozen=True, slots=True)
class Rollout:
    """An episode in tokens. The three lists run side by side."""

    trace: Trace
    prompt_ids: list[int]
    """Tokens before the first answer; empty if the model was never asked."""
    completion_ids: list[int]
    """Everything after the prompt: what was sampled, and what the environment answered."""
    completion_mask: list[int]
    """1: sampled; 0: from the environment."""
    logps: list[float]
    """Log-probability of each sampled token under the distribution it was drawn from; 0.0 elsewhere."""


@dataclass(slots=True)
class Row:
    """An episode being played."""

    index: int
    """Its place among the episodes."""
    episode: Conversation
    request: ChatRequest
    prompt_ids: list[int]
    group: int
    """Rows of one group share a prefix."""
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)
    begun: int = 0
    """Where in `ids` the answer in progress begins."""
    calls: int = 0
    """Tool calls so far."""
    chunk: list[int] | None = None
    """Tokens to be fed before the next one can be sampled; None: the last of `ids` is fed by a step."""

    @property
    def length(self) -> int:
        """Tokens of prompt and completion."""
        return len(self.prompt_ids) + len(self.ids)

    def sampled(self, token: int, logp: float) -> None:
        """Append a token that the model chose."""
        self.ids.append(token)
        self.mask.append(1)
        self.logps.append(logp)

    def told(self, ids: list[int]) -> None:
        """Append what the environment answered, to be fed with the last sampled token."""
        self.chunk = [self.ids[-1], *ids]
        self.ids += ids
        self.mask += [0] * len(ids)
        self.logps += [0.0] * len(ids)
        self.begun = len(self.ids)

    def rollout(self, trace: Trace) -> Rollout:
        """What is left when the episode has returned."""
        return Rollout(trace, self.prompt_ids, self.ids, self.mask, self.logps)
