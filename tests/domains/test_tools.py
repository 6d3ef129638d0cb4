"""The nine tools: what they answer, what they refuse, and what a fault does to them."""

import json
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plays import domain

from hat.domains.livestream.snapshot import localised
from hat.domains.livestream.tools import OUTPUT_SCHEMAS, PARAMETERS, TOOLS, FaultyTools, Tools
from hat.episode import ToolError

BODY = {"height_cm": 165, "weight_kg": 52}


def arguments(tool: str, link: int) -> dict[str, Any]:
    every = {"link_id": link, "keyword": "保温杯", **BODY}
    return {name: every[name] for name in PARAMETERS[tool]}


def world() -> dict[str, Any]:
    return domain().generator.sample(Random(5)).world


@settings(max_examples=40, deadline=None)
@given(st.integers(min_value=0, max_value=2**32), st.sampled_from(["zh-CN", "en"]))
def test_outputs__keep_their_schemas(seed: int, locale: str) -> None:
    task = domain("train", locale).sample(Random(seed))
    tools = Tools(task.world)
    for tool in TOOLS:
        output = tools.call(tool, arguments(tool, task.world["products"][0]["link_id"]))
        schema = OUTPUT_SCHEMAS[tool] | {"additionalProperties": False}
        jsonschema_rs.validate(schema, json.loads(json.dumps(output)))


def test_harness__declares_the_same_tools() -> None:
    for locale in ("zh-CN", "en"):
        declared = {tool.name: tool for tool in domain("train", locale).harness().tools}
        assert sorted(declared) == sorted(TOOLS)
        for name, tool in declared.items():
            assert tuple(tool.input_schema["properties"]) == PARAMETERS[name]
            assert set((tool.output_schema or {})["properties"]) == set(OUTPUT_SCHEMAS[name]["properties"])


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if "link_id" in PARAMETERS[tool]])
def test_unknown_link__not_found(tool: str) -> None:
    with pytest.raises(ToolError) as refused:
        Tools(world()).call(tool, arguments(tool, 999))
    assert refused.value.kind == "not_found"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("get_stock", {}),
        ("get_stock", {"link_id": "three"}),
        ("get_stock", {"link_id": 1.5}),
        ("get_stock", {"link_id": True}),
        ("get_stock", {"link_id": None}),
        ("get_stock", {"link_id": float("inf")}),
        ("get_stock", {"link_id": float("nan")}),
        ("get_stock", {"link_id": [1]}),
        ("get_stock", {"link_id": 1, "more": 2}),
        ("search_products", {"keyword": " "}),
        ("search_products", {"keyword": 3}),
        ("get_lottery", {"link_id": 1}),
        ("get_size_advice", {"link_id": 1}),
    ],
)
def test_bad_arguments__refused_by_name(tool: str, given: dict[str, Any]) -> None:
    with pytest.raises(ToolError) as refused:
        Tools(world()).call(tool, given)
    assert refused.value.kind == "invalid_arguments"


def test_unknown_tool__refused() -> None:
    with pytest.raises(ToolError) as refused:
        Tools(world()).call("get_weather", {})
    assert refused.value.kind == "unknown_tool"


@pytest.mark.parametrize("given", [3, 3.0, "3", " 3 "])
def test_link_id__any_way_to_write_a_whole_number(given: object) -> None:
    row = world()["products"][0] | {"link_id": 3}
    assert Tools(world() | {"products": [row]}).call("get_stock", {"link_id": given})["link_id"] == 3


@pytest.mark.parametrize(
    ("height", "weight", "size"), [(158, 48, "S"), (160, 50, "S"), (158, 51, "M"), (161, 50, "M"), (190, 99, "XL")]
)
def test_size__smallest_that_fits_else_the_largest(height: int, weight: int, size: str) -> None:
    product = next(product for product in domain().products if product.size_table and product.category == "女装")
    tools = Tools({"products": [localised(product, "zh-CN")]})
    given = {"link_id": product.link_id, "height_cm": height, "weight_kg": weight}
    assert tools.call("get_size_advice", given)["size"] == size


def test_size__one_size_without_a_table() -> None:
    product = next(product for product in domain().products if not product.size_table)
    given = {"link_id": product.link_id, **BODY}
    assert Tools({"products": [localised(product, "zh-CN")]}).call("get_size_advice", given)["size"] == "均码"


def test_search__by_word_in_any_case_or_not_at_all() -> None:
    live = domain("train", "en").live()
    found = live.call("search_products", {"keyword": "T-SHIRT"})
    assert found["titles"] == ["crew neck T-shirt"]
    assert live.call("search_products", {"keyword": "bicycle"}) == {"link_ids": [], "titles": []}


def test_passing_faults__hit_the_first_call_of_that_tool_only() -> None:
    link = world()["products"][0]["link_id"]
    tools = FaultyTools(Tools(world()), {"get_stock": "timeout", "get_coupons": "malformed"})
    with pytest.raises(ToolError) as refused:
        tools.call("get_stock", {"link_id": link})
    broken = tools.call("get_coupons", {"link_id": link})
    assert refused.value.kind == "timeout"
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken)
    assert tools.call("get_stock", {"link_id": link})["link_id"] == link
    assert tools.call("get_coupons", {"link_id": link})["link_id"] == link


def test_permission_denied__lasts() -> None:
    tools = FaultyTools(Tools(world()), {"get_stock": "permission_denied"})
    for _ in range(3):
        with pytest.raises(ToolError) as refused:
            tools.call("get_stock", {"link_id": 1})
        assert refused.value.kind == "permission_denied"


def test_answer__cannot_be_changed_by_its_reader() -> None:
    tools, link = Tools(world()), world()["products"][0]["link_id"]
    tools.call("get_stock", {"link_id": link})["variants"].clear()
    tools.call("get_lottery", {}).clear()
    assert tools.call("get_stock", {"link_id": link})["variants"]
    assert tools.call("get_lottery", {})


def test_redrawn_rooms__tell_other_things_of_the_same_product() -> None:
    rng = Random(9)
    rows = [row for _ in range(300) for row in domain().generator.sample(rng, "greet").world["products"]]
    title = rows[0]["title"]
    same = [row for row in rows if row["title"] == title]
    for key in ("link_id", "price", "material", "coupon_amount", "days", "weight_g"):
        assert len({row[key] for row in same}) > 2, key
    for row in rows:
        assert row["promotion_price"] < row["price"] < row["original_price"]
        assert row["coupon_amount"] < row["coupon_threshold"]


def test_english_text_left_out__the_main_text_serves() -> None:
    product = domain().products[0].model_copy(update={"title_en": "", "variants_en": ()})
    row = localised(product, "en")
    assert row["title"] == product.title
    assert row["material"] == product.material_en
    assert row["variants"] == product.variants
