"""The facts of a reply: true ones, false ones, and replies that try to be paid for nothing."""

from random import Random

import pytest
from plays import (
    domain,
    judge,
    oracle_trace,
    other_row,
    row,
    scores,
    task,
    tasks,
    with_opening,
)

from hat.domains.facts import Reply
from hat.domains.livestream.kinds import SHARES
from hat.domains.task import Task
from hat.domains.verify import verify

INFO = "get_product_info_by_link_id"


def compared(made: Task) -> tuple[str, str, str, str]:
    """Cheaper link and its price, dearer link and its price."""
    (a, left), (b, right), (best, _), *_ = made.expected.pairs
    return (a, left, b, right) if best == a else (b, right, a, left)


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


def test_lasting_fault__the_price_all_the_same_is_invented() -> None:
    made = task("price", faulty="permission_denied")
    assert judge(made, core=f"这款{row(made)['price']}元，暂时查不到").accuracy == 0


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


def test_ask_back__any_good_way() -> None:
    made = task("missing_link")
    for core in ("请问是几号链接", "您说的是哪个链接呀", "想看哪款呢"):
        assert judge(made, core=core).accuracy == 1


def test_promotion__numbers_not_swapped_over_clauses() -> None:
    made = task("promotion")
    threshold, amount = (value for _, value in made.expected.pairs)
    price = made.expected.values[1]
    assert judge(made, core=f"满{threshold}减{amount}，活动价{price}元").accuracy == 1
    assert judge(made, core=f"活动价{price}元，满{threshold}减{amount}").accuracy == 1
    assert judge(made, core=f"满{price}减{amount}，活动价{threshold}元").accuracy == 0


def test_title_with_a_number__may_be_said() -> None:
    made = task("price")
    world = {**made.world, "products": [{**p, "title": "2026新款"} for p in made.world["products"]]}
    assert judge(made, core=f"2026新款{made.expected.short}").accuracy == 0
    assert judge(made.model_copy(update={"world": world}), core=f"2026新款{made.expected.short}").accuracy == 1


def test_phrase__answers_nothing() -> None:
    made = next(t for t in tasks("insurance") if row(t)["freight_insurance"])
    harness = with_opening("有的")
    trace = oracle_trace(made, harness)
    assert verify(made, trace, harness).accuracy == 1
    assert verify(made, trace.model_copy(update={"reply": "有的，这款不错"}), harness).accuracy == 0


def test_english__its_is_no_size_s() -> None:
    world = domain("train", "en")
    made = world.generator.sample(Random(3), "size")
    while made.expected.values == ("S",) or "S" not in made.expected.forbidden:
        made = world.generator.sample(Random(made.id), "size")
    trace = oracle_trace(made, world.harness(), world)
    size = made.expected.values[0]
    for core, accuracy in ((f"it's size {size}", 1), (f"it's size {size} or S", 0), (f"it is {size.lower()}", 0)):
        verdict = verify(made, trace.model_copy(update={"reply": core}), world.harness())
        assert verdict.accuracy == accuracy, core


def test_english__words_in_any_case_but_whole() -> None:
    world = domain("train", "en")
    made = world.generator.sample(Random(3), "material")
    while made.expected.values != ("wool",):
        made = world.generator.sample(Random(made.id), "material")
    trace = oracle_trace(made, world.harness(), world)
    for core, accuracy in (("Wool, as it is", 1), ("woollen", 0)):
        assert verify(made, trace.model_copy(update={"reply": core}), world.harness()).accuracy == accuracy


@pytest.mark.parametrize("denial", ["没有{}件", "不是{}件", "不止{}件", "并非{}件", "不到{}件"])
def test_denied_number__not_said(denial: str) -> None:
    made = task("stock")
    (count,) = made.expected.values
    assert judge(made, core=f"还有{count}件").accuracy == 1
    assert judge(made, core=denial.format(count)).accuracy == 0


@pytest.mark.parametrize(
    ("core", "right"),
    [("{}号便宜", 1), ("{}号更便宜", 1), ("{}号不便宜", 0), ("{}号没那么便宜", 0), ("{}号不太便宜", 0)],
)
def test_denied_word__not_said(core: str, right: int) -> None:
    made = task("compare_price")
    best = compared(made)[0]
    assert judge(made, core=core.format(best)).accuracy == right


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("There are 3 left.", True),
        ("There are not 3 left.", False),
        ("There aren't 3 left.", False),
        ("It isn't exactly 3.", False),
        ("No, 3 are left.", True),
        ("Not many, just 3 left.", True),
        ("要不拍3号", True),
        ("差不多3件", True),
        ("没有，还有3件", True),
    ],
)
def test_denial__is_heard_right_before_the_number_only(reply: str, said: bool) -> None:
    assert Reply(reply).says("3") is said


def test_denied_here_and_said_there__said() -> None:
    assert Reply("不是3件，是3箱").says("3")


def test_wrong_size_denied__not_held_against_the_reply() -> None:
    made = task("size")
    wrong = made.expected.forbidden[0]
    assert judge(made, core=f"建议{made.expected.values[0]}码，不是{wrong}码").accuracy == 1
