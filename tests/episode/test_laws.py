"""Laws of the loop, for any policy at all: it ends in time, its record is whole, and the record replays."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hat.episode import Message, PolicyError, ToolCall, ToolError, Trace, replay, run_episode
from hat.episode.policies.completion import parse_completion
from hat.episode.reasoning import split_reasoning
from hat.harness import Hook
from tests.episode.small_world import HOOKS, LOADED, LOOKED, Scripted, World, ask, build

texts = st.one_of(
    st.sampled_from(["", " ", "99 元", "全网最低", "<think>", "</think>", "<think>x</think>好", "你好", "1" * 5000]),
    st.text(max_size=60),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
arguments = st.one_of(
    st.sampled_from([{"link": 1}, {"link": 0}, {"link_id": 2}, {"skill": "item_qa"}, {"skill": "compare"}, {}]),
    st.dictionaries(st.text(max_size=9), json_values, max_size=3),
    st.text(max_size=20),
)
names = st.sampled_from(["look_up", "get_price", "load_skill", "nothing", "", "x" * 500]) | st.text(max_size=9)
calls = st.builds(ToolCall, id=st.sampled_from(["", "a", "b"]), name=names, arguments=arguments)
answers = st.one_of(
    st.builds(
        Message,
        role=st.sampled_from(["assistant", "user", "tool", "system"]),
        content=texts,
        tool_calls=st.lists(calls, max_size=3).map(tuple),
        reasoning=st.none() | texts,
    ),
    st.just(LOADED),
    st.just(LOOKED),
    st.builds(PolicyError, st.text(max_size=9)),
)
outputs = st.one_of(
    json_values,
    st.sampled_from(["timeout", "malformed", "permission_denied"]).flatmap(
        lambda kind: st.builds(ToolError, st.just(kind), st.text(max_size=9))
    ),
)
MORE = (
    Hook(name="after", event="PostToolUse", when="tool_response.contains('99')", max_triggers=1),
    Hook(name="failed", event="PostToolUseFailure", when="error == 'timeout'", message="{error}"),
    Hook(name="broken", event="PreToolUse", when="tool_input.link > 'x'", on_error="closed"),
)


@given(st.lists(answers, min_size=1, max_size=6), outputs, st.integers(1, 6), st.integers(0, 3), st.booleans())
@settings(max_examples=120, deadline=None)
def test_any_policy__ends_in_time_and_its_trace_replays(
    script: list[Any], output: Any, turns: int, retries: int, more: bool
) -> None:
    harness = build(hooks=HOOKS + MORE if more else HOOKS, max_turns=turns, max_retries=retries)
    policy = Scripted(*script)
    trace = run_episode(harness, ask(), World(get_product=output), policy)

    assert 1 <= len(policy.requests) <= turns
    assert (trace.reply is not None) == (trace.stop == "reply")
    assert trace.reply != ""
    asked = [call.id for message in trace.messages for call in message.tool_calls]
    assert [message.tool_call_id for message in trace.messages if message.role == "tool"] == asked
    assert len(set(asked)) == len(asked)
    assert not [
        m for m in trace.messages if m.role == "assistant" and ("<think>" in m.content or "</think>" in m.content)
    ]
    stored = Trace.model_validate_json(trace.model_dump_json(exclude_defaults=True))
    assert stored == trace
    assert replay(stored, harness, World(get_product=output)).same_as(trace)


@given(st.lists(st.sampled_from(["<think>", "</think>", "<thi", "nk>", "好", " "]), max_size=12).map("".join))
def test_reasoning__taken_out_twice_is_as_once(text: str) -> None:
    spoken, thought = split_reasoning(text)
    assert split_reasoning(spoken) == (spoken, None)
    assert thought is not None or spoken == text


@given(st.recursive(json_values, lambda inner: st.dictionaries(
    st.sampled_from(["choices", "message", "tool_calls", "function", "name", "arguments", "content", "usage"]),
    inner | st.lists(inner, max_size=2), max_size=4), max_leaves=12))  # fmt: skip
def test_any_json__is_a_completion_or_a_value_error(body: Any) -> None:
    try:
        answer = parse_completion(json.dumps(body).encode())
    except ValueError:
        return
    assert answer.message.role == "assistant"


@given(st.binary(max_size=60))
def test_any_bytes__are_refused_as_garbage(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"no JSON|no choices"):
        parse_completion(body)


def test_replay__is_refused_under_another_harness_or_without_a_start() -> None:
    trace = run_episode(build(), ask(), World(), Scripted(LOADED, "好"))
    with pytest.raises(ValueError, match="was made under harness sha256"):
        replay(trace, build(max_turns=9), World())
    with pytest.raises(ValueError, match="no situation"):
        replay(trace.model_copy(update={"situation": None}), build(), World())


def test_replay_of_an_older_turn__skips_the_history() -> None:
    situation = ask().model_copy(update={"history": (("在吗", "在的"), ("几号链接", "1 号"))})
    trace = run_episode(build(), situation, World(), Scripted(LOOKED, LOADED, "99 元"))
    assert replay(trace, build(), World()).same_as(trace)
