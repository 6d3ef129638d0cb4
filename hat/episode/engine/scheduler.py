"""Continuous batching of episodes: each row is in another phase, and none waits for the others' tools.

A row samples until its answer ends; the answer goes into its episode, and what the episode asks next is fed to the row
as one chunk. An episode that returns frees its slot for the next one. An episode that outgrows the context is thrown a
`PolicyError` and decides itself what its record is; other rows go on.
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from hat.episode.chat import ChatResponse, PolicyError, Usage
from hat.episode.engine.backend import Backend
from hat.episode.engine.parse import parse_assistant
from hat.episode.engine.rows import Conversation, Rollout, Row
from hat.episode.engine.sampling import Sampler
from hat.episode.engine.template import ChatFormat
from hat.episode.trace import Trace


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a batch."""

    max_new_tokens: int
    """Tokens of one answer."""
    max_context: int
    """Tokens of one episode, prompt included."""
    max_batch: int
    """Rows played at once."""


class Scheduler:
    """Plays one batch of episodes on one backend; made anew for each."""

    def __init__(self, backend: Backend, chat_format: ChatFormat, sampler: Sampler, limits: Limits) -> None:
        self.backend, self.format, self.sampler, self.limits = backend, chat_format, sampler, limits
        self.live: list[Row] = []
        self.pending: deque[Row] = deque()
        self.done: dict[int, Rollout] = {}
        self._prefixes: dict[int, list[int]] = {}
        self._slots: list[int] = []
        self._unfinished: Counter[int] = Counter()

    def play(self, episodes: Sequence[Conversation]) -> list[Rollout]:
        """Play all episodes to their end; one rollout each, in order."""
        for index, episode in enumerate(episodes):
            self._open(index, episode)
        self._share_prefixes()
        while self.live or self.pending:
            self._admit_all()
            waiting = [slot for slot, row in enumerate(self.live) if row.chunk is not None]
            if waiting and (not self.backend.in_waves or len(waiting) == len(self.live)):
                self._extend(waiting)
            else:
                self._step()
        return [self.done[index] for index in range(len(episodes))]

    def _open(self, index: int, episode: Conversation) -> None:
        try:
            request = next(episode)
        except StopIteration as ended:
            self.done[index] = Rollout(ended.value, [], [], [], [])
            return
        row = Row(index, episode, request, self.format.prompt(request), group=index)
        if row.length >= self.limits.max_context:
            self.done[index] = row.rollout(self._overflow(row, row.length))
        else:
            self.pending.append(row)

    def _share_prefixes(self) -> None:
        """Rows with the same system prompt and tools form a group; what all their prompts begin with is its prefix."""
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in self.pending:
            request = row.request
            groups.setdefault((request.messages[0].content, repr(request.tools)), []).append(row)
        ordered = sorted(groups.values(), key=len, reverse=True)  # prefixes with about as many rows stand together
        self.pending = deque(row for rows in ordered for row in rows)
        for group, rows in enumerate(ordered):
            shared = _common_start([row.prompt_ids[:-1] for row in rows]) if self.backend.shares_prefixes else []
            self._prefixes[group] = shared
            self._unfinished[group] = len(rows)
            for row in rows:
                row.group, row.chunk = group, row.prompt_ids[len(shared) :]

    def _admit_all(self) -> None:
        if self.backend.in_waves and self.live:
            return
        while self.pending and len(self.live) < self.limits.max_batch:
            self._admit(len(self.live))

    def _admit(self, slot: int) -> None:
        row = self.pending.popleft()
        if row.group not in self._slots:
            if self.backend.shares_prefixes:
                self.backend.open_prefix(self._prefixes[row.group])
            self._slots.append(row.group)
        self.backend.admit(slot, self._slots.index(row.group))
        self.live[slot : slot + 1] = [row]

    def _extend(self, waiting: list[int]) -> None:
        chunks = []
        for slot in waiting:
            chunks.append(self.live[slot].chunk or [])
            self.live[slot].chunk = None
        self._choose(waiting, self.backend.extend(waiting, chunks))

    def _step(self) -> None:
        tokens = [None if row.chunk is not None else row.ids[-1] for row in self.live]
        logits_RV = self.backend.step(tokens)
        sampling = [slot for slot, token in enumerate(tokens) if token is not None]
        self._choose(sampling, logits_RV if len(sampling) == len(tokens) else logits_RV[sampling])

    def _choose(self, slots: list[int], logits_RV: Tensor) -> None:
        rows = [self.live[slot] for slot in slots]
        ended = []
        for slot, row, token, logp in zip(slots, rows, *self.sampler(logits_RV, rows), strict=True):
            row.sampled(token, logp)
            if token in self.format.stops or len(row.ids) - row.begun >= self.limits.max_new_tokens:
                trace = self._answer(row)
            elif row.length >= self.limits.max_context:
                trace = self._overflow(row, row.length + 1)
            else:
                continue
            if trace is not None:
                self.done[row.index] = row.rollout(trace)
                ended.append(slot)
        for slot in reversed(ended):
            self._leave(slot)

    def _answer(self, row: Row) -> Trace | None:
        """Send the finished answer into the episode. Returns the trace if the episode is over."""
        answer_ids = row.ids[row.begun :]
        message = parse_assistant(self.format.text(answer_ids), row.calls)
        row.calls += len(message.tool_calls)
        usage = Usage(
            prompt_tokens=row.length - len(answer_ids),
            completion_tokens=len(answer_ids),
        )
        answered = len(row.request.messages)
        try:
            row.request = row.episode.send(ChatResponse(message=message, usage=usage))
        except StopIteration as ended:
            trace: Trace = ended.value
            return trace
        told = self.format.suffix(row.request, answered, row.ids[-1])
        if row.length + len(told) >= self.limits.max_context:
            return self._overflow(row, row.length + len(told))
        row.told(told)
        return None

    def _overflow(self, row: Row, length: int) -> Trace:
        """Tell the episode that its policy cannot go on; it returns its record."""
        error = PolicyError(
            f"context length: episode {row.index} has {length} tokens and no room for an answer, "
            f"the limit is {self.limits.max_context}; shorten the prompt or raise max_context"
        )
        try:
            row.episode.throw(error)
        except StopIteration as ended:
            trace: Trace = ended.value
            return trace
        raise RuntimeError(f"episode {row.index} asked again after it was told that its policy failed") from error

    def _leave(self, slot: int) -> None:
        """Free a slot: the next episode takes it, or the last row moves there."""
        group = self.live[slot].group
        self._unfinished[group] -= 1
        if self.pending and not self.backend.in_waves:
            self._admit(slot)
        else:
            self.backend.retire(slot)
            last = self.live.pop()
            if slot < len(self.live):
                self.live[slot] = last
        if not self._unfinished[group]:
            self._close(group)

    def _close(self, group: int) -> None:
        slot = self._slots.index(group)
        if self.backend.shares_prefixes:
            self.backend.close_prefix(slot)
        last = self._slots.pop()
        if slot < len(self._slots):
            self._slots[slot] = last


def _common_start(sequences: list[list[int]]) -> list[int]:
    """The longest common start; of all sequences, the first and the last in order differ soonest."""
    first, last = min(sequences), max(sequences)
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:length]
