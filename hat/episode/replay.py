"""Plays a trace again: the same answers under the same harness and world give the same trace, timing apart."""

from hat.episode.environment import Environment
from hat.episode.loop import run_episode
from hat.episode.policies.recorded import RecordedPolicy
from hat.episode.prepared import prepare
from hat.episode.trace import Trace
from hat.harness import Harness


def replay(trace: Trace, harness: Harness, environment: Environment) -> Trace:
    """The trace played again; `trace.same_as(...)` it unless the world answered differently.

    Raises:
        ValueError: the trace has no situation, or was made under another harness.
    """
    if trace.situation is None:
        raise ValueError(f"trace {trace.id!r} records no situation, so it can't be replayed")
    if (mine := prepare(harness).digest) != trace.harness:
        raise ValueError(f"trace {trace.id!r} was made under harness {trace.harness}, this one is {mine}")
    return run_episode(harness, trace.situation, environment, RecordedPolicy(trace))
