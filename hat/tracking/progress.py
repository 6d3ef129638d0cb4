"""Progress of a stage as JSON lines, one per update, in the file that the environment variable HAT_PROGRESS names.

Without that variable nothing is written, so every stage may report and none needs to know who watches. A line is
written by one `write` call in append mode, so stages that run side by side may share a file.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import Field, ValidationError

from hat.harness.model import Frozen

VARIABLE = "HAT_PROGRESS"
"""Environment variable with the path of the progress file."""
TASK = "HAT_TASK"
"""Environment variable with the pipeline's task that this process is, if it is one."""


class ProgressEvent(Frozen):
    """One line: how far a stage is."""

    time: float
    """Seconds since the epoch."""
    task: str = ""
    """The pipeline's task that the stage is part of; empty outside a pipeline."""
    stage: str
    done: int
    total: int
    """Work in all, in `unit`; 0 if unknown."""
    unit: str = "steps"
    state: str = "running"
    """running, done or failed; of a pipeline's task also waiting, skipped, and kept (taken from an earlier run)."""
    metrics: dict[str, float] = Field(default_factory=dict)


Sink = Callable[[ProgressEvent], None]
_sink: ContextVar[Sink | None] = ContextVar("progress sink", default=None)


@contextmanager
def listening(sink: Sink) -> Iterator[None]:
    """Within the block every `update` that carries metrics also goes to `sink`, none dropped."""
    token = _sink.set(sink)
    try:
        yield
    finally:
        _sink.reset(token)


class Progress:
    """Reports one stage: `with Progress("sft", total=200) as p: p.update(done, loss=0.3)`.

    Lines closer together than `every` seconds are dropped, except the first and the last.
    """

    def __init__(
        self,
        stage: str,
        total: int,
        unit: str = "steps",
        *,
        every: float = 0.2,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.stage, self.total, self.unit = stage, total, unit
        self._every, self._clock = every, clock
        self._done, self._metrics, self._last = 0, dict[str, float](), float("-inf")
        path = os.environ.get(VARIABLE)
        self._path = Path(path) if path else None

    def __enter__(self) -> Self:
        self._write("running")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None:
            self._done = self._done or self.total
        self._write("done" if kind is None else "failed")

    def update(self, done: int, **metrics: float) -> None:
        """Say that `done` of `total` is done; `metrics` are the latest values, shown beside the bar."""
        self._done = done
        self._metrics |= {key: float(value) for key, value in metrics.items()}
        if metrics and (sink := _sink.get()):
            sink(self._event("running"))
        if self._clock() - self._last >= self._every:
            self._write("running")

    def advance(self, by: int = 1, **metrics: float) -> None:
        """Say that `by` more is done."""
        self.update(self._done + by, **metrics)

    def _write(self, state: str) -> None:
        self._last = self._clock()
        if self._path is None:
            return
        append(self._path, self._event(state))

    def _event(self, state: str) -> ProgressEvent:
        return ProgressEvent(
            time=self._clock(),
            task=os.environ.get(TASK, ""),
            stage=self.stage,
            done=self._done,
            total=self.total,
            unit=self.unit,
            state=state,
            metrics=dict(self._metrics),
        )


def append(path: Path, event: ProgressEvent) -> None:
    """Add one line to a progress file."""
    line = json.dumps(event.model_dump(), ensure_ascii=False) + "\n"
    with path.open("ab", buffering=0) as file:
        file.write(line.encode())


def read_progress(path: Path, offset: int = 0) -> tuple[list[ProgressEvent], int]:
    """Whole lines from byte `offset` on, and where to read on. No file yet: nothing. A broken line is passed over."""
    if not path.exists():
        return [], offset
    with path.open("rb") as file:
        file.seek(offset)
        data = file.read()
    whole = data[: data.rfind(b"\n") + 1]
    return [event for line in whole.splitlines() if (event := _parse(line))], offset + len(whole)


def _parse(line: bytes) -> ProgressEvent | None:
    try:
        return ProgressEvent.model_validate_json(line)
    except ValidationError:
        return None
