"""A run while it goes: a table that stays in place on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from hat.pipeline.board import Board, Task, duration, figures, sentence

MARKS = {
    "waiting": ("·", "dim"),
    "running": ("▶", "cyan"),
    "done": ("✓", "green"),
    "kept": ("✓", "green dim"),
    "failed": ("✗", "red"),
    "skipped": ("–", "dim"),
}


class View(Protocol):
    """Shows a board."""

    def show(self, board: Board, changed: list[Task]) -> None:
        """Bring what is shown up to date."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


def view_for(console: Console, about: str) -> View:
    """A live table on a terminal, plain lines elsewhere. `about` is one line above it."""
    return LiveView(console, about) if console.is_terminal else PlainView(lambda line: print(line, flush=True))


class PlainView:
    """A line for every change, and every `every` seconds one for each task that runs."""

    def __init__(self, write: Callable[[str], None], every: float = 20.0) -> None:
        self._write, self._every = write, every
        self._last = time.time()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        return None

    def show(self, board: Board, changed: list[Task]) -> None:
        """Write what is new."""
        now = time.time()
        news = [task for task in changed if task.state != "waiting"]
        if now - self._last > self._every:
            news += [task for task in board.having("running") if task not in news]
        for task in news:
            self._last = now
            self._write(f"{time.strftime('%H:%M:%S')} {sentence(task, now)}")


class LiveView:
    """A table that is drawn again four times a second."""

    def __init__(self, console: Console, about: str) -> None:
        self._about, self._began = about, time.time()
        self._live = Live(console=console, refresh_per_second=4, transient=False)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, traceback)

    def show(self, board: Board, changed: list[Task]) -> None:
        """Draw the board."""
        now = time.time()
        self._live.update(draw(board, now, f"{self._about}, {duration(now - self._began)} so far"))


def draw(board: Board, now: float, title: str) -> RenderableType:
    """The board as a table: stage, progress, rate, time left, latest metrics."""
    table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="dim", padding=(0, 2, 0, 0))
    for name in ("", "Stage", "Progress", "", "Rate", "Left", "Latest"):
        table.add_column(name, header_style="dim", no_wrap=name != "Latest", overflow="ellipsis")
    for task in board.tasks.values():
        mark, style = MARKS[task.state]
        table.add_row(
            Text(mark, style), Text(task.title, style if task.state == "waiting" else ""), *_columns(task, now)
        )
    return table


def _columns(task: Task, now: float) -> tuple[RenderableType, ...]:
    if task.state != "running":
        words = {"done": duration(task.seconds(now)), "kept": "from before"}.get(task.state, task.state)
        return (_bar(task), Text(words, "dim"), "", "", Text(figures(task.last), "dim") if task.last else "")
    last = task.last
    if last is None or not last.total:
        return (_bar(task), Text(f"starting, {duration(task.seconds(now))}", "dim"), "", "", "")
    rate = f"{task.rate:.3g} {last.unit}/s" if task.rate else ""
    left = duration(task.left) if task.left is not None else ""
    return (_bar(task), f"{last.done:,}/{last.total:,} {last.unit}", rate, left, figures(last))


def _bar(task: Task) -> RenderableType:
    if task.state in {"waiting", "skipped"}:
        return ""
    whole = task.state in {"done", "kept"}
    done, total = (1, 1) if whole else (task.last.done, task.last.total) if task.last else (0, 1)
    return ProgressBar(total=max(total, 1), completed=done, width=18)
