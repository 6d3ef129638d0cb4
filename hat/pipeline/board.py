"""How a pipeline stands, from its progress lines: which tasks wait, run, are done, how fast, how long still. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from hat.tracking import ProgressEvent

ENDED = {"done", "kept", "failed", "skipped"}


@dataclass
class Task:
    """One task of the pipeline."""

    name: str
    title: str
    state: str = "waiting"
    started: float | None = None
    ended: float | None = None
    first: ProgressEvent | None = None
    """The first line of what it does now; rates count from there."""
    last: ProgressEvent | None = None
    """The latest line of what it does now."""

    @property
    def rate(self) -> float | None:
        """Units a second, or None if too little is known."""
        if not (self.first and self.last) or self.last.time - self.first.time < 1:
            return None
        rate = (self.last.done - self.first.done) / (self.last.time - self.first.time)
        return rate if rate > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds that what it does now will still take, or None."""
        rate = self.rate
        return (self.last.total - self.last.done) / rate if self.last and rate else None

    def seconds(self, now: float) -> float:
        """Seconds since it began, up to its end."""
        return (self.ended or now) - self.started if self.started else 0.0


@dataclass
class Board:
    """All tasks, in the order in which they were announced."""

    tasks: dict[str, Task] = field(default_factory=dict)

    def take(self, events: Iterable[ProgressEvent]) -> list[Task]:
        """Take lines in; returns the tasks whose state changed."""
        changed = []
        for event in events:
            if event.unit == "task":
                changed += self._state(event)
            elif event.task in self.tasks:
                _advance(self.tasks[event.task], event)
        return list({task.name: task for task in changed}.values())

    def _state(self, event: ProgressEvent) -> list[Task]:
        task = self.tasks.setdefault(event.task, Task(event.task, event.stage))
        if task.state == event.state and event.state != "running":
            return []
        task.state = event.state
        if event.state == "running":
            task.started, task.ended, task.first, task.last = event.time, None, None, None
        if event.state in ENDED:
            task.ended = event.time
        return [task]

    def having(self, *states: str) -> list[Task]:
        """Tasks in one of these states."""
        return [task for task in self.tasks.values() if task.state in states]


def _advance(task: Task, event: ProgressEvent) -> None:
    if task.first is None or task.first.stage != event.stage or task.first.total != event.total:
        task.first = event
    task.last = event


def duration(seconds: float) -> str:
    """Seconds in words: `42 s`, `3 min 05 s`, `1 h 02 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


MAIN = ("loss", "reward", "score", "accuracy", "kept", "kl")
"""Figures that are shown first."""


def figures(event: ProgressEvent, most: int = 3) -> str:
    """The latest metrics, the telling ones first, `most` at most."""
    names = sorted(event.metrics, key=lambda name: (MAIN.index(name) if name in MAIN else len(MAIN), name))
    return ", ".join(f"{name} {event.metrics[name]:.3g}" for name in names[:most])


def sentence(task: Task, now: float) -> str:
    """A task in one plain line."""
    if task.state in {"waiting", "skipped"}:
        return f"{task.title}: {task.state}"
    if task.state == "kept":
        return f"{task.title}: kept from before"
    if task.state != "running" or task.last is None:
        return f"{task.title}: {task.state}, {duration(task.seconds(now))}"
    last = task.last
    parts = [f"{last.done:,}/{last.total:,} {last.unit}"]
    parts += [f"{task.rate:.3g} {last.unit}/s"] if task.rate else []
    parts += [f"{duration(task.left)} left"] if task.left is not None else []
    parts += [shown] if (shown := figures(last)) else []
    return f"{task.title}: {', '.join(parts)}"
