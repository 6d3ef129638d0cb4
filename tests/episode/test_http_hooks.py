"""HTTP hooks against a real server: verdicts, and services that misbehave."""

import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from hat.episode import Trace, run_episode
from hat.episode.hooks.http import MAX_BYTES
from hat.harness import Hook
from tests.episode.small_world import LOADED, LOOKED, Scripted, World, answer, ask, build

Serve = Callable[[Callable[[BaseHTTPRequestHandler, bytes], None]], str]


def play(url: str, **fields: Any) -> Trace:
    hook = Hook(**{"name": "h", "event": "Stop", "kind": "http", "url": url, "max_triggers": 1} | fields)
    return run_episode(build(hooks=(hook,), max_retries=1), ask(), World(), Scripted(LOOKED, LOADED, "99 元"))


def test_service__sees_the_payload_and_blocks_with_its_reason(serve: Serve) -> None:
    seen: list[Any] = []

    def respond(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        seen.append(json.loads(body))
        answer(handler, {"decision": "block", "reason": "语气太冷"})

    trace = play(serve(respond))
    assert (seen[0]["reply"], seen[0]["reply_numbers"], seen[0]["known_numbers"]) == ("99 元", ["99"], ["1", "99"])
    assert (trace.hooks[0].outcome, trace.hooks[0].message, trace.reply) == ("blocked", "语气太冷", "99 元")


def test_service__lets_pass(serve: Serve) -> None:
    assert play(serve(lambda handler, _: answer(handler, {"decision": "allow"}))).hooks == ()


def drip(handler: BaseHTTPRequestHandler, _: bytes) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    for _ in range(10):
        handler.wfile.write(b" ")
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("respond", "cause"),
    [
        (lambda h, _: answer(h, b"oops", 500), "status 500"),
        (lambda h, _: answer(h, b"", 302, location="http://127.0.0.1:9/"), "status 302"),
        (lambda h, _: answer(h, b"not json"), "Expecting value"),
        (lambda h, _: answer(h, {"verdict": "fine"}), "no decision"),
        (lambda h, _: answer(h, ["block"]), "no decision"),
        (lambda h, _: answer(h, b" " * (MAX_BYTES + 1)), "longer than"),
        (lambda h, _: time.sleep(0.5), "ReadTimeout"),
        (drip, "not done after"),
    ],
)
@pytest.mark.parametrize("on_error", ["open", "closed"])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_misbehaving_service__is_a_failure_of_the_hook(serve: Serve, respond: Any, cause: str, on_error: Any) -> None:
    trace = play(serve(respond), on_error=on_error, timeout=0.25)
    assert (trace.hooks[0].outcome, cause in trace.hooks[0].message) == ("error", True)
    assert trace.stop == ("reply" if on_error == "open" else "max_retries")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "no address", "ftp://127.0.0.1/", "", "http://[::1"])
def test_no_service__is_named(url: str) -> None:
    trace = play(url)
    assert (trace.hooks[0].outcome, trace.stop) == ("error", "max_retries")
    assert url in trace.hooks[0].message
