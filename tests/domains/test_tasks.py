"""Tasks: seeded, of the paper's mix, split without overlap, and solved by the oracle whatever the seed."""

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plays import domain

from hat.domains.livestream import split_overlap
from hat.domains.livestream.kinds import GROUP, MIX, SHARES
from hat.domains.livestream.snapshot import products_of
from hat.domains.livestream.split import SPLITS, Split, share
from hat.domains.livestream.wordings import wordings
from hat.domains.oracle import Oracle
from hat.domains.verify import verify
from hat.episode import run_episode

LOCALES = ["zh-CN", "en"]


@settings(max_examples=500, deadline=None)
@given(
    seed=st.integers(min_value=0, max_value=2**32),
    kind=st.sampled_from(list(SHARES)),
    split=st.sampled_from(SPLITS),
    locale=st.sampled_from(LOCALES),
)
def test_oracle__full_score_on_every_kind(seed: int, kind: str, split: Split, locale: str) -> None:
    world = domain(split, locale)
    task = world.generator.sample(Random(seed), kind)
    trace = run_episode(world.harness(), task.situation, world.environment(task), Oracle(world.harness(), task))
    verdict = verify(task, trace, world.harness())
    assert verdict.problems == ()
    assert (verdict.accuracy, verdict.effectiveness) == (1, 1)
    assert (verdict.tool_rationality, verdict.skill_selection) == (1, 1)
    assert [record.outcome for record in trace.hooks] == []


@given(st.integers(min_value=0, max_value=2**32))
@settings(max_examples=30, deadline=None)
def test_same_seed__same_task(seed: int) -> None:
    assert domain().sample(Random(seed)) == domain().sample(Random(seed))


@given(st.integers(min_value=0, max_value=2**32))
@settings(max_examples=30, deadline=None)
def test_task__survives_json_and_stands_alone(seed: int) -> None:
    task = domain().sample(Random(seed))
    again = type(task).model_validate_json(task.model_dump_json())
    assert again == task
    for call in again.expected.calls:
        if not again.faults and call.needs:
            output = domain("test").environment(again).call(call.tool, call.arguments)
            assert set(call.needs) <= output.keys()


def test_mix__the_paper_s_shares() -> None:
    rng = Random(11)
    counts = Counter(GROUP[domain().sample(rng).kind] for _ in range(3000))
    wanted = {"product": 46, "chat": 19, "clarification": 16, "other": 19}
    assert {group: sum(kinds.values()) for group, kinds in MIX.items()} == wanted
    for group, per_cent in wanted.items():
        assert abs(counts[group] / 30 - per_cent) < 3, group


def test_faults__a_few_of_each_kind() -> None:
    rng = Random(12)
    faults = [fault for _ in range(2000) for fault in domain().sample(rng).faults.values()]
    assert set(faults) == {"timeout", "malformed", "permission_denied"}
    assert 0.04 < len(faults) / 2000 < 0.08


def test_situations__current_link_explicit_link_and_history_all_occur() -> None:
    rng = Random(13)
    tasks = [domain().sample(rng) for _ in range(600)]
    messages = " ".join(task.situation.message for task in tasks)
    assert all(form in messages for form in ("这款", "这个", "这件", "号链接", "三号"))
    assert {"current_link_id" in task.situation.context for task in tasks} == {True, False}
    assert all("time" in task.situation.context for task in tasks)
    assert any(task.situation.history for task in tasks)


@pytest.mark.parametrize("locale", LOCALES)
def test_splits__share_no_wording(locale: str) -> None:
    assert split_overlap(locale, domain("train", locale).products) == set()


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_questions__no_two_kinds_share_one(locale: str) -> None:
    """Slots aside, save that of a link: `{ref} how much` and `{noun} how much` are told apart by what they name."""
    owner: dict[str, str] = {}
    for kind, texts in wordings(locale, *SPLITS).questions.items():
        for text in texts:
            core = re.sub(r"\{(?!ref|noun)\w+\}", "{}", text)
            assert owner.setdefault(core, kind) == kind, text


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("split", SPLITS)
def test_splits__every_kind_has_a_wording(locale: str, split: Split) -> None:
    assert all(wordings(locale, split).questions.values())
    assert domain(split, locale).generator.kinds == list(SHARES)


@pytest.mark.parametrize("locale", LOCALES)
def test_wordings__six_or_more_a_kind_each_once(locale: str) -> None:
    for kind in wordings(locale, "train").questions:
        texts = [text for split in SPLITS for text in wordings(locale, split).questions[kind]]
        assert len(texts) == len(set(texts)) >= 6, kind


def test_questions__of_two_kinds_are_never_the_same() -> None:
    texts = Counter(text for split in SPLITS for group in wordings("zh-CN", split).questions.values() for text in group)
    assert [text for text, count in texts.items() if count > 1] == []


def test_products__go_to_one_split_each() -> None:
    products = domain().products
    parts = [{product.title for product in products_of(products, split)} for split in SPLITS]
    assert [len(part) for part in parts] == [40, 10, 10]
    assert len(set.union(*parts)) == 60
    with pytest.raises(ValueError, match="3 product"):
        products_of(products[:3], "train")


@given(st.lists(st.text(min_size=1), min_size=3, max_size=40, unique=True))
def test_share__cuts_into_three_whatever_the_order(texts: list[str]) -> None:
    parts = [share(texts, split) for split in SPLITS]
    assert all(parts)
    assert sorted(text for part in parts for text in part) == sorted(texts)
    assert [share(list(reversed(texts)), split) for split in SPLITS] == parts


@pytest.mark.parametrize("texts", [["a", "b"], ["a", "a", "b", "c"]])
def test_share__too_few_texts_refused(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="3 different"):
        share(texts, "train")


def test_short_answers__fit_beside_long_phrases() -> None:
    rng = Random(14)
    assert max(len(domain().sample(rng).expected.short) for _ in range(1500)) <= 12


@pytest.mark.parametrize("kind", ["delivery", "returns", "warranty", "variant", "stock", "coupon", "follow", "price"])
def test_answer__is_never_the_number_of_a_link(kind: str) -> None:
    rng = Random(15)
    for _ in range(300):
        task = domain().generator.sample(rng, kind)
        links = {task.expected.calls[0].arguments["link_id"], task.situation.context.get("current_link_id")}
        assert not {str(link) for link in links} & set(task.expected.values)


def test_compared_links__are_no_prices_and_prices_differ() -> None:
    rng = Random(16)
    for _ in range(1500):
        (a, left), (b, right), *_ = domain().generator.sample(rng, "compare_price").expected.pairs
        assert len({a, left, b, right}) == 4
