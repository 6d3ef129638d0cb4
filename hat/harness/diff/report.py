"""A difference as text for a terminal, a commit message or a review."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from hat.harness.diff.changes import (
    FieldChange,
    HarnessDiff,
    LimitChange,
    PartChange,
    ProseChange,
    SchemaChange,
    Span,
    ValueChange,
)
from hat.harness.model import Limit

SIGNS = {"added": "+", "removed": "-", "renamed": ">", "changed": "~"}
MOVES = 2
"""With more parts moved than these, the new order says it better."""
AROUND = 16
"""Characters of unchanged text shown beside a change."""


def render_text(difference: HarnessDiff) -> str:
    """A line for every part that changed, with what changed in it below; words as [-gone-] and {+new+}."""
    if difference.empty:
        return f"no difference: both are {difference.after}"
    lines = [f"{difference.before[:19]} → {difference.after[:19]}"]
    if difference.manifest:
        lines += ["~ harness.yaml", *(f"    {_field(change)}" for change in difference.manifest)]
    for part in difference.parts:
        lines += [_head(part), *(f"    {_field(change)}" for change in part.fields)]
    return "\n".join([*lines, *_summary(difference)])


def _head(part: PartChange) -> str:
    if part.change != "renamed":
        return f"{SIGNS[part.change]} {part.kind} {part.name}"
    same = "" if any(not isinstance(field, ValueChange) for field in part.fields) else " (same content)"
    return f"> {part.kind} {part.before_name} → {part.name}{same}"


def _field(change: FieldChange) -> str:
    match change:
        case ValueChange() if change.field.startswith("order") and _moved(change):
            return f"{change.field}: {_moved(change)}"
        case ValueChange():
            return f"{change.field}: {_shown(change.before)} → {_shown(change.after)}"
        case ProseChange():
            return f"{change.field}: {_prose(change.spans)}"
        case LimitChange():
            return f"limit {change.field}: {_limit(change.before)} → {_limit(change.after)}"
        case SchemaChange():
            return f"{change.field} ({_verdict(change)}): {'; '.join(change.reasons)}"


def _moved(change: ValueChange) -> str:
    """What changed places in an order of the same names; empty if the names differ too."""
    before, after = change.before or [], change.after or []
    if sorted(before) != sorted(after):
        return ""
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    stayed = {name for block in blocks for name in before[block.a : block.a + block.size]}
    moved = [name for name in after if name not in stayed]
    if len(moved) > MOVES:
        return f"now {_shown(after)}"
    return ", ".join(f"{name} from place {before.index(name) + 1} to {after.index(name) + 1}" for name in moved)


def _shown(value: object) -> str:
    return "none" if value is None else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _limit(limit: Limit | None) -> str:
    return "none" if limit is None else f"{limit.value}{limit.unit} ({limit.min} to {limit.max})"


def _verdict(change: SchemaChange) -> str:
    if change.field == "output_schema":
        return "results stay as promised" if change.compatible else "results may not be as promised before"
    return "calls stay valid" if change.compatible else "a call valid before may fail"


def _prose(spans: tuple[Span, ...]) -> str:
    last = len(spans) - 1
    return "".join(_span(span, at == 0, at == last) for at, span in enumerate(spans)).replace("\n", "⏎")


def _span(span: Span, first: bool, last: bool) -> str:
    if span.op != "equal":
        return f"[-{span.text}-]" if span.op == "delete" else f"{{+{span.text}+}}"
    text = span.text
    if len(text) <= 2 * AROUND:
        return text
    head = "" if first else text[:AROUND]
    tail = "" if last else text[-AROUND:]
    return f"{head}…{tail}"


def _summary(difference: HarnessDiff) -> Iterator[str]:
    if not difference.compatible:
        yield "! tool calls made before may not be valid now"
