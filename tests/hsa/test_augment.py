import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hat.domains.livestream.split import SPLITS, Split
from hat.harness import Binding, Harness, Tool, digest, render_system
from hat.harness.files import validate
from hat.hsa import ALL, BY_NAME, FAMILIES, STRUCTURAL, Keep, Operator, Variant, augment, replay, split_of
from hat.hsa.names import names_of
from hat.hsa.skill_content import quotes_in
from tests.hsa.harnesses import livestream, talkative

HARNESS = livestream().harness()
SEEDS = st.integers(0, 2**40)


def only(
    name: str, seed: int = 1, split: Split = "train", harness: Harness = HARNESS, keep: Keep | None = None
) -> Variant:
    return replay(harness, seed, 1.0, (BY_NAME[name],), split=split, keep=keep)


@settings(max_examples=60, deadline=None)
@given(
    seed=SEEDS, strength=st.floats(0, 1), split=st.sampled_from(SPLITS), harness=st.sampled_from([HARNESS, talkative()])
)
def test_replay__same_seed_same_variant(seed: int, strength: float, split: Split, harness: Harness) -> None:
    one, two = (replay(harness, seed, strength, split=split) for _ in range(2))
    assert one == two
    assert digest(one.harness) == digest(two.harness)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, split=st.sampled_from(SPLITS))
def test_augment__variant_is_what_validation_would_make_of_it(seed: int, split: Split) -> None:
    digest(HARNESS)
    variant = replay(HARNESS, seed, 1.0, split=split, keep=Keep(frozenset(), frozenset()))
    checked = Harness.model_validate(variant.harness.model_dump())
    assert checked == variant.harness
    assert digest(checked) == digest(variant.harness)


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, locale=st.sampled_from(["zh-CN", "en"]))
def test_augment__variant_could_be_saved(seed: int, locale: str) -> None:
    variant = replay(livestream(locale).harness(), seed, 1.0, split="test")
    assert validate(variant.harness) == []


