"""Each part of a verdict, on right plays and on wrong ones, also on those that try to be paid for nothing."""

from typing import Any

import pytest
from plays import domain, judge, oracle_trace, right_calls, right_skills, styled, task, tasks

from hat.domains.livestream.kinds import SHARES
from hat.domains.task import Task
from hat.domains.verify import Verdict, verify

INFO = "get_product_info_by_link_id"


def scores(verdict: Verdict) -> tuple[float, float, float, float]:
    return verdict.accuracy, verdict.effectiveness, verdict.tool_rationality, verdict.skill_selection


def row(made: Task, link: int | None = None) -> dict[str, Any]:
    """A product of the task's room: the one asked for, or the one of a link."""
    link = link or made.expected.calls[0].arguments["link_id"]
    return next(product for product in made.world["products"] if product["link_id"] == link)


def other_row(made: Task) -> dict[str, Any]:
    """Another product, with another price, that is not on show either."""
    asked, shown = row(made), made.situation.context.get("current_link_id")
    known = {asked["link_id"], shown, asked["price"]}
    return next(p for p in made.world["products"] if p["link_id"] not in known and p["price"] not in known)


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


@pytest.mark.parametrize("kind", [kind for kind in SHARES if kind not in ("greet", "thanks", "farewell")])
def test_empty_talk__no_accuracy(kind: str) -> None:
    assert judge(task(kind), core="这个很不错").accuracy == 0


@pytest.mark.parametrize("kind", [kind for kind in SHARES if task(kind).expected.calls])
def test_right_by_luck__no_accuracy_without_a_call(kind: str) -> None:
    assert scores(judge(task(kind), calls=[])) == (0, 1, 0, 1)


def test_every_price_listed__no_accuracy() -> None:
    made = task("price")
    prices = "，".join(f"{product['price']}元" for product in made.world["products"])
    assert judge(made, core=prices).accuracy == 0


def test_every_price_asked_for_and_listed__no_accuracy() -> None:
    made = task("price")
    calls = [(INFO, {"link_id": product["link_id"]}) for product in made.world["products"]]
    prices = "，".join(f"{product['link_id']}号{product['price']}元" for product in made.world["products"])
    assert scores(judge(made, calls=calls, core=prices))[0::2] == (0, 0.5)


def test_every_material_listed__no_accuracy() -> None:
    made = next(t for t in tasks("material") if len(t.expected.forbidden) >= 2)
    assert judge(made, core="或".join((*made.expected.values, *made.expected.forbidden))).accuracy == 0


def test_every_size_listed__no_accuracy() -> None:
    assert judge(task("size"), core="建议S码、M码、L码、XL码或XXL码").accuracy == 0


def test_size__is_a_whole_word() -> None:
    made = next(t for t in tasks("size") if t.expected.values == ("L",))
    assert judge(made, core="建议穿L码").accuracy == 1
    assert judge(made, core="建议穿XL码").accuracy == 0


def test_reply_from_the_wrong_link__no_accuracy() -> None:
    made = task("price")
    assert judge(made, core=f"{row(made)['link_id']}号链接{other_row(made)['price']}元").accuracy == 0


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


def test_lasting_fault__the_price_all_the_same_is_invented() -> None:
    made = task("price", faulty="permission_denied")
    assert judge(made, core=f"这款{row(made)['price']}元，暂时查不到").accuracy == 0


def test_compare__both_links_looked_up() -> None:
    made = task("compare_price")
    one, two = right_calls(made)
    assert judge(made, calls=[two, one]).tool_rationality == 1
    assert judge(made, calls=[one]).tool_rationality == 0
    assert judge(made, calls=[one, two, one]).tool_rationality == 0.5


def compared(made: Task) -> tuple[str, str, str, str]:
    """Cheaper link and its price, dearer link and its price."""
    (a, left), (b, right), (best, _), *_ = made.expected.pairs
    return (a, left, b, right) if best == a else (b, right, a, left)


