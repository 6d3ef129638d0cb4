"""The kinds of change, as data that goes to JSON and back."""

from typing import Annotated, Any, Literal

from pydantic import Field

from hat.harness.model import Frozen, Limit


class Span(Frozen):
    """A run of words that stayed, went or came."""

    op: Literal["equal", "delete", "insert"]
    text: str


class ValueChange(Frozen):
    """A value replaced; None where there was or is none."""

    type: Literal["value"] = "value"
    field: str
    before: Any = None
    after: Any = None


class ProseChange(Frozen):
    """Text edited, by word; Chinese by character."""

    type: Literal["prose"] = "prose"
    field: str
    spans: tuple[Span, ...]


class LimitChange(Frozen):
    """A number of the prompt; None where there was or is none."""

    type: Literal["limit"] = "limit"
    field: str
    before: Limit | None = None
    after: Limit | None = None


class SchemaChange(Frozen):
    """A tool's schema edited."""

    type: Literal["schema"] = "schema"
    field: Literal["input_schema", "output_schema"]
    compatible: bool
    """Input: every call valid before is valid after. Output: every result valid after was valid before."""
    reasons: tuple[str, ...]
    """What changed, and why a call may fail."""


FieldChange = Annotated[ValueChange | ProseChange | LimitChange | SchemaChange, Field(discriminator="type")]


class PartChange(Frozen):
    """One part added, removed, renamed or changed."""

    kind: Literal["skill", "hook", "section", "tool"]
    name: str
    """As in the harness that has it; the new one if both do."""
    change: Literal["added", "removed", "renamed", "changed"]
    before_name: str | None = None
    """Of a renamed part."""
    fields: tuple[FieldChange, ...] = ()
    """What else is not as it was."""


class HarnessDiff(Frozen):
    """All changes from one harness to another."""

    before: str
    """Digest."""
    after: str
    """Digest."""
    manifest: tuple[ValueChange, ...] = ()
    """Name, locale, turns and retries, and the orders of parts that both have."""
    parts: tuple[PartChange, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the harnesses are one and the same."""
        return not (self.manifest or self.parts)

    @property
    def compatible(self) -> bool:
        """Whether every tool call that was valid still is: no tool gone or renamed, no schema narrowed."""
        tools = [part for part in self.parts if part.kind == "tool"]
        schemas = [field for part in tools for field in part.fields if isinstance(field, SchemaChange)]
        gone = any(part.change in ("removed", "renamed") for part in tools)
        return not gone and all(schema.compatible for schema in schemas if schema.field == "input_schema")
