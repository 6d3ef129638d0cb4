"""Hooks at all five events: what they see, what blocking does, limits, failures."""

import json
from typing import Any

import pytest

from hat.episode import Situation, ToolError, Trace, run_episode
from hat.episode.hooks import NAMES
from hat.harness import Hook
from tests.episode.small_world import LOADED, LOOKED, Scripted, World, ask, build, calling


def play(*hooks: Hook, answers: tuple[Any, ...] = (LOOKED, LOADED, "99 元"), world: World | None = None) -> Trace:
    return run_episode(build(hooks=hooks), ask(), world or World(), Scripted(*answers))


def hook(event: Any, when: str = "true", **fields: Any) -> Hook:
    return Hook(**{"name": "h", "event": event, "when": when, "message": "不行", "max_triggers": 1} | fields)


def first_told(trace: Trace) -> Any:
    return json.loads(next(message.content for message in trace.messages if message.role == "tool"))


def test_pre_tool_use__blocks_the_call_before_it_happens() -> None:
    world = World()
    trace = play(hook("PreToolUse", "tool_input.link == 1"), world=world)
    assert first_told(trace) == {"error": "blocked", "message": "不行"}
    assert (world.asked, trace.calls[0].error, trace.calls[0].tool) == ([], "blocked", "get_product")


def test_post_tool_use__holds_the_output_back() -> None:
    trace = play(hook("PostToolUse", "tool_response.contains('99')"), answers=(LOOKED, LOADED, "好的"))
    assert first_told(trace) == {"error": "blocked", "message": "不行"}
    assert (trace.calls[0].error, trace.calls[0].output["price"]) == ("blocked", 99)


def test_post_tool_use_failure__adds_advice_and_keeps_the_kind() -> None:
    world = World(get_product=ToolError("timeout"))
    trace = play(hook("PostToolUseFailure", "error == 'timeout'", message="再试一次"), world=world)
    assert first_told(trace) == {"error": "timeout", "message": "再试一次"}
    assert trace.calls[0].error == "timeout"


def test_blocked_skill__does_not_count_as_loaded() -> None:
    trace = play(hook("PreToolUse", matcher="load_skill"), answers=(LOADED, "好的"))
    assert trace.skills == ()


@pytest.mark.parametrize(
    ("matcher", "blocked"),
    [("", True), ("*", True), ("look_up", True), ("look_.*|x", True), ("look", False), ("get_price", False)],
)
def test_matcher__fits_the_whole_name_as_the_model_sees_it(matcher: str, blocked: bool) -> None:
    trace = play(hook("PreToolUse", matcher=matcher))
    assert (trace.calls[0].error == "blocked") is blocked


def test_renamed_names__are_seen_both_ways() -> None:
    condition = (
        "tool_name == 'look_up' && canonical_tool == 'get_product' && tool_input.link == canonical_input.link_id"
    )
    assert play(hook("PreToolUse", condition)).calls[0].error == "blocked"


def test_first_hook_that_blocks__decides() -> None:
    second = hook("Stop", name="second", message="二")
    trace = play(hook("Stop", name="first", message="一"), second)
    assert [(record.hook, record.outcome) for record in trace.hooks[:3]] == [
        ("first", "blocked"),
        ("first", "exhausted"),
        ("second", "blocked"),
    ]


def test_exhausted_hook__is_passed_over_and_recorded() -> None:
    trace = play(hook("Stop", max_triggers=2))
    assert [record.outcome for record in trace.hooks] == ["blocked", "blocked", "exhausted"]
    assert (trace.stop, trace.reply) == ("reply", "99 元")


def test_triggers__are_counted_anew_in_each_episode() -> None:
    harness = build(hooks=(hook("Stop"),))
    for _ in range(2):
        trace = run_episode(harness, ask(), World(), Scripted("好"))
        assert [record.outcome for record in trace.hooks] == ["blocked", "exhausted"]