@pytest.mark.parametrize(
    ("core", "accuracy"),
    [
        ("{a}号{x}元，{b}号{y}元，{a}号便宜", 1),
        ("{b}号{y}元，{a}号{x}元，便宜的是{a}号", 1),
        ("{a}号比{b}号便宜", 1),
        ("{a}号比{b}号便宜{d}元", 1),
        ("{a}号{y}元，{b}号{x}元，{a}号便宜", 0),
        ("{a}号{x}元，{b}号{y}元，{b}号便宜", 0),
        ("{a}号{x}元，{b}号{y}元，便宜的是{b}号", 0),
        ("{b}号比{a}号便宜", 0),
        ("{a}号{x}元，{b}号{y}元", 0),
    ],
)
def test_compare__the_right_price_at_the_right_link(core: str, accuracy: int) -> None:
    made = task("compare_price")
    a, x, b, y = compared(made)
    difference = made.expected.allowed[0]
    assert judge(made, core=core.format(a=a, x=x, b=b, y=y, d=difference)).accuracy == accuracy


@pytest.mark.parametrize(
    ("core", "accuracy"),
    [
        ("满{t}减{o}", 1),
        ("满{t}元减{o}元", 1),
        ("{o}元券，满{t}可用", 1),
        ("满{o}减{t}", 0),
        ("减{o}", 1),
        ("满{t}可用", 0),
    ],
)
def test_coupon__amount_and_threshold_not_swapped(core: str, accuracy: int) -> None:
    made = task("coupon")
    product = row(made)
    core = core.format(t=product["coupon_threshold"], o=product["coupon_amount"])
    assert judge(made, core=core).accuracy == accuracy


def test_insurance__none_is_not_some() -> None:
    yes, no = (next(t for t in tasks("insurance") if row(t)["freight_insurance"] is flag) for flag in (True, False))
    assert [judge(yes, core=core).accuracy for core in ("有运费险", "没有运费险")] == [1, 0]
    assert [judge(no, core=core).accuracy for core in ("有运费险", "没有运费险")] == [0, 1]


@pytest.mark.parametrize("frame", ["{}元", "{}.0元", "{}.00块", "只要{}元哦", "现在20:15，{}元"])
def test_number__any_way_to_write_it(frame: str) -> None:
    made = next(t for t in tasks("price") if isinstance(row(t)["price"], int))
    made = made.model_copy(update={"situation": made.situation.model_copy(update={"context": {"time": "20:15"}})})
    assert judge(made, core=frame.format(row(made)["price"])).accuracy == 1


@pytest.mark.parametrize("extra", ["原价9999元", "只剩最后7777件", "再减五十五元", "仅限23:59前"])
def test_invented_number__no_accuracy(extra: str) -> None:
    made = task("price")
    verdict = judge(made, core=f"{made.expected.short}，{extra}")
    assert verdict.accuracy == 0
    assert verdict.effectiveness == 1


def test_numbers_of_the_viewer_and_the_room__are_not_invented() -> None:
    made = task("size")
    assert judge(made, core=f"现在{made.situation.context['time']}，{made.expected.short}").accuracy == 1
    height = str(made.expected.calls[0].arguments["height_cm"])
    assert judge(made, core=f"身高{height}，{made.expected.short}").accuracy == 1


def test_numbers_in_the_phrases__are_not_invented() -> None:
    made, harness = task("price"), domain().harness()
    skills = tuple(
        skill.model_copy(update={"metadata": skill.metadata | {"opening": "全场8折", "closing": "限时24小时"}})
        for skill in harness.skills
    )
    trace = oracle_trace(made, harness.model_copy(update={"skills": skills}))
    verdict = verify(made, trace, harness.model_copy(update={"skills": skills}))
    assert scores(verdict) == (1, 1, 1, 1)


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


def test_ask_back__any_good_way() -> None:
    made = task("missing_link")
    for core in ("请问是几号链接", "您说的是哪个链接呀", "想看哪款呢"):
        assert judge(made, core=core).accuracy == 1


def test_search__keyword_may_be_longer_or_shorter() -> None:
    made = task("where")
    noun = made.expected.calls[0].arguments["keyword"]
    title = next(product["title"] for product in made.world["products"] if noun in product["title"])
    assert judge(made, calls=[("search_products", {"keyword": title})]).tool_rationality == 1
    assert judge(made, calls=[("search_products", {"keyword": "洗衣液"})]).tool_rationality == 0
