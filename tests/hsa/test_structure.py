"""Structural transforms: valid harnesses, tasks preserved, alone and with all others; right values for each."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hat.domains.livestream.split import SPLITS, Split
from hat.harness import Binding, Harness
from hat.harness.files import validate
from hat.hsa import ALL, BY_NAME, STRUCTURAL, Operator, Variant, augment, check_preserved, drawn_from, needs, replay
from hat.hsa.names import names_of, split_of
from hat.hsa.wordings_structure import structure
from hat.training import TraceConfig
from tests.hsa.harnesses import livestream, played, talkative

HARNESS = livestream().harness()
EVERY = (*ALL, *STRUCTURAL)
SEEDS = st.integers(0, 2**40)


def chain(operator: Operator) -> tuple[Operator, ...]:
    return (BY_NAME[operator.after], operator) if operator.after else (operator,)


def only(name: str, seed: int = 1, harness: Harness = HARNESS, split: Split = "train") -> Variant:
    """A variant in which the operator was applied: after the one that it needs, if it needs one."""
    for number in range(seed, seed + 60):
        variant = replay(harness, number, 1.0, chain(BY_NAME[name]), split=split)
        if variant.trail and variant.trail[-1].operator == name:
            return variant
    raise AssertionError(f"{name} was never applied")


@settings(max_examples=120, deadline=None)
@given(
    seed=SEEDS,
    strength=st.sampled_from([0.3, 0.7, 1.0]),
    operators=st.lists(st.sampled_from(EVERY), min_size=1, max_size=len(EVERY), unique=True).map(tuple),
    split=st.sampled_from(SPLITS),
    locale=st.sampled_from(["zh-CN", "en"]),
    masked=st.booleans(),
)
def test_with_all_others__oracle_earns_the_same_verdict(
    seed: int, strength: float, operators: tuple[Operator, ...], split: Split, locale: str, masked: bool
) -> None:
    domain, (tasks, known) = livestream(locale), played(locale)
    rng = Random(seed)
    drawn = rng.sample(tasks, 4)
    keep = needs(drawn) if masked else None
    variant = augment(domain.harness(), rng, strength, operators, split=split, keep=keep)
    check_preserved(variant, drawn, domain, known=known)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, locale=st.sampled_from(["zh-CN", "en"]), operators=st.sampled_from([STRUCTURAL, EVERY]))
def test_variant__could_be_saved(seed: int, locale: str, operators: tuple[Operator, ...]) -> None:
    assert validate(replay(livestream(locale).harness(), seed, 1.0, operators, split="test").harness) == []


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_variant_of_a_talkative_harness__mentions_no_name_that_is_gone(seed: int) -> None:
    original = talkative()
    variant = replay(original, seed, 1.0, STRUCTURAL)
    gone = names_of(original) - names_of(variant.harness)
    assert validate(variant.harness) == []
    prose = " ".join(
        [*(s.body + s.description for s in variant.harness.skills), *(h.message for h in variant.harness.hooks)]
    )
    assert gone.isdisjoint(re.findall(r"[a-z]+_[a-z_]+", prose))


@pytest.mark.parametrize("operator", STRUCTURAL, ids=lambda operator: operator.name)
def test_operator__alone__every_task_preserved(operator: Operator) -> None:
    domain, (tasks, known) = livestream(), played()
    rng, applied = Random(5), 0
    for task in tasks[:40]:
        variant = augment(domain.harness(), rng, 1.0, chain(operator), split="test", keep=needs([task]))
        applied += any(done.operator == operator.name for done in variant.trail)
        check_preserved(variant, [task], domain, known=known)
    assert applied >= (12 if operator.after else 38)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_words__every_split_has_some_of_each_list(locale: str, split: Split) -> None:
    words = structure(locale, split)
    assert all(words.fields.values())
    assert all(words.options.values())


def test_merge_skills__one_with_both_duties_and_the_first_ones_phrases() -> None:
    variant = only("merge_skills")
    kept, gone = (variant.trail[0].detail[key] for key in ("into", "gone"))
    merged = variant.harness.skill_by_alias[str(kept)]
    one, other = HARNESS.skill_by_alias[str(kept)], HARNESS.skill_by_alias[str(gone)]
    assert gone not in variant.harness.skill_by_alias
    assert merged.duties == (*one.duties, *other.duties)
    assert merged.rules == one.rules
    assert not any(phrase in merged.body for phrase in other.rules.values() if phrase not in one.rules.values())
    assert merged.description == f"{one.description}；{other.description}"


def test_split_skills__duties_are_shared_out() -> None:
    variant = only("split_skills")
    duties = [duty for skill in variant.harness.skills for duty in skill.duties]
    assert sorted(duties) == sorted(duty for skill in HARNESS.skills for duty in skill.duties)
    assert len(variant.harness.skills) == len(HARNESS.skills)


def test_merge_tools__one_asks_both() -> None:
    variant = only("merge_tools")
    merged = variant.harness.tool_by_name[str(variant.trail[0].detail["into"])]
    assert len(variant.harness.tools) == len(HARNESS.tools) - 1
    assert {merged.bound.tool, *merged.bound.also} == {
        HARNESS.tool_by_name[str(variant.trail[0].detail[key])].bound.tool for key in ("into", "gone")
    }
    allowed = {name for skill in variant.harness.skills for name in skill.allowed_tools}
    assert allowed <= variant.harness.tool_by_name.keys()


def test_split_tools__halves_share_out_the_output() -> None:
    variant = only("split_tools")
    one, two = (variant.harness.tool_by_name[str(variant.trail[0].detail[key])] for key in ("split", "into"))
    whole = HARNESS.tool_by_name[one.name].output_schema
    assert whole is not None
    assert one.bound.fields is not None
    assert two.bound.fields is not None
    assert set(one.bound.fields) | set(two.bound.fields) == set(whole["properties"])
    assert set(one.bound.fields) & set(two.bound.fields) <= {"link_id", "title", "category"}
    assert split_of(two.name) == "train"
    assert one.description != two.description


def test_add_options__optional_with_a_default_and_dropped_on_the_way() -> None:
    variant = only("add_options")
    for name, param in dict(variant.trail[0].detail["added"]).items():  # type: ignore[call-overload]
        tool = variant.harness.tool_by_name[name]
        assert "default" in tool.input_schema["properties"][param]
        assert param not in tool.input_schema.get("required", ())
        given = {**dict.fromkeys(HARNESS.tool_by_name[name].input_schema["properties"], 3), param: "x"}
        assert param not in tool.bound.canonical(given)


def test_change_defaults__known_parameter__the_new_default_holds() -> None:
    tool = HARNESS.tool_by_name["search_products"]
    properties = {**tool.input_schema["properties"], "rows": {"type": "integer", "default": 10}}
    schema = {**tool.input_schema, "properties": properties}
    bound = tool.model_copy(
        update={"input_schema": schema, "binding": Binding(tool=tool.name, params={"rows": "limit"})}
    )
    harness = HARNESS.model_copy(update={"tools": (bound,)})
    changed = replay(harness, 1, 1.0, (BY_NAME["change_defaults"],)).harness.tools[0]
    default = changed.input_schema["properties"]["rows"]["default"]
    assert default in (5, 20, 50)
    assert changed.bound.canonical({"keyword": "杯"}) == {"limit": default, "keyword": "杯"}
    assert changed.bound.canonical({"keyword": "杯", "rows": 3}) == {"limit": 3, "keyword": "杯"}


@pytest.mark.parametrize("name", ["rule_to_section", "rule_to_hook"])
def test_rule_leaves_the_skills__every_reply_keeps_the_one_that_is_left(name: str) -> None:
    variant = only(name)
    key, phrase = str(variant.trail[0].detail["rule"]), variant.trail[0].detail["phrase"]
    replying = [skill for skill in variant.harness.skills if skill.kind == "reply"]
    assert all(key not in skill.rules for skill in replying)
    assert {variant.harness.rules_for(skill)[key] for skill in replying} == {phrase}


def test_rule_to_skills__goes_back() -> None:
    variant = only("rule_to_skills")
    key, phrase = str(variant.trail[-1].detail["rule"]), str(variant.trail[-1].detail["phrase"])
    assert variant.harness.common_rules == {}
    assert all(skill.rules[key] == phrase for skill in variant.harness.skills if skill.kind == "reply")


def test_move_rules__no_line_is_lost() -> None:
    def lines(harness: Harness) -> list[str]:
        return sorted(line for part in (*harness.skills, *harness.sections) for line in part.body.split("\n"))

    variant = only("move_rules")
    assert variant.harness != HARNESS
    assert lines(variant.harness) == lines(HARNESS)


def test_drawn_from__groups_families_and_names_less_what_is_left_out() -> None:
    assert drawn_from() == ALL
    assert drawn_from(("paper", "structural")) == (*ALL, *STRUCTURAL)
    assert {operator.family for operator in drawn_from(("tools",))} == {"tools"}
    assert [operator.name for operator in drawn_from(("merge_tools", "hooks"), ("hooks",))] == ["merge_tools"]
    assert len(drawn_from(("paper",), ("rename_tools",))) == len(ALL) - 1


def test_drawn_from__unknown__named_with_what_there_is() -> None:
    with pytest.raises(ValueError, match="no operators 'rename': there are paper, structural, skill_ids"):
        drawn_from(("rename",))
    with pytest.raises(ValidationError, match="no operators 'rename'"):
        TraceConfig(without=("rename",))


def test_paper_operators__draw_no_structural_one() -> None:
    assert not set(ALL) & set(STRUCTURAL)
    assert {done.operator for seed in range(40) for done in replay(HARNESS, seed, 1.0).trail} <= {o.name for o in ALL}