@pytest.mark.parametrize("when", ["1 / 0 == 1", "unheard_of", "reply", "((", None, "limits.none > 1"])
@pytest.mark.parametrize("on_error", ["open", "closed"])
def test_broken_expression__lets_pass_or_blocks_as_told(when: str | None, on_error: Any) -> None:
    trace = play(Hook(name="h", event="Stop", when=when, on_error=on_error, message="不行"))
    assert {record.outcome for record in trace.hooks} == {"error"}
    assert trace.stop == ("reply" if on_error == "open" else "max_retries")
    assert all(record.message for record in trace.hooks)


def test_closed_hook_that_fails__stays_closed_past_its_triggers() -> None:
    trace = play(Hook(name="h", event="PreToolUse", when="1 / 0 == 1", max_triggers=1), answers=(LOOKED,))
    assert (trace.stop, {call.error for call in trace.calls}) == ("max_turns", {"blocked"})


def test_message__is_filled_from_payload_and_limits() -> None:
    trace = play(hook("Stop", message="{reply_chars}/{max_reply_chars} {reply_numbers} {nothing}"))
    assert trace.hooks[0].message == "4/40 99 {nothing}"


def test_hook_without_words__still_tells_the_model_something() -> None:
    trace = play(hook("Stop", message=""))
    assert trace.messages[-2].role == "user"
    assert trace.messages[-2].content


def test_every_name__is_there_at_every_event() -> None:
    everything = " && ".join(f"type({name}) == type({name})" for name in NAMES)
    hooks = [
        hook(event, f"!({everything})", name=event)
        for event in ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop")
    ]
    answers = (LOOKED, calling("look_up", {"link": 9}), LOADED, "99 元")
    assert play(*hooks, answers=answers).hooks == ()


def test_known_numbers__come_from_results_words_room_and_history() -> None:
    known = "['99', '3', '7.5', '12', '88'].all(n, n in known_numbers) && !('直' in known_numbers)"
    situation = Situation(id="t", message="我要３件", context={"time": "07.50"}, history=(("12 号呢", "88 元"),))
    harness = build(hooks=(hook("Stop", known),))
    trace = run_episode(harness, situation, World(), Scripted(LOOKED, LOADED, "好"))
    assert trace.hooks[0].outcome == "blocked"


def test_numbers_of_failed_calls_and_skills__are_not_known() -> None:
    world = World(get_product=ToolError("timeout", "after 30 s"))
    trace = play(hook("Stop", "'30' in known_numbers || '直' in known_numbers"), world=world)
    assert trace.hooks == ()


@pytest.mark.parametrize("reply", ["9.90元", "二百九十九元", "1,299.00 元", "晚上8点", "八点"])
def test_numbers_of_a_reply__are_read_as_verifiers_read_them(reply: str) -> None:
    spoken = hook("Stop", "reply_numbers.exists(n, n in ['9.9', '299', '1299', '20:00'])")
    found = play(spoken, answers=(reply,)).hooks
    assert bool(found) is (reply != "八点")


@pytest.mark.parametrize(("reply", "count"), [("好", 0), ("好😀👍🏽", 2), ("👨‍👩‍👧", 1), ("🇨🇳", 1), ("❤️好✨", 2)])
def test_emoji__are_counted_as_seen(reply: str, count: int) -> None:
    assert play(hook("Stop", f"reply_emoji == {count}"), answers=(reply,)).hooks[0].outcome == "blocked"


def test_style_rules__are_those_of_the_loaded_reply_skill() -> None:
    skill = build().skills[0]
    ruled = skill.model_copy(update={"metadata": skill.metadata | {"closing": "哦"}})
    ending = hook("Stop", "has(rules.closing) && !reply.endsWith(rules.closing)")
    harness = build(hooks=(ending,), skills=(ruled, build().skills[1]))
    trace = run_episode(harness, ask(), World(), Scripted("还没读", LOADED, "99 元", "99 元哦"))
    assert [record.outcome for record in trace.hooks] == []
    assert trace.reply == "还没读"
    trace = run_episode(harness, ask(), World(), Scripted(LOADED, "好", "好哦"))
    assert (trace.hooks[0].outcome, trace.reply) == ("blocked", "好哦")
