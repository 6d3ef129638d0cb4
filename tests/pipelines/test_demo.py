"""`hat demo` around a run: what it refuses, what it says when stopped, how a killed run is taken up."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from hat.cli import app
from hat.cli.running import say_failed
from hat.pipeline.board import Board
from hat.pipeline.launch import Launch, LaunchError, explain, require_room
from hat.tracking import ProgressEvent
from hat.tracking.owner import alive

STAGES = """
import json, os, sys, time
path = os.environ["HAT_PROGRESS"]
def say(**event):
    with open(path, "a") as file:
        file.write(json.dumps({"time": time.time(), "total": 1, "unit": "task", "done": 0, **event}) + "\\n")
say(task="sft", stage="SFT", state="done")
say(task="rl", stage="RL", state="running")
say(task="rl", stage="rl", done=3, total=9, unit="steps")
print("going", flush=True)
time.sleep(60)
"""

PLAY = """
import os, subprocess, sys
from pathlib import Path
from rich.console import Console
from hat.cli.running import Ending, play
class Run:
    root, progress, log = Path("."), Path("progress.jsonl"), Path("log")
    def start(self, workers):
        env = os.environ | {"HAT_PROGRESS": "progress.jsonl"}
        process = subprocess.Popen([sys.executable, "stages.py"], env=env, start_new_session=True)
        Path("pid").write_text(str(process.pid))
        return process
sys.exit(play(Console(), Run(), 2, 0, Ending("make demo", print)))
"""


def test_ctrl_c__ends_the_stages_and_says_what_is_kept(tmp_path):
    (tmp_path / "stages.py").write_text(STAGES)
    (tmp_path / "play.py").write_text(PLAY)
    demo = subprocess.Popen([sys.executable, "play.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    while demo.stdout.readline() != "going\n":
        pass
    time.sleep(1)

    demo.send_signal(signal.SIGINT)
    said, _ = demo.communicate(timeout=30)

    assert demo.returncode == 130
    assert "Kept: SFT." in said
    assert "RL was at 3 of 9 steps" in said
    assert "The same command goes on from here: make demo" in said
    assert not alive(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("hears", ["default_int_handler", "SIG_IGN"])
def test_owner_killed__process_ends_by_itself(hears):
    owner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    code = f"import signal, time; signal.signal(signal.SIGINT, signal.{hears}); "
    code += "from hat.tracking.owner import end_with_owner; end_with_owner(0.1); time.sleep(60)"
    worker = subprocess.Popen(
        [sys.executable, "-c", code], env=os.environ | {"HAT_OWNER": str(owner.pid)}, stderr=subprocess.PIPE
    )

    time.sleep(1)
    owner.kill()
    owner.wait()
    worker.communicate(timeout=15)

    assert worker.returncode != 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--recipe", "nothing"], "no such recipe; there are demo"),
        (["--harness", "missing"], "missing"),
        (["--catalogue", "bad.csv"], "bad.csv"),
        (["--base", "missing/model/here"], "neither a model folder nor a hub id"),
    ],
)
def test_wrong_input__is_named_and_nothing_starts(tmp_path, monkeypatch, arguments, named):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.csv").write_text("link_id,price\n1,-5\n1,x\n", encoding="utf-8")

    result = CliRunner().invoke(app, ["demo", *arguments])

    assert result.exit_code == 2
    assert named in result.output
    assert "Nothing was started" in result.output
    assert not (tmp_path / "build" / "runs").exists()


def test_recipe__every_wrong_setting_is_named_at_once(tmp_path):
    recipe = tmp_path / "mine.yaml"
    recipe.write_text(
        "base_model: x\nsynthesize: {original: {}, augmented: {original: 3}}\nsft: {fixed: {}, hat: {steps: 0}}\n"
        "opd: {}\nrl: {rollout: 4}\nevaluate: {}\ngate: {}\n"
    )

    result = CliRunner().invoke(app, ["demo", "--recipe", str(recipe)])

    assert result.exit_code == 2
    for name in ("synthesize.augmented.original", "sft.hat.steps", "rl.rollout"):
        assert name in result.output


def test_folder__is_named_by_what_goes_in(tmp_path):
    one, same, other = (Launch("demo", {"harness_digest": d}, tmp_path).root for d in ("a", "a", "b"))

    assert one == same != other


def test_full_disk__is_said_plainly(tmp_path, monkeypatch):
    monkeypatch.setattr("hat.pipeline.launch.NEEDED", 1 << 60)
    with pytest.raises(LaunchError, match=r"the disk is nearly full: [0-9]+ MB free"):
        require_room(tmp_path)

    log = tmp_path / "log.txt"
    log.write_text("Traceback\nOSError: [Errno 28] No space left on device\n")
    assert explain(log).startswith("The disk is full.")


def test_full_disk__is_said_where_the_log_could_not_tell(tmp_path, monkeypatch):
    log = tmp_path / "log.txt"
    log.write_text("Traceb")
    assert explain(log) == "Traceb"
    monkeypatch.setattr("hat.pipeline.launch.free_bytes", lambda folder: 0)
    assert explain(log).startswith("The disk is full.")


def test_failure__shows_the_end_of_the_log(tmp_path):
    launch = Launch("demo", {}, tmp_path)
    log = launch.root / "tasks" / "sft" / "log.txt"
    log.parent.mkdir(parents=True)
    log.write_text("\n".join(f"line {n}" for n in range(50)) + "\nValueError: loss is nan [at] step 4\n")
    board, console = Board(), Console(record=True, width=200)
    board.take([ProgressEvent(time=1, task="sft", stage="SFT", done=0, total=1, unit="task", state="failed")])

    code = say_failed(console, launch, board)

    said = console.export_text()
    assert code == 1
    assert "SFT failed." in said
    assert "ValueError: loss is nan [at] step 4" in said
    assert "line 3\n" not in said


def test_log__that_is_missing_is_empty():
    assert explain(Path("nowhere")) == ""
