"""The endpoint policy against a real server: what is sent, understood, tried again, given up."""

import json
import random
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from hat.episode import PolicyError, Trace, episode, run_episode, run_episodes
from hat.episode.policies import OpenAIPolicy
from tests.episode.small_world import World, answer, ask, build

Serve = Callable[[Callable[[BaseHTTPRequestHandler, bytes], None]], str]


def completion(content: Any = None, calls: list[Any] | None = None, **message: Any) -> dict[str, Any]:
    return {
        "choices": [{"message": {"role": "assistant", "content": content, "tool_calls": calls} | message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2},
    }


def call(name: str, arguments: Any) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}


class Endpoint:
    """Answers with each given body in turn, the last one for ever; an int is a status, a tuple a status and headers."""

    def __init__(self, *bodies: Any) -> None:
        self._bodies = bodies
        self.requests: list[Any] = []
        self.headers: list[dict[str, str]] = []

    def __call__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.requests.append(json.loads(body))
        self.headers.append({name.lower(): value for name, value in handler.headers.items()})
        given = self._bodies[min(len(self.requests), len(self._bodies)) - 1]
        if isinstance(given, int):
            answer(handler, b"overloaded", given)
        elif isinstance(given, tuple):
            answer(handler, b"wait", given[0], **given[1])
        else:
            answer(handler, given)


def policy(url: str, waits: list[float] | None = None, **fields: Any) -> OpenAIPolicy:
    sleep = (waits if waits is not None else []).append
    return OpenAIPolicy(f"{url}/v1/", "tiny", **{"retries": 2, "timeout": 2, "sleep": sleep} | fields)


def play(endpoint: Any, serve: Serve, **fields: Any) -> Trace:
    with policy(serve(endpoint), **fields) as plays:
        return run_episode(build(hooks=(), max_turns=4), ask(), World(), plays)


def test_whole_turn__over_http(serve: Serve) -> None:
    endpoint = Endpoint(completion(calls=[call("look_up", '{"link": 1}')]), completion("99 元"))
    trace = play(endpoint, serve, api_key="k", sampling={"temperature": 0})
    assert (trace.reply, trace.policy, trace.usage.prompt_tokens, trace.usage.completion_tokens) == (
        "99 元",
        "tiny",
        20,
        4,
    )
    first, second = endpoint.requests
    assert (first["model"], first["temperature"], len(first["tools"])) == ("tiny", 0, 3)
    assert second["messages"][2]["tool_calls"][0]["function"] == {"name": "look_up", "arguments": '{"link": 1}'}
    assert second["messages"][3]["tool_call_id"] == "c"
    assert endpoint.headers[0]["authorization"] == "Bearer k"


@pytest.mark.parametrize("raw", ["link=1", "{", "[1]", '{"link": NaN}', "7", '{"link": "\\ud800"}', "[" * 100_000])
def test_arguments_that_are_no_object__are_kept_raw_and_the_model_told(serve: Serve, raw: str) -> None:
    endpoint = Endpoint(completion(calls=[call("look_up", raw)]), completion("好"))
    trace = play(endpoint, serve)
    assert (trace.calls[0].arguments, trace.calls[0].error) == (raw, "invalid_arguments")
    assert "JSON object" in trace.messages[3].content
    sent = endpoint.requests[1]["messages"][2]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {"unparsed": raw}


def test_lenient_forms__are_understood(serve: Serve) -> None:
    parts = [{"type": "text", "text": "9"}, {"type": "text", "text": "9 元"}]
    calls = [call("look_up", {"link": 1}), call("load_skill", None)]
    trace = play(Endpoint(completion(calls=calls), completion(parts, reasoning_content="想")), serve)
    assert (trace.calls[0].error, trace.calls[1].error) == (None, "invalid_arguments")
    assert (trace.reply, trace.messages[-1].reasoning) == ("99 元", "想")


