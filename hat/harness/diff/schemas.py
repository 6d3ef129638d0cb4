"""Two JSON Schemas of a tool compared by what they admit.

The verdict is containment of the sets of admitted values; what cannot be proven counts as incompatible. Arguments are
read as a model gives them: only named parameters, unless a schema says otherwise.
"""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from hat.harness.diff.changes import SchemaChange
from hat.harness.schema import parameter_order


def input_change(before: dict[str, Any], after: dict[str, Any]) -> SchemaChange:
    """The change of an input schema: compatible if every call valid before is valid after."""
    holds = covers(_closed(after), _closed(before))
    return SchemaChange(field="input_schema", compatible=holds, reasons=tuple(_reasons(before, after, "parameter")))


def output_change(before: dict[str, Any] | None, after: dict[str, Any] | None) -> SchemaChange:
    """The change of an output schema: compatible if every result valid after was valid before."""
    old, new = before or {"type": "object"}, after or {"type": "object"}
    reasons = tuple(_reasons(old, new, "key"))
    return SchemaChange(field="output_schema", compatible=covers(old, new), reasons=reasons)


def covers(wide: Any, narrow: Any) -> bool:
    """Whether `wide` is proven to admit every value that `narrow` admits."""
    try:
        answer = jsonschema_rs.canonicalize(wide).covers(jsonschema_rs.canonicalize(narrow))
    except (ValueError, jsonschema_rs.ReferencingError, jsonschema_rs.ValidationError):
        return False
    return answer == jsonschema_rs.canonical.Containment.YES


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    return {"additionalProperties": False} | schema


def _reasons(before: dict[str, Any], after: dict[str, Any], word: str) -> Iterator[str]:
    old, new = before.get("properties", {}), after.get("properties", {})
    needed, needs = before.get("required", ()), after.get("required", ())
    for name in parameter_order(before):
        if name not in new:
            yield f"{word} {name!r} removed"
    for name in parameter_order(after):
        if name not in old:
            yield f"{word} {name!r} added, {'required' if name in needs else 'optional'}"
        else:
            yield from (f"{word} {name!r}: {text}" for text in _differences(old[name], new[name]))
            if (name in needs) != (name in needed):
                yield f"{word} {name!r} is now {'required' if name in needs else 'optional'}"
    rest = ("properties", "required")
    outer = [{key: value for key, value in schema.items() if key not in rest} for schema in (before, after)]
    yield from _differences(*outer)
    if list(needed) != list(needs) and set(needed) == set(needs):
        yield f"order of {word}s: {', '.join(needs)}"


def _differences(before: Any, after: Any) -> Iterator[str]:
    if not isinstance(before, dict) or not isinstance(after, dict):
        if before != after:
            yield f"{before} → {after}"
        return
    for key in sorted(before.keys() | after.keys()):
        if key not in after:
            yield f"{key} {before[key]!r} dropped"
        elif key not in before:
            yield f"{key} {after[key]!r} set"
        elif before[key] != after[key]:
            yield f"{key} {before[key]!r} → {after[key]!r}"
