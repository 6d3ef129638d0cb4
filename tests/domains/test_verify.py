"""Each part of a verdict: calls, skills and style, on right plays and on wrong ones."""

import pytest
from plays import domain, judge, oracle_trace, other_row, right_calls, right_skills, scores, styled, task, with_opening

from hat.domains.livestream.kinds import SHARES
from hat.domains.verify import verify

INFO = "get_product_info_by_link_id"


@pytest.mark.parametrize("kind", SHARES)
def test_right_play__full_score(kind: str) -> None:
    verdict = judge(task(kind))
    assert scores(verdict) == (1, 1, 1, 1)
    assert verdict.problems == ()
    assert verdict.score == 1


@pytest.mark.parametrize("kind", SHARES)
def test_short_answer__as_good_as_the_long_one(kind: str) -> None:
    made = task(kind)
    assert scores(judge(made, core=made.expected.short)) == (1, 1, 1, 1)


def test_call_with_the_wrong_link__nothing_but_style_and_skill() -> None:
    made = task("price")
    assert scores(judge(made, calls=[(INFO, {"link_id": other_row(made)["link_id"]})])) == (0, 1, 0, 1)


def test_wrong_link_before_the_right_one__half_for_tools() -> None:
    made = task("price")
    calls = [(INFO, {"link_id": other_row(made)["link_id"]}), *right_calls(made)]
    assert scores(judge(made, calls=calls)) == (1, 1, 0.5, 1)


def test_needless_repeat__half_for_tools() -> None:
    made = task("price")
    assert scores(judge(made, calls=right_calls(made) * 2)) == (1, 1, 0.5, 1)


def test_needless_other_tool__half_for_tools() -> None:
    made = task("greet")
    assert scores(judge(made, calls=[("get_lottery", {})])) == (1, 1, 0.5, 1)


@pytest.mark.parametrize("fault", ["timeout", "malformed"])
def test_passing_fault__asks_for_one_more_try(fault: str) -> None:
    made = task("price", faulty=fault)
    assert scores(judge(made, calls=right_calls(made))) == (0, 1, 0, 1)
    assert scores(judge(made, calls=right_calls(made) * 2)) == (1, 1, 1, 1)
    assert scores(judge(made, calls=right_calls(made) * 3)) == (1, 1, 0.5, 1)


def test_lasting_fault__one_more_try_is_forgiven_not_two() -> None:
    made = task("price", faulty="permission_denied")
    once = right_calls(made)
    assert [judge(made, calls=once * times).tool_rationality for times in (1, 2, 3)] == [1, 1, 0.5]


def test_compare__both_links_looked_up() -> None:
    made = task("compare_price")
    one, two = right_calls(made)
    assert judge(made, calls=[two, one]).tool_rationality == 1
    assert judge(made, calls=[one]).tool_rationality == 0
    assert judge(made, calls=[one, two, one]).tool_rationality == 0.5


def test_no_skill__no_accuracy() -> None:
    assert scores(judge(task("price"), skills=[])) == (0, 1, 1, 0)


def test_wrong_reply_skill__no_accuracy() -> None:
    assert scores(judge(task("price"), skills=["chat"])) == (0, 1, 1, 0)


@pytest.mark.parametrize("skills", [["chat", "item_qa"], ["item_qa", "item_qa"], ["promotion", "item_qa"]])
def test_needless_skill__half_for_skills(skills: list[str]) -> None:
    assert scores(judge(task("price"), skills=skills)) == (1, 1, 1, 0.5)


@pytest.mark.parametrize("kind", ["promotion", "compare_price"])
def test_strategy_missing__half_for_skills(kind: str) -> None:
    made = task(kind)
    assert scores(judge(made, skills=right_skills(made)[1:])) == (1, 1, 1, 0.5)


def test_style__a_half_for_each_miss() -> None:
    made = task("price")
    whole = styled(made, made.expected.short)
    rules = domain().harness().rules_for(domain().harness().skill_for("item_qa"))
    without_opening = whole.removeprefix(rules["opening"]).lstrip("，")
    without_closing = whole.removesuffix(rules["closing"]).rstrip("，")
    replies = [whole, whole + "！", without_opening, without_closing, made.expected.short]
    assert [judge(made, reply=reply).effectiveness for reply in replies] == [1, 1, 0.5, 0.5, 0]
    assert [judge(made, reply=reply).accuracy for reply in replies] == [1, 1, 1, 1, 1]


def test_too_long_a_reply__half_for_style() -> None:
    made = task("price")
    verdict = judge(made, core=made.expected.short + "很划算" * 40)
    assert (verdict.accuracy, verdict.effectiveness, verdict.score) == (1, 0.5, 0.75)


def test_too_many_emoji__half_for_style() -> None:
    made = task("price")
    assert judge(made, core=made.expected.short + "🎉").effectiveness == 1
    assert judge(made, core=made.expected.short + "🎉🎉🎉🎉").effectiveness == 0.5


def test_no_reply__nothing_for_words() -> None:
    assert scores(judge(task("price"), reply="")) == (0, 0, 1, 1)


def test_search__keyword_may_be_longer_or_shorter() -> None:
    made = task("where")
    noun = made.expected.calls[0].arguments["keyword"]
    title = next(product["title"] for product in made.world["products"] if noun in product["title"])
    assert judge(made, calls=[("search_products", {"keyword": title})]).tool_rationality == 1
    assert judge(made, calls=[("search_products", {"keyword": "洗衣液"})]).tool_rationality == 0


def test_blocked_call__counts_for_nothing() -> None:
    made = task("price")
    trace = oracle_trace(made, domain().harness())
    wrong = {"link_id": other_row(made)["link_id"]}
    refused = trace.calls[0].model_copy(update={"input": wrong, "arguments": wrong, "output": None, "error": "blocked"})
    replayed = trace.model_copy(update={"calls": (refused, *trace.calls)})
    assert scores(verify(made, replayed, domain().harness())) == (1, 1, 1, 1)
    only_refused = trace.model_copy(update={"calls": (trace.calls[0].model_copy(update={"error": "blocked"}),)})
    assert verify(made, only_refused, domain().harness()).tool_rationality == 0


def test_true__is_not_link_one() -> None:
    made = task("price")
    trace = oracle_trace(made, domain().harness())
    call = made.expected.calls[0].model_copy(update={"arguments": {"link_id": 1}})
    asked = made.model_copy(update={"expected": made.expected.model_copy(update={"calls": (call,)})})
    for link, score in ((1, 1), ("1", 1), (1.0, 1), (True, 0)):
        record = trace.calls[0].model_copy(update={"input": {"link_id": link}})
        verdict = verify(asked, trace.model_copy(update={"calls": (record,)}), domain().harness())
        assert verdict.tool_rationality == score, link


def test_phrase_in_the_wrong_place__costs_style_alone() -> None:
    made, harness = task("price"), with_opening("全场8折")
    trace = oracle_trace(made, harness)
    late = trace.model_copy(update={"reply": f"{made.expected.short}，全场8折，喜欢就拍"})
    verdict = verify(made, late, harness)
    assert verdict.accuracy == 1
    assert verdict.effectiveness < 1