def test_augment__same_on_every_machine() -> None:
    """Another process with another hash seed draws the same."""
    program = (
        "from hat.hsa import replay; from hat.harness import digest; from hat.harness.files import load_harness;"
        "from hat.domains.livestream.domain import EXAMPLES;"
        "print(*(digest(replay(load_harness(EXAMPLES / 'harness'), seed, 1.0).harness) for seed in range(5)))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    told = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split() == [digest(replay(HARNESS, seed, 1.0).harness) for seed in range(5)]


def test_perturb_limits__tasks_named__leaves_room_for_their_answers() -> None:
    keep = Keep(frozenset(), frozenset(), chars=30)
    values = [
        replay(HARNESS, seed, 1.0, (BY_NAME["perturb_limits"],), keep=keep).harness.limits["max_reply_chars"]
        for seed in range(200)
    ]
    longest = max(len("".join(skill.rules.values())) for skill in HARNESS.skills)
    assert min(values) == 30 + longest


def test_augment__strength_zero__nothing_changes() -> None:
    variant = augment(HARNESS, Random(1), 0.0)
    assert variant.harness == HARNESS
    assert variant.trail == ()


def test_augment__leaves_the_original_alone() -> None:
    before = HARNESS.model_dump_json()
    for seed in range(30):
        replay(HARNESS, seed, 1.0)
    assert HARNESS.model_dump_json() == before


def test_augment__strength_out_of_range__names_it() -> None:
    with pytest.raises(ValueError, match=r"1\.5"):
        augment(HARNESS, Random(1), 1.5)


def test_augment__strength_is_the_share_of_operators() -> None:
    counts = [len(replay(HARNESS, seed, 0.5, keep=Keep(frozenset(), frozenset())).trail) for seed in range(300)]
    assert sum(counts) / len(counts) == pytest.approx(0.5 * len(ALL), rel=0.08)


def test_augment__every_operator_and_family_is_drawn() -> None:
    seen = Counter(
        a.operator for seed in range(60) for a in replay(HARNESS, seed, keep=Keep(frozenset(), frozenset())).trail
    )
    assert set(seen) == {operator.name for operator in ALL}
    assert {operator.family for operator in ALL} == set(FAMILIES)


def test_variant__serialises() -> None:
    variant = replay(HARNESS, 3)
    assert Variant.model_validate_json(variant.model_dump_json()) == variant


@pytest.mark.parametrize(
    "name", ["rename_tools", "rename_params", "rename_skills", "distractor_tools", "distractor_skills"]
)
@pytest.mark.parametrize("split", SPLITS)
def test_new_names__are_of_the_split(name: str, split: Split) -> None:
    new = names_of(only(name, split=split).harness) - names_of(HARNESS)
    assert new
    assert {split_of(word) for word in new} == {split}


@pytest.mark.parametrize("operator", ALL, ids=lambda operator: operator.name)
def test_operator__changes_something_and_says_so(operator: Operator) -> None:
    variant = only(operator.name, keep=Keep(frozenset(), frozenset()))
    assert variant.harness != HARNESS
    assert [applied.operator for applied in variant.trail] == [operator.name]
    assert variant.trail[0].detail


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_swap_phrases__body_and_metadata_agree(seed: int) -> None:
    variant = replay(HARNESS, seed, 1.0, split="test")
    for skill in variant.harness.skills:
        assert set(skill.rules.values()) <= quotes_in(skill.body)
    assert variant.harness.max_retries >= 1


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_perturb_limits__stay_in_range(seed: int) -> None:
    for section in only("perturb_limits", seed).harness.sections:
        assert all(limit.min <= limit.value <= limit.max for limit in section.limits.values())


def test_perturb_limits__small_strength_moves_little() -> None:
    values = [replay(HARNESS, seed, 0.1).harness.limits["max_reply_chars"] for seed in range(300)]
    assert max(abs(value - HARNESS.limits["max_reply_chars"]) for value in values) <= 4


def test_reorder_items__keeps_every_line() -> None:
    for seed in range(10):
        for new, old in zip(only("reorder_items", seed).harness.sections, HARNESS.sections, strict=True):
            assert sorted(new.body.split("\n")) == sorted(old.body.split("\n"))


def test_reorder_rules__numbered_steps_keep_their_order() -> None:
    steps = HARNESS.skills[0].model_copy(update={"body": "1. one\n2. two\n3. three"})
    harness = HARNESS.model_copy(update={"skills": (steps,)})
    assert only("reorder_rules", harness=harness).harness.skills[0].body == "1. one\n2. two\n3. three"


def test_mask__keeps_what_is_needed_and_takes_the_rest() -> None:
    keep = Keep(frozenset({"get_stock"}), frozenset({"item_qa"}))
    for seed in range(20):
        tools = only("mask_tools", seed, keep=keep).harness
        skills = only("mask_skills", seed, keep=keep).harness
        assert "get_stock" in tools.tool_by_name
        assert skills.skill_for("item_qa")
        assert len(tools.tools) < len(HARNESS.tools)
        assert {name for skill in tools.skills for name in skill.allowed_tools} <= tools.tool_by_name.keys()


def test_mask__nothing_named__keeps_everything() -> None:
    assert only("mask_tools").trail == ()
    assert only("mask_skills").trail == ()


def test_mask_rules__checked_phrases_stay() -> None:
    masked = only("mask_rules").harness
    assert all(skill.rules == old.rules for skill, old in zip(masked.skills, HARNESS.skills, strict=True))
    assert all(set(skill.rules.values()) <= quotes_in(skill.body) for skill in masked.skills)
    assert sum(len(s.body) for s in masked.skills) < sum(len(s.body) for s in HARNESS.skills)


def test_simulate_triggers__allows_one_more_turn_and_retry() -> None:
    changed = only("simulate_triggers").harness
    assert (changed.max_turns, changed.max_retries) == (HARNESS.max_turns + 1, HARNESS.max_retries + 1)
    assert changed.hooks[-1].max_triggers == 1


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_hooks__guards_stay_guards(seed: int) -> None:
    variant = replay(HARNESS, seed, 1.0, tuple(operator for operator in ALL if operator.family == "hooks")).harness
    guards = [hook.name for hook in HARNESS.hooks if hook.max_triggers > HARNESS.max_retries]
    assert guards
    assert all(hook.max_triggers > variant.max_retries for hook in variant.hooks if hook.name in guards)


def test_hooks__what_the_viewer_hears_stays() -> None:
    for seed in range(20):
        changed = replay(HARNESS, seed, 1.0).harness
        spoken = [[hook.message for hook in h.hooks if hook.event == "UserPromptSubmit"] for h in (HARNESS, changed)]
        assert spoken[0] == spoken[1]


def test_describe_tools__split_tool_keeps_its_own_words() -> None:
    assert only("describe_tools", harness=talkative()).harness.tools[1].description == "查价格"


def test_merged_tool__keeps_its_words_and_is_needed_by_either_of_its_tasks() -> None:
    merged = Tool(
        name="savings",
        description="查优惠",
        input_schema=HARNESS.tool_by_name["get_coupons"].input_schema,
        binding=Binding(tool="get_coupons", also=("get_promotion",)),
    )
    harness = HARNESS.model_copy(update={"tools": (merged, HARNESS.tools[0])})
    assert only("describe_tools", harness=harness).harness.tools[0].description == "查优惠"
    for seed in range(10):
        kept = only("mask_tools", seed, harness=harness, keep=Keep(frozenset({"get_promotion"}), frozenset()))
        assert "savings" in kept.harness.tool_by_name


def test_paraphrase_sections__numbers_are_still_filled_in() -> None:
    prompt = render_system(only("paraphrase_sections").harness)
    assert "{" not in prompt
    assert str(HARNESS.limits["max_reply_chars"]) in prompt


def test_docs__every_operator_is_listed_as_it_describes_itself() -> None:
    text = (Path(__file__).parents[2] / "docs" / "variants.md").read_text(encoding="utf-8")
    rows = [f"| `{operator.name}` | {operator.family} | {operator.summary} |" for operator in (*ALL, *STRUCTURAL)]
    assert [row for row in rows if row not in text] == []
