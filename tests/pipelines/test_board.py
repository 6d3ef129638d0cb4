"""The board: how a run stands, from its progress lines."""

from io import StringIO

import pytest
from rich.console import Console

from hat.cli.live import PlainView, draw
from hat.pipeline.board import Board, duration, sentence
from hat.tracking import ProgressEvent


def task(state, time=0.0, name="sft"):
    return ProgressEvent(time=time, task=name, stage="SFT", done=0, total=1, unit="task", state=state)


def step(done, time, **metrics):
    return ProgressEvent(time=time, task="sft", stage="sft", done=done, total=200, metrics=metrics)


def test_resumed_stage__rate_counts_from_where_it_went_on():
    board = Board()

    board.take([task("waiting"), task("running", 10), step(100, 20), step(140, 30, loss=0.5)])

    assert board.tasks["sft"].rate == 4
    assert board.tasks["sft"].left == 15
    assert sentence(board.tasks["sft"], 30) == "SFT: 140/200 steps, 4 steps/s, 15 s left, loss 0.5"


def test_finished_stage__says_how_long_it_took():
    board = Board()

    changed = board.take([task("waiting"), task("running", 10), task("done", 95)])

    assert [t.state for t in changed] == ["done"]
    assert sentence(board.tasks["sft"], 1000) == "SFT: done, 1 min 25 s"


def test_stage_outside_the_pipeline__is_passed_over():
    board = Board()

    board.take([step(1, 0)])

    assert board.tasks == {}


@pytest.mark.parametrize(("seconds", "words"), [(0, "0 s"), (59.4, "59 s"), (65, "1 min 05 s"), (3720, "1 h 02 min")])
def test_duration__in_words(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize("width", [60, 140])
def test_table__every_task_has_its_row(width):
    board = Board()
    board.take([task("waiting", name="a"), task("waiting", name="b"), task("running", 10)])
    board.take([step(100, 20), step(140, 30, loss=0.5)])
    console = Console(width=width, file=StringIO())

    console.print(draw(board, 40, "run"))

    assert console.file.getvalue().count("SFT") == 3


def test_plain_view__one_line_for_each_change():
    board, lines = Board(), []
    view = PlainView(lines.append)

    view.show(board, board.take([task("waiting"), task("running", 10)]))
    view.show(board, board.take([step(1, 11)]))
    view.show(board, board.take([task("failed", 12)]))

    assert [line[9:] for line in lines] == ["SFT: running, " + lines[0].split(", ")[1], "SFT: failed, 2 s"]
