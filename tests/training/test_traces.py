"""Filtering of traces, cut retries, a teacher that is no good."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from hat.episode import Message, ToolCall
from hat.judge import JudgeConfig, Member
from hat.training import Inputs, TraceConfig, synthesize
from hat.training.files import read_lines
from hat.training.traces import TracesRejected, without_refused_replies


def test_refused_replies__are_cut_with_what_the_model_was_told() -> None:
    call = ToolCall(id="1", name="get_stock", arguments={"link_id": 1})
    opening = [Message(role="system", content="s"), Message(role="user", content="还有吗")]
    told = [Message(role="assistant", content="坏的"), Message(role="user", content="太长")]
    work = [Message(role="assistant", tool_calls=(call,)), Message(role="tool", content="{}", tool_call_id="1")]
    final = [Message(role="assistant", content="好的")]
    assert without_refused_replies((*opening, *told, *work, *told, *final), 2) == (*opening, *work, *final)


def test_history__is_not_taken_for_a_refusal() -> None:
    messages = tuple(
        Message(role=role, content=text)
        for role, text in (("system", "s"), ("user", "a"), ("assistant", "b"), ("user", "c"), ("assistant", "d"))
    )
    assert without_refused_replies(messages, 4) == messages


@pytest.fixture
def babbler() -> Iterator[str]:
    """A server that speaks the protocol and says nothing of use."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"choices": [{"message": {"role": "assistant", "content": "嗯"}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_useless_teacher__is_refused_with_share_and_reason(babbler: str, tmp_path: Path) -> None:
    config = TraceConfig(harnesses=2, tasks=2, original=1.0, teacher_url=babbler, teacher_model="babbler")
    with pytest.raises(TracesRejected, match=r"0 of 4 traces passed .* floor is 50%"):
        synthesize(config, Inputs(), tmp_path)
    assert not (tmp_path / "result.json").exists()


def test_broken_line__is_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{"a":\n')
    with pytest.raises(ValueError, match=r"x\.jsonl:2"):
        list(read_lines(tmp_path / "x.jsonl"))


def test_panel_that_gives_no_verdict__traces_are_dropped_and_counted(babbler: str, tmp_path: Path) -> None:
    panel = JudgeConfig(members=(Member(url=babbler, model="babbler"),), votes=1)
    config = TraceConfig(harnesses=1, tasks=2, original=1.0, judge=panel)
    with pytest.raises(TracesRejected, match=r"0 of 2 traces passed .* \(2 times\): judge undecided: no verdict"):
        synthesize(config, Inputs(), tmp_path)
    assert not (tmp_path / "traces.jsonl").exists()
