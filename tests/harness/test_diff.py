"""A difference in a harness's own terms: parts, limits, words, and whether calls stay valid."""

from typing import Any

import pytest

from hat.harness import Binding, Harness, Limit
from hat.harness.diff import LimitChange, ProseChange, SchemaChange, Span, ValueChange, diff, render_text
from hat.harness.diff.schemas import input_change, output_change

INTEGER = {"type": "integer"}


def schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def replaced(harness: Harness, group: str, at: int, **update: Any) -> Harness:
    parts = list(getattr(harness, group))
    parts[at] = parts[at].model_copy(update=update)
    return harness.model_copy(update={group: tuple(parts)})


@pytest.mark.parametrize(
    ("before", "after", "compatible", "reason"),
    [
        (schema("a", a=INTEGER), schema("a", a=INTEGER, b=INTEGER), True, "parameter 'b' added, optional"),
        (schema("a", a=INTEGER), schema("a", "b", a=INTEGER, b=INTEGER), False, "parameter 'b' added, required"),
        (schema("a", a=INTEGER, b=INTEGER), schema("a", a=INTEGER), False, "parameter 'b' removed"),
        (schema("a", a=INTEGER), schema(a=INTEGER), True, "parameter 'a' is now optional"),
        (schema(a=INTEGER), schema("a", a=INTEGER), False, "parameter 'a' is now required"),
        (schema("a", a=INTEGER), schema("a", a={"type": "number"}), True, "'integer' → 'number'"),
        (schema("a", a={"type": "number"}), schema("a", a=INTEGER), False, "'number' → 'integer'"),
        (schema("a", a=INTEGER), schema("a", a=INTEGER | {"minimum": 1}), False, "minimum 1 set"),
        (schema("a", a={"enum": ["x"]}), schema("a", a={"enum": ["x", "y"]}), True, "['x'] → ['x', 'y']"),
        (schema("a", a=INTEGER), schema("a", a=INTEGER | {"description": "号"}), True, "description '号' set"),
        (
            schema("a", "b", a=INTEGER, b=INTEGER),
            schema("b", "a", a=INTEGER, b=INTEGER),
            True,
            "order of parameters: b, a",
        ),
    ],
)
def test_input_schema__is_judged_by_the_calls_it_admits(
    before: dict[str, Any], after: dict[str, Any], compatible: bool, reason: str
) -> None:
    change = input_change(before, after)

    assert change.compatible is compatible
    assert any(reason in text for text in change.reasons)


def test_output_schema__is_judged_the_other_way_round() -> None:
    small, large = schema("a", a=INTEGER), schema("a", "b", a=INTEGER, b=INTEGER)

    assert output_change(small, large).compatible
    assert not output_change(large, small).compatible
    assert not output_change(large, None).compatible


def test_limit__is_told_by_value(harness: Harness) -> None:
    section = harness.sections[-1]
    old = section.limits["max_emoji"]
    new = Limit(value=0, min=0, max=2, unit="个")
    after = replaced(harness, "sections", -1, limits=section.limits | {"max_emoji": new})

    (part,) = diff(harness, after).parts

    assert (part.kind, part.name, part.change) == ("section", "reply_style", "changed")
    assert part.fields == (LimitChange(field="max_emoji", before=old, after=new),)
    assert "limit max_emoji: 1个 (0 to 3) → 0个 (0 to 2)" in render_text(diff(harness, after))


def test_prose__is_told_by_character(harness: Harness) -> None:
    after = replaced(harness, "tools", 2, description="查库存和尺码")

    (part,) = diff(harness, after).parts

    deleted, inserted = Span(op="delete", text="规格"), Span(op="insert", text="尺码")
    assert part.fields == (
        ProseChange(field="description", spans=(Span(op="equal", text="查库存和"), deleted, inserted)),
    )


def test_renamed_tool__is_one_rename_and_calls_break(harness: Harness) -> None:
    after = replaced(harness, "tools", 2, name="stock_of", binding=Binding(tool="get_stock"))

    difference = diff(harness, after)

    (part,) = difference.parts
    assert (part.change, part.before_name, part.name) == ("renamed", "get_stock", "stock_of")
    assert part.fields == (ValueChange(field="binding", before=None, after={"tool": "get_stock"}),)
    assert not difference.compatible
    assert "> tool get_stock → stock_of (same content)" in render_text(difference)


def test_renamed_skill__keeps_its_duty_or_says_so(harness: Harness) -> None:
    skill = harness.skills[1]
    kept = skill.metadata | {"alias": "fit", "duties": "size_advice"}
    lost = skill.metadata | {"alias": "fit"}

    (same,) = diff(harness, replaced(harness, "skills", 1, metadata=kept)).parts
    (other,) = diff(harness, replaced(harness, "skills", 1, metadata=lost)).parts

    assert (same.change, same.before_name, same.fields) == ("renamed", "size_advice", ())
    assert other.fields == (ValueChange(field="metadata.duties", before="size_advice", after="fit"),)


def test_rename_with_edits__is_paired_by_what_the_tool_stands_for(harness: Harness) -> None:
    edits = {
        "name": "stock_of",
        "description": "还有货吗",
        "binding": Binding(tool="get_stock", params={"id": "link_id"}),
    }
    after = replaced(harness, "tools", 2, input_schema=schema("id", id=INTEGER), **edits)

    (part,) = diff(harness, after).parts

    assert (part.change, part.before_name) == ("renamed", "get_stock")
    schemas = [field for field in part.fields if isinstance(field, SchemaChange)]
    assert schemas[0].reasons == ("parameter 'link_id' removed", "parameter 'id' added, required")


def test_added_and_removed_parts__and_orders(harness: Harness) -> None:
    after = harness.model_copy(
        update={
            "hooks": harness.hooks[1:],
            "tools": (*harness.tools[1:], harness.tools[0]),
            "order": (*harness.order[1:], harness.order[0]),
        }
    )

    difference = diff(harness, after)

    assert [(part.change, part.name) for part in difference.parts] == [("removed", harness.hooks[0].name)]
    assert [(part.change) for part in diff(after, harness).parts] == ["added"]
    assert [change.field for change in difference.manifest] == ["order", "order of tools"]
    assert "order: persona from place 1 to 7" in render_text(difference)
    assert difference.compatible


def test_resource__is_told_by_digest(harness: Harness) -> None:
    after = replaced(harness, "skills", 0, resources={"a.bin": b"\x00"})

    (part,) = diff(harness, after).parts

    assert [(field.field, field.type) for field in part.fields] == [("resources.a.bin", "value")]


def test_long_text__is_compared_quickly_and_shown_briefly(harness: Harness) -> None:
    lines = [f"第{n}条规则，照着做就对了" for n in range(2000)]
    before = replaced(harness, "sections", 0, body="\n".join(lines))
    lines[1000] = "换掉的一条"
    after = replaced(harness, "sections", 0, body="\n".join(lines))

    text = render_text(diff(before, after))

    assert "换掉的一条" in text
    assert len(text) < 400
