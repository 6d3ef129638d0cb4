"""Measuring a trainer from the end of its first step to the end of its last; rates of two sides, run in turn."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from transformers import TrainerCallback

Counts = dict[str, float]
"""What was done, and in how many `cpu` and `wall` seconds."""


class Stopwatch(TrainerCallback):
    """Leaves out the first step, in which memory is touched and kernels are chosen for the first time."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Begin after the first step, go on to the last."""
        if state.global_step == 1:
            self.counts.clear()
            self._begin = time.process_time(), time.perf_counter()
        self.counts["cpu"] = time.process_time() - self._begin[0]
        self.counts["wall"] = time.perf_counter() - self._begin[1]


def measure(trainer: Any) -> Counts:
    """Train; the trainer itself adds to `trainer.counts` what it does."""
    trainer.counts = {}
    watch = Stopwatch(trainer.counts)
    trainer.add_callback(watch)
    trainer.train()
    trainer.remove_callback(watch)
    return dict(trainer.counts)


def add(counts: Counts, name: str, amount: Any) -> None:
    """Count."""
    counts[name] = counts.get(name, 0) + float(amount)


def in_turn(sides: Mapping[str, Callable[[], Counts]], runs: int) -> dict[str, list[Counts]]:
    """Each side once, then each again: what disturbs the machine for a while disturbs all of them."""
    found: dict[str, list[Counts]] = {name: [] for name in sides}
    for _ in range(runs):
        for name, side in sides.items():
            found[name].append(side())
    return found


def row(
    name: str, what: str, unit: str, ours: Sequence[Counts], peer: Sequence[Counts], peer_name: str, goal: float | None
) -> dict[str, Any]:
    """A row of medians. `unit` is "things/cpu s" or "things/s", the things a name that was counted."""
    key = unit.split("/", maxsplit=1)[0]
    clock = "cpu" if unit.endswith("cpu s") else "wall"
    ours_rates, peer_rates = ([run[key] / run[clock] for run in side] for side in (ours, peer))
    a, b = statistics.median(ours_rates), statistics.median(peer_rates)
    return {
        "id": name,
        "what": what,
        "unit": unit,
        "ours": round(a, 2),
        "ours_range": _range(ours_rates),
        "peer": peer_name,
        "peer_value": round(b, 2),
        "peer_range": _range(peer_rates),
        "ratio": round(a / b, 2),
        "goal": goal,
        "goal_of": "ratio",
        "met": None if goal is None else a >= goal * b,
        "n": len(ours),
    }


def _range(rates: Sequence[float]) -> list[float]:
    return [round(min(rates), 2), round(max(rates), 2)]
