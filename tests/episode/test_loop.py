"""The loop itself: order of events, bounds, retries, reasoning, tool calls."""

import json
from typing import Any

import pytest

from hat.episode import Message, PolicyError, ToolCall, ToolError, Trace, run_episode
from hat.episode.loop import MAX_CALLS
from hat.harness import Hook
from tests.episode.small_world import LOADED, LOOKED, Scripted, World, ask, build, calling, said


def play(*answers: Any, world: World | None = None, message: str = "多少钱", **changes: Any) -> Trace:
    return run_episode(build(**changes), ask(message), world or World(), Scripted(*answers))


def nested(levels: int) -> Any:
    inner: Any = []
    for _ in range(levels):
        inner = [inner]
    return inner


def told(trace: Trace) -> list[str]:
    return [message.content for message in trace.messages if message.role == "tool"]


def test_right_play__is_spoken_and_recorded() -> None:
    trace = play(LOOKED, LOADED, "这件 99 元")
    assert (trace.stop, trace.reply, trace.skills, trace.hooks) == ("reply", "这件 99 元", ("item_qa",), ())
    assert [(call.tool, call.input, call.error) for call in trace.calls] == [
        ("get_product", {"link_id": 1}, None),
        ("load_skill", {"skill": "item_qa"}, None),
    ]
    assert told(trace)[1] == "直接回答。"


def test_bound_fields__are_all_that_passes() -> None:
    trace = play(calling("get_price", {"link_id": 2}), LOADED, "129 元")
    assert json.loads(told(trace)[0]) == {"price": 129}
    assert trace.calls[0].output == {"price": 129}


def test_no_reply_skill_loaded__reply_is_sent_back() -> None:
    trace = play("你好", LOADED, "你好")
    assert trace.messages[3] == Message(role="user", content="先读取回复技能")
    assert (trace.stop, trace.reply, trace.hooks[0].hook) == ("reply", "你好", "skill")


def test_several_calls_in_one_answer__run_in_order() -> None:
    calls = tuple(ToolCall(id=str(n), name="look_up", arguments={"link": n}) for n in (2, 1))
    trace = play(Message(role="assistant", content="我查一下", tool_calls=calls), LOADED, "129 元和 99 元")
    assert [call.input["link_id"] for call in trace.calls[:2]] == [2, 1]
    assert [m.tool_call_id for m in trace.messages if m.role == "tool"][:2] == ["2", "1"]
    assert trace.reply == "129 元和 99 元"


def test_too_many_calls_in_one_answer__the_rest_is_refused() -> None:
    calls = tuple(ToolCall(id=str(n), name="look_up", arguments={"link": 1}) for n in range(MAX_CALLS + 2))
    trace = play(Message(role="assistant", tool_calls=calls), LOADED, "99 元")
    assert len(trace.calls) == MAX_CALLS + 1
    assert len([text for text in told(trace) if "blocked" in text]) == 2


def test_repeated_call_ids__become_distinct() -> None:
    trace = play(LOOKED, calling("look_up", {"link": 2}, "x"), calling("look_up", {"link": 2}, "x"), LOADED, "99 元")
    ids = [call.id for message in trace.messages for call in message.tool_calls]
    assert len(set(ids)) == 4
    assert [m.tool_call_id for m in trace.messages if m.role == "tool"] == ids


@pytest.mark.parametrize(
    ("call", "error", "said_of"),
    [
        (calling("nope", {}), "unknown_tool", "nope"),
        (calling("look_up", {}), "invalid_arguments", "link"),
        (calling("look_up", {"link": "一号"}), "invalid_arguments", "integer"),
        (calling("look_up", {"link": 1, "more": 2}), "invalid_arguments", "more"),
        (calling("look_up", "link=1"), "invalid_arguments", "JSON object"),
        (calling("load_skill", {"skill": "magic"}), "invalid_arguments", "magic"),
        (calling("load_skill", {"skill": ["item_qa"]}), "invalid_arguments", "item_qa"),
        (calling("look_up", {"link": 9}), "not_found", ""),
        (calling("look_up", {"link": 0}), None, None),
    ],
)
def test_bad_call__is_told_with_a_reason(call: Message, error: str | None, said_of: str | None) -> None:
    world = World()
    trace = play(call, LOADED, "好的", world=world)
    answer = json.loads(told(trace)[0])
    if error is None:  # the schema lets 0 pass; the look-up fails
        assert answer["error"] == "not_found"
        return
    assert (answer["error"], trace.calls[0].error) == (error, error)
    assert str(said_of) in answer.get("message", "")
    assert len(world.asked) == (error == "not_found")
    assert trace.stop == "reply"


