"""Many episodes under one policy, whichever way it plays; and what is derived from a harness once."""

import gc
import threading
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from hat.episode import ChatRequest, ChatResponse, Episode, PolicyError, Trace, episode, play, run_episodes
from hat.episode.hooks import NAMES, Payload
from hat.episode.prepared import _CACHE, prepare
from hat.episode.state import State
from hat.harness import digest
from hat.harness.checks.payload import PAYLOAD
from tests.episode.small_world import LOADED, Scripted, World, ask, build, said

CLOSED = build(hooks=())


def episodes(count: int) -> list[Episode]:
    return [episode(CLOSED, ask(str(n)), World(), "echo") for n in range(count)]


class Echo:
    """Says the viewer's words; fails, slowly or not, as told."""

    name = "echo"

    def __init__(self, concurrency: int = 1, fails: Sequence[str] = (), error: Exception | None = None) -> None:
        self.concurrency, self._fails, self._error = concurrency, fails, error or PolicyError("down")
        self.at_once = self.most = 0
        self._lock = threading.Lock()

    def chat(self, request: ChatRequest) -> ChatResponse:
        words = request.messages[1].content.split("\n")[1]
        with self._lock:
            self.at_once += 1
            self.most = max(self.most, self.at_once)
        time.sleep(0.002 * (int(words) % 3) if self.concurrency > 1 else 0)
        with self._lock:
            self.at_once -= 1
        if words in self._fails:
            raise self._error
        return ChatResponse(message=said(words))


@pytest.mark.parametrize("concurrency", [1, 4])
def test_results__stand_in_the_order_of_episodes_and_failures_are_recorded(concurrency: int) -> None:
    policy = Echo(concurrency, fails=("2",))
    told: list[Trace] = []
    traces = run_episodes(policy, episodes(9), on_trace=told.append)
    assert [trace.reply for trace in traces] == ["0", "1", None, "3", "4", "5", "6", "7", "8"]
    assert (traces[2].stop, traces[2].error) == ("policy_error", "down")
    assert sorted(told, key=lambda trace: trace.messages[1].content) == traces
    assert policy.most <= concurrency


def test_threads__are_used_for_endpoints() -> None:
    policy = Echo(4)
    run_episodes(policy, episodes(40))
    assert policy.most > 1


@pytest.mark.parametrize("concurrency", [1, 4])
def test_bug_in_a_policy__stops_the_run_soon(concurrency: int) -> None:
    told: list[Trace] = []
    policy = Echo(concurrency, fails=("3",), error=ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        run_episodes(policy, episodes(200), on_trace=told.append)
    assert len(told) < 20
    assert threading.active_count() < 10


def test_driving_policy__plays_them_itself() -> None:
    class Batch(Echo):
        def drive(self, given: Sequence[Episode]) -> list[Any]:
            return [SimpleNamespace(trace=play(one, self)) for one in given]

    told: list[Trace] = []
    traces = run_episodes(Batch(), episodes(3), on_trace=told.append)
    assert [trace.reply for trace in traces] == ["0", "1", "2"]
    assert told == traces


def test_preparation__is_made_once_and_goes_with_its_harness() -> None:
    harness = build()
    assert prepare(harness) is prepare(harness)
    assert prepare(harness) is not prepare(build())
    assert prepare(harness).digest == digest(harness)
    del harness
    gc.collect()
    before = len(_CACHE)
    for turns in range(1, 65):
        play(episode(build(max_turns=turns), ask(), World()), Scripted(LOADED, "好"))
    gc.collect()
    assert len(_CACHE) <= before


def test_broken_schema__names_the_tool() -> None:
    tool = build().tools[0].model_copy(update={"input_schema": {"type": "objekt"}})
    harness = build(tools=(tool,))
    with pytest.raises(ValueError, match="tool 'look_up': its input schema"):
        prepare(harness).objection("look_up", {})


def test_schema_that_points_elsewhere__is_not_fetched() -> None:
    tool = build().tools[0].model_copy(update={"input_schema": {"$ref": "http://127.0.0.1:9/schema.json"}})
    harness = build(tools=(tool,))
    with pytest.raises(ValueError, match="tool 'look_up'"):
        prepare(harness).objection("look_up", {})


def test_payload__has_the_names_and_types_that_validation_promises_authors() -> None:
    state = State(CLOSED, prepare(CLOSED), ask(), World(), "", time.perf_counter)
    payload = Payload(state, "Stop")
    assert {name: type(payload.get(name)) for name in NAMES} == {name: type(value) for name, value in PAYLOAD.items()}
