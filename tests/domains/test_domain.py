"""A new domain plays its own tasks first, and the oracle plays them under harnesses of other shapes."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from plays import domain, oracle_trace, task

from hat.domains.livestream import DomainError, Livestream
from hat.domains.livestream.domain import EXAMPLES
from hat.domains.livestream.kinds import SHARES
from hat.domains.oracle import Oracle
from hat.domains.verify import verify
from hat.episode import ToolError, run_episode
from hat.harness import Binding, Harness, Skill, Tool

INFO = "get_product_info_by_link_id"


def changed(harness: Harness, **parts: Any) -> Harness:
    return harness.model_copy(update=parts)


def scores(harness: Harness, kind: str, seed: int = 0) -> tuple[float, float, float, float]:
    made = domain().generator.sample(Random(seed), kind)
    verdict = verify(made, oracle_trace(made, harness), harness)
    return verdict.accuracy, verdict.effectiveness, verdict.tool_rationality, verdict.skill_selection


def without_skill(harness: Harness) -> Harness:
    return changed(harness, skills=tuple(skill for skill in harness.skills if skill.alias != "chat"))


def without_tool(harness: Harness) -> Harness:
    return changed(harness, tools=tuple(tool for tool in harness.tools if tool.name != INFO))


def without_room_for_words(harness: Harness) -> Harness:
    sections = tuple(
        section.model_copy(
            update={
                "limits": {
                    name: limit.model_copy(update={"value": 3} if name == "max_reply_chars" else {})
                    for name, limit in section.limits.items()
                }
            }
        )
        for section in harness.sections
    )
    return changed(harness, sections=sections)


def without_turns(harness: Harness) -> Harness:
    return changed(harness, max_turns=1)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (without_skill, "no skill for the duty 'chat'"),
        (without_tool, f"no tool for '{INFO}'"),
        (without_room_for_words, "livestream-train-"),
        (without_turns, "max_turns|no reply"),
    ],
)
def test_harness_that_cannot_serve__refused_with_task_and_problem(
    change: Callable[[Harness], Harness], problem: str
) -> None:
    with pytest.raises(DomainError, match=problem):
        Livestream(harness=change(domain().harness()))


def test_catalogue_too_small_to_split__refused(tmp_path: Any) -> None:
    lines = domain().catalogue_path.read_text(encoding="utf-8").split("\n")
    path = tmp_path / "small.csv"
    path.write_text("\n".join(lines[:3]), encoding="utf-8")
    with pytest.raises(DomainError, match="2 product"):
        Livestream(path)


def test_catalogue_without_sizes__has_no_size_tasks(tmp_path: Any) -> None:
    lines = domain().catalogue_path.read_text(encoding="utf-8").split("\n")
    path = tmp_path / "plain.csv"
    path.write_text("\n".join(line for line in lines if "装," not in line), encoding="utf-8")
    kinds = Livestream(path).generator.kinds
    assert set(SHARES) - set(kinds) == {"size", "missing_body", "missing_weight"}


def split_info(harness: Harness) -> Harness:
    """The product tool cut in two by output keys."""
    tool = harness.tool_by_name[INFO]
    look = tool.model_copy(
        update={"name": "look", "binding": Binding(tool=INFO, params={"n": "link_id"}, fields=("material", "color"))}
    )
    look = look.model_copy(update={"input_schema": _schema("n")})
    cost = tool.model_copy(
        update={"name": "cost", "binding": Binding(tool=INFO, fields=("price", "weight_g", "original_price"))}
    )
    return changed(harness, tools=(*(t for t in harness.tools if t.name != INFO), look, cost))


def _schema(name: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "integer"}}, "required": [name]}


@pytest.mark.parametrize("kind", ["price", "material", "compare_price", "price_by_name", "unknown_link"])
@pytest.mark.parametrize("seed", range(6))
def test_split_tool__oracle_asks_the_part_that_is_needed(kind: str, seed: int) -> None:
    assert scores(split_info(domain().harness()), kind, seed) == (1, 1, 1, 1)


def test_tool_cut_across_what_is_needed__both_parts_once_even_after_a_fault() -> None:
    harness = domain().harness()
    tool = harness.tool_by_name["get_coupons"]
    parts = [
        tool.model_copy(update={"name": f"coupon_{key}", "binding": Binding(tool="get_coupons", fields=(key,))})
        for key in ("coupon_amount", "coupon_threshold")
    ]
    harness = changed(harness, tools=(*(t for t in harness.tools if t.name != "get_coupons"), *parts))
    for made in (task("coupon"), task("coupon", faulty="timeout"), task("coupon", faulty="malformed")):
        verdict = verify(made, oracle_trace(made, harness), harness)
        assert (verdict.accuracy, verdict.tool_rationality, verdict.problems) == (1, 1, ())


def test_merged_skills__loaded_once() -> None:
    harness = domain().harness()
    merged = Skill(
        name="all",
        description="都管",
        body="好",
        metadata={"duties": " ".join(skill.alias for skill in harness.skills)},
    )
    assert scores(changed(harness, skills=(merged,)), "compare_price") == (1, 1, 1, 1)


def test_renamed_everything__full_score() -> None:
    harness = domain().harness()
    tools = tuple(
        Tool(
            name=f"t{index}",
            description=tool.description,
            input_schema={
                "type": "object",
                "properties": {f"p_{key}": value for key, value in tool.input_schema["properties"].items()},
                "required": [f"p_{key}" for key in tool.input_schema["properties"]],
            },
            binding=Binding(tool=tool.name, params={f"p_{key}": key for key in tool.input_schema["properties"]}),
        )
        for index, tool in enumerate(harness.tools)
    )
    skills = tuple(
        skill.model_copy(update={"metadata": skill.metadata | {"alias": f"s{index}", "duties": skill.alias}})
        for index, skill in enumerate(harness.skills)
    )
    for kind in SHARES:
        assert scores(changed(harness, tools=tools, skills=skills), kind) == (1, 1, 1, 1), kind


class Down:
    """A domain whose tools never answer."""

    def __init__(self) -> None:
        self.asked = 0

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        self.asked += 1
        raise ToolError("timeout")


def test_oracle__gives_up_a_tool_that_never_answers() -> None:
    made, harness, down = task("price"), domain().harness(), Down()
    trace = run_episode(harness, made.situation, down, Oracle(harness, made))
    assert down.asked == 3
    assert trace.skills == ("item_qa",)
    assert verify(made, trace, harness).accuracy == 0


def test_viewers__speak_the_language_of_the_harness() -> None:
    english = Livestream(harness=EXAMPLES / "harness-en", checked=3)
    assert english.locale == "en"
    assert english.sample(Random(0)).situation.message.isascii()
    assert Livestream(checked=0).locale == "zh-CN"
