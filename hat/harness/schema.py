"""JSON Schemas in canonical key order, so that schemas equal by digest (which ignores key order) also render equally.

Keywords come in the order that people write them; parameters in the order of `required`, then by name.
"""

from typing import Any

KEYWORDS = (
    "$schema",
    "$ref",
    "type",
    "title",
    "description",
    "enum",
    "const",
    "default",
    "properties",
    "items",
    "required",
)
ORDER = {keyword: at for at, keyword in enumerate(KEYWORDS)}
MAPS = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
"""Keywords whose value maps names to schemas."""
DATA = frozenset({"enum", "const", "default", "examples"})
"""Keywords whose value is data, no schema."""


def canonical_schema(schema: Any) -> Any:
    """The same schema, keys in canonical order, at every depth."""
    if isinstance(schema, list):
        return [canonical_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    ordered: dict[str, Any] = {}
    for key in sorted(schema, key=lambda keyword: (ORDER.get(keyword, len(ORDER)), keyword)):
        value = schema[key]
        if key in MAPS and isinstance(value, dict):
            ordered[key] = {name: canonical_schema(value[name]) for name in parameter_order(schema, key)}
        else:
            ordered[key] = _canonical_data(value) if key in DATA else canonical_schema(value)
    return ordered


def parameter_order(schema: dict[str, Any], keyword: str = "properties") -> list[str]:
    """Names under `keyword`: required ones in their order, then the others by name."""
    names = schema.get(keyword) or {}
    required = schema.get("required")
    first = [name for name in required if name in names] if isinstance(required, list) else []
    return [*dict.fromkeys(first), *sorted(names.keys() - set(first))]


def _canonical_data(value: Any) -> Any:
    if isinstance(value, list):
        return [_canonical_data(item) for item in value]
    return {key: _canonical_data(value[key]) for key in sorted(value)} if isinstance(value, dict) else value
