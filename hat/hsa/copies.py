"""Fast changed copies of frozen parts: no validation, and nothing that was computed from the old fields.

For code that makes sure itself that a change is of its field's type; the laws in tests/hsa hold every operator to it.
"""

from functools import cache
from typing import TypeVar

from hat.harness import Frozen

Part = TypeVar("Part", bound=Frozen)

_set = object.__setattr__


def replace(part: Part, **changes: object) -> Part:
    """A copy of `part` with `changes`, three times as fast as `model_copy`. All fields of the copy count as set."""
    kind = part.__class__
    names = _fields(kind)
    fields = {**part.__dict__, **changes}
    if len(fields) != len(names):
        fields = {name: fields[name] for name in names}
    new = kind.__new__(kind)
    _set(new, "__dict__", fields)
    _set(new, "__pydantic_fields_set__", names)
    _set(new, "__pydantic_extra__", None)
    _set(new, "__pydantic_private__", None)
    return new


@cache
def _fields(kind: type[Frozen]) -> set[str]:
    return set(kind.model_fields)
