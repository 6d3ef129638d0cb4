"""Many episodes under one policy: batched by the policy itself, on threads for an endpoint, else one by one."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol, runtime_checkable

from hat.episode.chat import ChatRequest, ChatResponse, Policy, PolicyError
from hat.episode.loop import Episode, play
from hat.episode.trace import Trace


@runtime_checkable
class Driver(Protocol):
    """A policy that plays many episodes at once; each result holds its `trace`."""

    def drive(self, episodes: Sequence[Episode]) -> Sequence[Any]:
        """One result for each episode, in order."""
        ...


def run_episodes(
    policy: Policy,
    episodes: Sequence[Episode],
    on_trace: Callable[[Trace], None] | None = None,
    concurrency: int | None = None,
) -> list[Trace]:
    """Traces in the order of the episodes. A policy that fails makes a recorded trace, it never stops the run.

    Args:
        policy: drives the episodes itself if it has `drive`.
        episodes: none of them begun.
        on_trace: called in the calling thread with each trace as it ends (for a driving policy, at the end).
        concurrency: episodes under way at once; by default the policy's own `concurrency`, else 1.
    """
    if isinstance(policy, Driver):
        return [_told(result.trace, on_trace) for result in policy.drive(episodes)]
    width: int = concurrency if concurrency is not None else getattr(policy, "concurrency", 1)
    if width == 1:
        return [_told(play(episode, policy), on_trace) for episode in episodes]
    traces: dict[int, Trace] = {}
    for place, trace in _on_threads(policy, episodes, width):
        traces[place] = _told(trace, on_trace)
    return [traces[place] for place in range(len(episodes))]


class _Stoppable:
    """A policy that answers no more once told to stop, so that Ctrl-C waits for one answer, not for episodes."""

    def __init__(self, policy: Policy) -> None:
        self.name, self._policy = policy.name, policy
        self.stopped = threading.Event()

    def chat(self, request: ChatRequest) -> ChatResponse:
        """The policy's answer."""
        if self.stopped.is_set():
            raise PolicyError("the run was stopped")
        return self._policy.chat(request)


def _on_threads(policy: Policy, episodes: Sequence[Episode], width: int) -> Iterator[tuple[int, Trace]]:
    """Place and trace of each episode as it ends. At most `width` are begun; a bug in one stops the rest."""
    pool = ThreadPoolExecutor(width, thread_name_prefix="episode")
    stoppable = _Stoppable(policy)
    running: dict[Future[Trace], int] = {}
    try:
        for place, episode in enumerate(episodes):
            running[pool.submit(play, episode, stoppable)] = place
            while len(running) >= width:
                yield from _ended(running)
        while running:
            yield from _ended(running)
    finally:
        stoppable.stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _ended(running: dict[Future[Trace], int]) -> Iterator[tuple[int, Trace]]:
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        yield running.pop(future), future.result()


def _told(trace: Trace, on_trace: Callable[[Trace], None] | None) -> Trace:
    if on_trace is not None:
        on_trace(trace)
    return trace