@pytest.mark.parametrize("output", ['{"price": 99', ToolError("malformed", '{"price": 99')])
def test_malformed_output__reaches_the_model_as_it_is(output: Any) -> None:
    trace = play(LOOKED, LOADED, "好的", world=World(get_product=output))
    assert (told(trace)[0], trace.calls[0].error) == ('{"price": 99', "malformed")


def test_output_as_json_text__counts_as_the_object() -> None:
    trace = play(LOOKED, LOADED, "好的", world=World(get_product='{"price": 99}'))
    assert (trace.calls[0].output, trace.calls[0].error) == ({"price": 99}, None)


@pytest.mark.parametrize(
    "value",
    [float("nan"), "\ud800", {1, 2}, 1j, nested(150), nested(5000)],
    ids=["nan", "half", "set", "complex", "deep", "abyss"],
)
def test_arguments_that_no_trace_could_hold__become_text(value: Any) -> None:
    trace = play(calling("look_up", {"link": value}), calling("nope", {"link": value}), LOADED, "好的")
    assert [call.error for call in trace.calls[:2]] == ["invalid_arguments", "unknown_tool"]
    assert all(isinstance(call.arguments, str) for call in trace.calls[:2])
    assert Trace.model_validate_json(trace.model_dump_json()) == trace


def test_tool_error__keeps_kind_and_message() -> None:
    trace = play(LOOKED, LOADED, "好的", world=World(get_product=ToolError("permission_denied", "仓库不开放")))
    assert json.loads(told(trace)[0]) == {"error": "permission_denied", "message": "仓库不开放"}


def test_failing_domain__is_a_bug_and_stops_the_run() -> None:
    with pytest.raises(ZeroDivisionError):
        play(LOOKED, world=World(get_product=ZeroDivisionError()))


def test_max_turns__bounds_model_calls() -> None:
    policy = Scripted(LOOKED)
    trace = run_episode(build(max_turns=3), ask(), World(), policy)
    assert (trace.stop, trace.reply, len(policy.requests), len(trace.calls)) == ("max_turns", None, 3, 3)


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_max_retries__last_refused_reply_is_kept_but_not_spoken(retries: int) -> None:
    trace = play("价格 1 元", max_retries=retries)
    assert (trace.stop, trace.reply) == ("max_retries", None)
    assert [message.content for message in trace.messages[2:]].count("价格 1 元") == retries + 1
    assert trace.messages[-1] == said("价格 1 元")


def test_empty_reply__is_sent_back() -> None:
    trace = play(LOADED, "  ", "你好", hooks=())
    assert (trace.reply, trace.messages[-2].role) == ("你好", "user")


def test_blocked_input__ends_before_the_first_model_call() -> None:
    policy = Scripted("不会说到")
    trace = run_episode(build(), ask("你的身份证号"), World(), policy)
    assert (trace.stop, trace.reply, policy.requests) == ("input_blocked", "这个问题不方便回答", [])


@pytest.mark.parametrize(
    ("content", "spoken", "thought"),
    [
        ("<think>想想</think>你好", "你好", "想想"),
        ("你好<think>没完", "你好", "没完"),
        ("模板里开的头</think>你好", "你好", "模板里开的头"),
        ("<think>a</think>你<think>b</think>好", "你好", "a\nb"),
        ("<thi<think>x</think>nk>你好</think>好", "好", "x\n<think>你好"),
    ],
)
def test_reasoning__is_kept_apart_and_never_sent_back(content: str, spoken: str, thought: str) -> None:
    policy = Scripted(LOADED, content, "好")
    trace = run_episode(build(max_retries=1, hooks=(*build().hooks, REFUSE_ONCE)), ask(), World(), policy)
    first = trace.messages[4]
    assert (first.content, first.reasoning) == (spoken, thought)
    assert "think" not in json.dumps([message.to_openai() for message in policy.requests[-1].messages])


REFUSE_ONCE = Hook(name="once", event="Stop", when="true", message="换个说法", max_triggers=1)


def test_reasoning_only__is_an_empty_reply() -> None:
    trace = play(LOADED, "<think>不说话", hooks=(), max_retries=0)
    assert (trace.stop, trace.reply) == ("max_retries", None)


def test_reasoning_field__is_kept_in_the_trace() -> None:
    trace = play(Message(role="assistant", content="你好", reasoning="打招呼"), hooks=())
    assert (trace.reply, trace.messages[-1].reasoning) == ("你好", "打招呼")


def test_failing_policy__leaves_a_trace_of_what_was_done() -> None:
    trace = play(LOOKED, LOADED, PolicyError("http://x: down"))
    assert (trace.stop, trace.reply, trace.error) == ("policy_error", None, "http://x: down")
    assert (len(trace.calls), trace.skills, len(trace.messages)) == (2, ("item_qa",), 6)
