"""Traces on disk: round trip, half-written ends, damage, a full disk, two writers."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hat.episode import Trace, TraceFileError, read_traces, run_episode, write_traces
from tests.episode.small_world import LOADED, LOOKED, Scripted, World, ask, build, calling


def trace(reply: str = "99 元") -> Trace:
    answers = (LOOKED, calling("look_up", "no json"), LOADED, "<think>嗯</think>" + reply)
    return run_episode(build(), ask(reply), World(), Scripted(*answers))


def test_round_trip__is_exact(tmp_path: Path) -> None:
    traces = [trace(), trace("全网最低 1 元")]
    assert write_traces(tmp_path / "new" / "traces.jsonl", traces) == 2
    assert list(read_traces(tmp_path / "new" / "traces.jsonl")) == traces


def test_appending__keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    for reply in "abc":
        write_traces(path, [trace(reply)])
    assert [found.situation.message for found in read_traces(path) if found.situation] == ["a", "b", "c"]


@pytest.mark.parametrize("cut", [1, 2, 40, 400])
def test_half_written_end__is_told_and_never_taken_for_whole(
    tmp_path: Path, cut: int, caplog: pytest.LogCaptureFixture
) -> None:
    path, traces = tmp_path / "traces.jsonl", [trace("a"), trace("b"), trace("c")]
    write_traces(path, traces)
    os.truncate(path, path.stat().st_size - cut)
    whole = traces if cut == 1 else traces[:2]  # only the newline is missing
    with caplog.at_level(logging.WARNING):
        assert list(read_traces(path)) == whole
    assert ("half-written" in caplog.text) == (cut > 1)
    write_traces(path, [trace("d")])
    assert [found.messages for found in read_traces(path)] == [found.messages for found in [*whole, trace("d")]]


def test_damage_in_the_middle__names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    write_traces(path, [trace()])
    with path.open("a") as file:
        file.write('{"id": "x"}\n')
    write_traces(path, [trace()])
    with pytest.raises(TraceFileError, match=r"traces\.jsonl:2"):
        list(read_traces(path))


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from hat.episode import read_traces, write_traces
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 1000,) * 2)
try:
    write_traces(path, list(read_traces(path)))
except OSError as error:
    print(error)
"""


def test_no_room_left__is_said_and_leaves_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    write_traces(path, [trace("a")])
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True)
    assert "nothing half-written left" in done.stdout
    assert str(path) in done.stdout
    assert path.read_bytes() == before


WRITER = """
import sys
from pathlib import Path
from hat.episode import read_traces, write_traces
kept = list(read_traces(Path(sys.argv[1])))
for _ in range(100):
    write_traces(Path(sys.argv[2]), kept)
"""


def test_two_writers__do_not_tear_each_others_lines(tmp_path: Path) -> None:
    source, target = tmp_path / "one.jsonl", tmp_path / "all.jsonl"
    write_traces(source, [trace()])
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(source), str(target)]) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(list(read_traces(target))) == 200