@pytest.mark.parametrize(
    "garbage",
    [
        b"<html>", b"", b"[]", {}, {"choices": []}, {"choices": [{}]}, {"choices": ["x"]}, completion(7),
        completion(calls=[{"id": 1}]), {"choices": [{"message": {"tool_calls": "x"}}]}, b"[" * 100_000,
    ],
)  # fmt: skip
def test_garbage__is_tried_again_then_named(serve: Serve, garbage: Any) -> None:
    endpoint = Endpoint(garbage, completion("好"))
    assert play(endpoint, serve).reply == "好"
    trace = play(Endpoint(garbage), serve)
    assert trace.stop == "policy_error"
    assert "/v1/chat/completions: no answer in 3 attempts; last: garbage" in str(trace.error)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_passing_status__is_tried_again_with_growing_jittered_waits(serve: Serve, status: int) -> None:
    waits: list[float] = []
    trace = play(Endpoint(status, status, completion("好")), serve, waits=waits, rng=random.Random(1))
    assert trace.reply == "好"
    assert len(waits) == 2
    assert 0.1 <= waits[0] <= 0.5
    assert 0.1 <= waits[1] <= 1.0


def test_retry_after__is_kept_to_and_bounded(serve: Serve) -> None:
    waits: list[float] = []
    endpoint = Endpoint(
        (429, {"retry-after": "7"}), (503, {"retry-after": "86400"}), (503, {"retry-after": "soon"}),
        (503, {"retry-after": "Thu, 01 Jan 2026 00:00:00 GMT"}), completion("好"),
    )  # fmt: skip
    assert play(endpoint, serve, waits=waits, retries=4).reply == "好"
    assert (waits[0], waits[1], waits[3]) == (7, 30, 0)


def test_lasting_status__is_given_up_at_once_without_the_key(serve: Serve) -> None:
    endpoint = Endpoint(401)
    trace = play(endpoint, serve, api_key="s3cret")
    assert len(endpoint.requests) == 1
    assert "status 401: overloaded" in str(trace.error)
    assert "s3cret" not in str(trace.error)


def test_nobody_listens__names_url_attempts_and_cause() -> None:
    with policy("http://127.0.0.1:9") as plays:
        trace = run_episode(build(), ask(), World(), plays)
    assert trace.stop == "policy_error"
    assert "http://127.0.0.1:9/v1/chat/completions: no answer in 3 attempts; last: ConnectError" in str(trace.error)


def drip(handler: BaseHTTPRequestHandler, _: bytes) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    for _ in range(20):
        handler.wfile.write(b" ")
        time.sleep(0.05)


@pytest.mark.parametrize("slow", [lambda _, __: time.sleep(0.6), drip])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_slow_endpoint__is_given_up_within_the_limits(serve: Serve, slow: Any) -> None:
    begun = time.monotonic()
    trace = play(slow, serve, timeout=0.2, retries=1)
    assert "0.2 s" in str(trace.error)
    assert time.monotonic() - begun < 1.5


def test_bad_address__is_named() -> None:
    request = next(episode(build(), ask(), World()))
    with policy("http://[bad") as plays, pytest.raises(PolicyError, match=r"\[bad"):
        plays.chat(request)


def test_many_episodes__run_side_by_side_and_keep_their_order(serve: Serve) -> None:
    def respond(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        words = json.loads(body)["messages"][1]["content"].split("\n")[1]
        time.sleep(random.Random(words).uniform(0, 0.05))
        answer(handler, completion(words) if words != "3" else {"no": "choice"})

    ended: list[str] = []
    with policy(serve(respond), concurrency=8) as plays:
        episodes = [episode(build(hooks=()), ask(str(n)), World(), "tiny") for n in range(24)]
        traces = run_episodes(plays, episodes, on_trace=lambda trace: ended.append(trace.messages[1].content))
    assert [trace.reply for trace in traces] == [None if n == 3 else str(n) for n in range(24)]
    assert traces[3].stop == "policy_error"
    assert len(ended) == 24
