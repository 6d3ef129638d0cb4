"""Episodes of the agent loop a second: oracle, the example harness with its six CEL hooks, verdict included; one core.

CPU seconds of this process, so that what else runs on the machine counts little; the best of `runs`. The second row
plays every episode under a fresh variant, so nothing derived from a harness is there yet; its peer is the first row's
rate, and it has no goal.
"""

import time
from collections.abc import Callable
from random import Random
from typing import Any

from hat.domains.livestream import Livestream
from hat.domains.oracle import Oracle
from hat.domains.task import Task
from hat.domains.verify import verify
from hat.episode import run_episode
from hat.harness import Harness
from hat.hsa import augment

GOAL = 1000.0
"""Episodes a second."""
RUNS, EPISODES = 5, 1000

Play = Callable[[Harness, Task], float]


def rows(episodes: int = EPISODES, runs: int = RUNS) -> list[dict[str, Any]]:
    """Two rows: under the original harness, and under variants."""
    domain, rng = Livestream(), Random(0)
    harness = domain.harness()
    tasks = [domain.sample(rng) for _ in range(episodes)]

    def play(played: Harness, task: Task) -> float:
        trace = run_episode(played, task.situation, domain.environment(task), Oracle(played, task))
        return verify(task, trace, played).accuracy

    original = max(_rate(play, [harness] * episodes, tasks) for _ in range(runs))
    fresh = max(
        _rate(play, [augment(harness, Random(n * runs + run)).harness for n in range(episodes)], tasks)
        for run in range(runs)
    )
    what = "episodes with oracle, hooks and verdict, one core"
    return [
        _row("loop_episodes_per_second", what, original, None, episodes * runs)
        | {"goal": GOAL, "met": original >= GOAL},
        _row("loop_episodes_per_second_variants", f"{what}, a new variant each", fresh, original, episodes * runs),
    ]


def _rate(play: Play, harnesses: list[Harness], tasks: list[Task]) -> float:
    """Episodes a CPU second. Raises RuntimeError if the oracle gets one wrong: the figure would mean nothing."""
    start = time.process_time()
    right = sum(play(harness, task) for harness, task in zip(harnesses, tasks, strict=True))
    rate = len(tasks) / (time.process_time() - start)
    if right != len(tasks):
        raise RuntimeError(f"the oracle solves {right:.0f} of {len(tasks)} tasks; all were expected")
    return rate


def _row(name: str, what: str, ours: float, peer: float | None, n: int) -> dict[str, Any]:
    return {
        "id": name,
        "what": what,
        "unit": "episodes/s",
        "ours": round(ours, 1),
        "peer": None if peer is None else "the original harness",
        "peer_value": None if peer is None else round(peer, 1),
        "ratio": None if peer is None else round(ours / peer, 2),
        "goal": None,
        "met": None,
        "n": n,
    }


if __name__ == "__main__":
    for row in rows():
        print(row)
