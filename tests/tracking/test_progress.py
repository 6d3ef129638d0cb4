"""Progress lines: what a watcher reads is what the stage said."""

import pytest

from hat.tracking import Progress, read_progress


@pytest.fixture
def lines(tmp_path, monkeypatch):
    path = tmp_path / "progress.jsonl"
    monkeypatch.setenv("HAT_PROGRESS", str(path))
    return path


def test_stage__first_and_last_line_are_always_there(lines):
    with Progress("sft", total=3, every=60) as progress:
        progress.update(1, loss=2.0)
        progress.update(3, loss=1.0)

    events, _ = read_progress(lines)

    assert [(e.state, e.done) for e in events] == [("running", 0), ("done", 3)]
    assert events[-1].metrics == {"loss": 1.0}


def test_failed_stage__says_how_far_it_came(lines):
    def stage():
        with Progress("rl", total=9) as progress:
            progress.update(4)
            raise OSError("disk full")

    with pytest.raises(OSError, match="full"):
        stage()

    events, _ = read_progress(lines)

    assert (events[-1].state, events[-1].done) == ("failed", 4)


def test_reader__half_a_line_waits_for_its_rest(lines):
    with Progress("opd", total=1):
        pass
    whole = lines.read_bytes()
    lines.write_bytes(whole[:-5])

    first, offset = read_progress(lines)
    lines.write_bytes(whole)
    rest, _ = read_progress(lines, offset)

    assert [e.state for e in first + rest] == ["running", "done"]


def test_no_variable__nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.delenv("HAT_PROGRESS", raising=False)
    monkeypatch.chdir(tmp_path)

    with Progress("sft", total=1) as progress:
        progress.advance()

    assert list(tmp_path.iterdir()) == []
