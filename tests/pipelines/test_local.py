"""KFP's local runner as we use it: side by side, resumable, and plain about failures."""

from pathlib import Path

import pytest

from hat.pipeline.local import TaskFailedError, run_local, task_folder
from hat.tracking import read_progress
from tests.pipelines.toys import toy, toy_loop

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning", "ignore::DeprecationWarning")


def rows(path):
    return [(n, float(a), float(b)) for n, a, b in (line.split() for line in path.read_text().splitlines())]


def states(path):
    events, _ = read_progress(path)
    return {event.task: event.state for event in events}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("HAT_PROGRESS", str(tmp_path / "progress.jsonl"))
    return tmp_path


def test_lanes__run_side_by_side_and_the_branch_is_taken(place):
    run_local(toy, {"marks": str(place / "marks")}, place / "run")

    (_, begin_a, end_a), (_, begin_b, end_b), (last, _, _) = rows(place / "marks")
    assert max(begin_a, begin_b) < min(end_a, end_b)
    assert last == "act"


def test_run_folder__may_be_relative(place, monkeypatch):
    monkeypatch.chdir(place)
    run_local(toy, {"marks": str(place / "marks")}, Path("run"))

    assert states(place / "progress.jsonl")["lane"] == "done"


def test_branch__not_wanted_is_not_taken(place):
    run_local(toy, {"marks": str(place / "marks"), "wanted": "something else"}, place / "run")

    assert "act" not in [name for name, _, _ in rows(place / "marks")]


def test_failure__names_task_and_log_keeps_the_rest_and_goes_on_from_the_checkpoint(place):
    given = {"marks": str(place / "marks"), "fails": True}
    with pytest.raises(TaskFailedError, match="lane-2"):
        run_local(toy, given, place / "run")
    after_failure = states(place / "progress.jsonl")
    log = (task_folder(place / "run", "lane-2") / "log.txt").read_text()

    run_local(toy, given, place / "run")

    assert after_failure["lane-2"] == "failed"
    assert "No space left" in log
    assert states(place / "progress.jsonl") == {"lane": "kept", "lane-2": "done", "decide": "done", "act": "done"}
    assert [name for name, _, _ in rows(place / "marks")].count("a") == 1


def test_same_command_again__acts_once_more_and_trains_nothing(place):
    given = {"marks": str(place / "marks")}
    run_local(toy, given, place / "run")
    before = len(rows(place / "marks"))

    run_local(toy, given, place / "run")

    assert [name for name, _, _ in rows(place / "marks")[before:]] == ["act"]
    assert states(place / "progress.jsonl")["lane"] == "kept"


def test_loop__rounds_side_by_side_within_the_limit_and_their_outputs_together(place):
    run_local(toy_loop, {"marks": str(place / "marks")}, place / "run")

    *lanes, (text, _, _) = rows(place / "marks")
    assert text == "x-good-day,y-good-day,z-good-day"
    (_, _, first), (_, begin, _), (_, last, _) = sorted(lanes, key=lambda row: row[1])
    assert begin < first < last + 0.4
    found = states(place / "progress.jsonl")
    assert set(found.values()) == {"done"}
    assert len([name for name in found if name.endswith("/join")]) == 3
    events, _ = read_progress(place / "progress.jsonl")
    assert "join, name y" in {event.stage for event in events}


def test_loop_again__everything_is_kept_and_another_round_is_added(place):
    run_local(toy_loop, {"marks": str(place / "marks")}, place / "run")
    before = len(rows(place / "marks"))

    run_local(toy_loop, {"marks": str(place / "marks"), "names": [*"xyzw"]}, place / "run")

    assert [name for name, _, _ in rows(place / "marks")[before:]] == [
        "w",
        "x-good-day,y-good-day,z-good-day,w-good-day",
    ]


def test_loop__failure_in_a_round__named_and_gone_on_from(place):
    with pytest.raises(TaskFailedError, match=r"iteration-\d/lane \(log"):
        run_local(toy_loop, {"marks": str(place / "marks"), "fails": True}, place / "run", workers=3)

    run_local(toy_loop, {"marks": str(place / "marks"), "fails": True, "names": [*"xy"]}, place / "run", workers=1)

    assert rows(place / "marks")[-1][0] == "x-good-day,y-good-day"
