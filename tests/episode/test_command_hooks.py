"""Command hooks as real processes: the shared convention, and programs that mean harm."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hat.episode import Trace, run_episode
from hat.episode.hooks import sandbox
from hat.harness import Hook
from tests.episode.small_world import LOADED, LOOKED, Scripted, World, ask, build

OTHER_AGENTS_HOOK = """
import json, sys
event = json.load(sys.stdin)
if event["hook_event_name"] == "PreToolUse" and event["tool_input"].get("link") == 1:
    print("link 1 is reserved", file=sys.stderr)
    sys.exit(2)
sys.exit(0)
"""

namespaces = pytest.mark.skipif(sandbox.isolation() is not None, reason=f"no namespaces here: {sandbox.isolation()}")


def play(code: str, event: Any = "Stop", **fields: Any) -> Trace:
    command = (sys.executable, "-I", "-S", "-c", code)
    hook = Hook(**{"name": "h", "event": event, "kind": "command", "command": command, "timeout": 5} | fields)
    return run_episode(build(hooks=(hook,), max_retries=1), ask(), World(), Scripted(LOOKED, LOADED, "99 元"))


def run(code: str, timeout: float = 5) -> sandbox.Done:
    return sandbox.run((sys.executable, "-I", "-S", "-c", code), b"", timeout)


def test_hook_of_another_agent__blocks_by_exit_code_2() -> None:
    trace = play(OTHER_AGENTS_HOOK, event="PreToolUse")
    told = json.loads(trace.messages[3].content)
    assert told == {"error": "blocked", "message": "link 1 is reserved"}
    assert trace.calls[1].error is None


def test_exit_code_0__lets_pass() -> None:
    assert play("import sys; sys.stdin.read(); print('fine')").reply == "99 元"


def test_json_verdict_on_stdout__blocks() -> None:
    trace = play("""print('{"decision": "block", "reason": "换句话"}')""", max_triggers=1)
    assert trace.hooks[0].message == "换句话"
    special = '{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}}'
    assert play(f"print('{special}')", event="PreToolUse").hooks[0].message == "no"


@pytest.mark.parametrize("output", ["{", "[1]", '{"decision": "allow"}', '{"decision"', "{}"])
def test_other_output__is_just_talk(output: str) -> None:
    assert play(f"print({output!r})").reply == "99 元"


@pytest.mark.parametrize("on_error", ["open", "closed"])
@pytest.mark.parametrize("code", ["raise SystemExit(1)", "import os; os.kill(os.getpid(), 9)"])
def test_other_exit_code__is_a_failure_of_the_hook(code: str, on_error: Any) -> None:
    trace = play(code, on_error=on_error, message="不行")
    assert trace.hooks[0].outcome == "error"
    assert trace.stop == ("reply" if on_error == "open" else "max_retries")


def test_missing_program__is_named() -> None:
    trace = play("", command=("no-such-program",))
    assert "no-such-program" in trace.hooks[0].message


def test_arguments__never_meet_a_shell() -> None:
    done = sandbox.run(("echo", "$HOME; id > x && `id`"), b"", 5)
    assert done.stdout == "$HOME; id > x && `id`\n"


def test_endless_loop__is_killed_at_the_timeout() -> None:
    begun = time.monotonic()
    trace = play("while True: pass", timeout=0.3, on_error="open")
    assert "killed after 0.3 s" in trace.hooks[0].message
    assert time.monotonic() - begun < 3


def test_memory_hog__gets_no_more_than_its_share() -> None:
    done = run("x = bytearray(600 << 20); print('got it')")
    assert (done.code != 0, "got it" in done.stdout) == (True, False)


def test_big_file__is_cut() -> None:
    done = run("f = open('big', 'wb', 0)\nfor _ in range(64): f.write(b'x' * (1 << 20))\nprint('wrote it')")
    assert (done.code != 0, "wrote it" in done.stdout) == (True, False)


def test_big_output__is_cut() -> None:
    assert len(run("print('x' * 500_000)").stdout) == sandbox.OUTPUT


def test_many_files__are_refused() -> None:
    done = run("held = [open('/dev/null') for _ in range(100)]")
    assert "Too many open files" in done.stderr


def test_environment__is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    seen = run("import os; print(sorted(os.environ), os.environ)").stdout
    assert "hunter2" not in seen
    assert seen.startswith("['HOME', 'LANG', 'PATH', 'TMPDIR']")


@namespaces
def test_parents_environment__cannot_be_read_through_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = (
        "import os\n"
        "for pid in os.listdir('/proc'):\n"
        "    try: print(open(f'/proc/{pid}/environ').read())\n"
        "    except OSError: pass\n"
        f"try: print(open('/proc/{os.getpid()}/environ').read())\n"
        "except OSError: print('refused')"
    )
    process = subprocess.Popen(["sleep", "30"], env={"SECRET_KEY": "hunter2"})
    try:
        assert "hunter2" not in run(reader).stdout
    finally:
        process.kill()
        process.wait()


def test_working_directory__is_empty_and_goes_away() -> None:
    where, listing = run("import os; open('left', 'w').close(); print(os.getcwd()); print(os.listdir())").stdout.split(
        "\n"
    )[:2]
    assert listing == "['left']"
    assert not Path(where).exists()


@namespaces
def test_other_files__cannot_be_written(tmp_path: Path) -> None:
    done = run(f"open({str(tmp_path / 'x')!r}, 'w')")
    assert "Read-only file system" in done.stderr
    assert list(tmp_path.iterdir()) == []


@namespaces
def test_network__is_out_of_reach() -> None:
    done = run("import socket; socket.create_connection(('127.0.0.1', 9), 1)")
    assert "Network is unreachable" in done.stderr


@namespaces
@pytest.mark.parametrize("wait", ["", "time.sleep(60)"])
def test_background_process__does_not_outlive_the_hook(wait: str, tmp_path: Path) -> None:
    mark = f"hat-left-{os.getpid()}-{len(wait)}"
    code = f"import os, sys, time\nif os.fork() == 0:\n os.setsid(); os.execvp('sleep', ['{mark}', '47'])\n{wait}"
    run(code, timeout=0.5)
    time.sleep(0.1)
    names = [
        (entry / "cmdline").read_bytes() for entry in Path("/proc").iterdir() if entry.name.isdigit() and entry.exists()
    ]
    assert not [name for name in names if mark.encode() in name]


def test_machine_without_namespaces__still_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "isolation", lambda: "refused")
    assert run("import sys; sys.exit(2)").code == 2
    assert run("x = bytearray(600 << 20)").code != 0
    assert run("while True: pass", timeout=0.2).timed_out
