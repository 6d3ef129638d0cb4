"""The nine tools over a snapshot, with injected faults. Outputs are small JSON objects with a schema each."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from hat.episode import ToolError

Row = dict[str, Any]
Arguments = dict[str, Any]

FIELDS = {
    "get_product_info_by_link_id": (
        "link_id", "title", "category", "price", "original_price", "material", "color", "weight_g",
    ),
    "get_coupons": ("link_id", "coupon_amount", "coupon_threshold"),
    "get_promotion": ("link_id", "promotion", "promotion_price", "ends_at"),
    "get_delivery": ("link_id", "ship_from", "days", "carrier"),
    "get_after_sales_policy": ("link_id", "return_days", "warranty_months", "freight_insurance"),
}  # fmt: skip
"""Tools that show columns of a product."""
PARAMETERS = dict.fromkeys(FIELDS, ("link_id",)) | {
    "get_stock": ("link_id",),
    "get_size_advice": ("link_id", "height_cm", "weight_kg"),
    "search_products": ("keyword",),
    "get_lottery": (),
}
"""Canonical tool to its parameters, all needed; integers but the keyword."""
TOOLS = tuple(PARAMETERS)
PASSING = ("timeout", "malformed")
"""Faults that hit the first call only."""


class Tools:
    """A snapshot's tools; stateless, so one serves any number of calls."""

    def __init__(self, world: Mapping[str, Any], one_size: str = "均码") -> None:
        self.world, self.one_size = world, one_size
        self.by_link: dict[int, Row] = {row["link_id"]: row for row in world["products"]}

    def call(self, tool: str, arguments: Arguments) -> dict[str, Any]:
        """A tool's output. Raises `ToolError` (unknown_tool, invalid_arguments, not_found)."""
        if tool not in PARAMETERS:
            raise ToolError("unknown_tool", tool)
        given = check(tool, arguments)
        if "link_id" not in given:
            return _search(self.world, given["keyword"]) if given else dict(self.world["lottery"])
        row = self.by_link.get(given["link_id"])
        if row is None:
            raise ToolError("not_found")
        if tool == "get_stock":
            return {
                "link_id": row["link_id"],
                "stock": sum(row["variants"].values()),
                "variants": dict(row["variants"]),
            }
        if tool == "get_size_advice":
            return self._size(row, given["height_cm"], given["weight_kg"])
        return {key: row[key] for key in FIELDS[tool]}

    def _size(self, row: Row, height: int, weight: int) -> dict[str, Any]:
        table = row["size_table"]
        fits = (name for name, tallest, heaviest in table if height <= tallest and weight <= heaviest)
        size = next(fits, table[-1][0] if table else self.one_size)
        text = " ".join(f"{name}:{tallest}/{heaviest}" for name, tallest, heaviest in table)
        return {"link_id": row["link_id"], "size": size, "table": text}


class FaultyTools:
    """The environment of one episode: the tools, and the task's faults on the way to them."""

    def __init__(self, tools: Tools, faults: Mapping[str, str]) -> None:
        self._tools, self._faults = tools, dict(faults)

    def call(self, tool: str, arguments: Arguments) -> Any:
        """A tool's output, or half of its text where the fault is `malformed`. Raises `ToolError`."""
        fault = self._faults.get(tool)
        if fault in PASSING:
            del self._faults[tool]
        if fault == "permission_denied":
            raise ToolError("permission_denied")
        if fault == "timeout":
            raise ToolError("timeout")
        output = self._tools.call(tool, arguments)
        if fault == "malformed":
            text = json.dumps(output, ensure_ascii=False)
            return text[: len(text) // 2]
        return output


def check(tool: str, arguments: Arguments) -> Arguments:
    """The arguments with whole numbers as integers. Raises `ToolError("invalid_arguments")`, naming what is wrong."""
    names = PARAMETERS[tool]
    if wrong := sorted(set(arguments) ^ set(names)):
        raise ToolError("invalid_arguments", f"{', '.join(wrong)}: {tool} takes {', '.join(names) or 'nothing'}")
    return {name: _text(arguments[name]) if name == "keyword" else _whole(name, arguments[name]) for name in names}


def _whole(name: str, value: Any) -> int:
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1:
        return int(value)
    raise ToolError("invalid_arguments", f"{name} {value!r} is no whole number")


def _text(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    raise ToolError("invalid_arguments", f"keyword {value!r} is no text")


def _search(world: Mapping[str, Any], keyword: str) -> dict[str, Any]:
    word = keyword.lower()
    found = [row for row in world["products"] if word in row["title"].lower() or row["keyword"].lower() in word]
    return {"link_ids": [row["link_id"] for row in found], "titles": [row["title"] for row in found]}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


_WHOLE, _NUMBER, _STRING = {"type": "integer"}, {"type": "number"}, {"type": "string"}
_TYPES: Callable[[str], dict[str, Any]] = {
    "price": _NUMBER, "original_price": _NUMBER, "promotion_price": _NUMBER, "coupon_amount": _NUMBER,
    "coupon_threshold": _NUMBER, "link_id": _WHOLE, "weight_g": _WHOLE, "days": _WHOLE, "return_days": _WHOLE,
    "warranty_months": _WHOLE, "freight_insurance": {"type": "boolean"},
}.get  # type: ignore[assignment]  # fmt: skip
OUTPUT_SCHEMAS: dict[str, dict[str, Any]] = {
    tool: _object(**{key: _TYPES(key) or _STRING for key in keys}) for tool, keys in FIELDS.items()
} | {
    "get_stock": _object(link_id=_WHOLE, stock=_WHOLE, variants={"type": "object", "additionalProperties": _WHOLE}),
    "get_size_advice": _object(link_id=_WHOLE, size=_STRING, table=_STRING),
    "search_products": _object(link_ids={"type": "array", "items": _WHOLE}, titles={"type": "array", "items": _STRING}),
    "get_lottery": _object(time=_STRING, prize=_STRING),
}
"""Canonical tool to the JSON Schema of its output."""
