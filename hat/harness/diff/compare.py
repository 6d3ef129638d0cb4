"""The comparison: parts are paired by name, then by same content, then by what they stand for in the domain."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeVar

from hat.harness.diff.changes import FieldChange, HarnessDiff, LimitChange, PartChange, ProseChange, ValueChange
from hat.harness.diff.schemas import input_change, output_change
from hat.harness.diff.words import word_diff
from hat.harness.digest import digest
from hat.harness.model import Harness, Hook, Limit, Part, PromptSection, Skill, Tool
from hat.harness.schema import canonical_schema

P = TypeVar("P", Skill, Hook, PromptSection, Tool)
Kind = Literal["skill", "hook", "section", "tool"]


def diff(before: Harness, after: Harness) -> HarnessDiff:
    """All changes from `before` to `after`; empty if and only if their digests are equal."""
    parts = [
        *_parts("skill", before.skills, after.skills, _skill_fields),
        *_parts("section", before.sections, after.sections, _section_fields),
        *_parts("hook", before.hooks, after.hooks, _hook_fields),
        *_parts("tool", before.tools, after.tools, _tool_fields),
    ]
    manifest = tuple(_manifest(before, after, parts))
    return HarnessDiff(before=digest(before), after=digest(after), manifest=manifest, parts=tuple(parts))


def part_name(part: Part) -> str:
    """The name by which a harness knows a part: what the model sees, for skills and tools."""
    return part.alias if isinstance(part, Skill) else part.name


def _parts(
    kind: Kind, before: Sequence[P], after: Sequence[P], fields: Callable[[P, P], Iterator[FieldChange]]
) -> Iterator[PartChange]:
    old, new = {part_name(part): part for part in before}, {part_name(part): part for part in after}
    pairs = _pairs(old, new)
    for name, part in new.items():
        source = pairs.get(name)
        if source is None:
            yield PartChange(kind=kind, name=name, change="added")
            continue
        changed = tuple(fields(old[source], part))
        if source != name:
            yield PartChange(kind=kind, name=name, change="renamed", before_name=source, fields=changed)
        elif changed:
            yield PartChange(kind=kind, name=name, change="changed", fields=changed)
    kept = set(pairs.values())
    yield from (PartChange(kind=kind, name=name, change="removed") for name in old if name not in kept)


def _pairs(old: dict[str, P], new: dict[str, P]) -> dict[str, str]:
    """New name to old name of the parts that both have."""
    pairs = {name: name for name in new if name in old}
    for key in (_content, _stands_for):
        left = {name: key(part) for name, part in old.items() if name not in pairs.values()}
        come = {name: key(part) for name, part in new.items() if name not in pairs}
        for name, value in come.items():
            alike = [other for other, content in left.items() if content == value and value is not None]
            if len(alike) == 1 and Counter(map(repr, come.values()))[repr(value)] == 1:
                pairs[name] = alike[0]
    return pairs


def _content(part: Part) -> dict[str, Any]:
    """A part without its names."""
    data = part.model_dump(exclude={"name", "binding"})
    if isinstance(part, Skill):
        data["metadata"] = {key: value for key, value in part.metadata.items() if key not in ("alias", "duties")}
    return data


def _stands_for(part: Part) -> Any:
    """What a part is in the domain, if it says so."""
    if isinstance(part, Tool):
        bound = part.bound
        return (bound.tool, bound.fields, bound.fixed)
    return part.duties if isinstance(part, Skill) else None


def _skill_fields(old: Skill, new: Skill) -> Iterator[FieldChange]:
    renamed = old.alias != new.alias
    if not renamed:
        yield from _values({"name": old.name}, {"name": new.name})
    yield from _prose("description", old.description, new.description)
    yield from _prose("body", old.body, new.body)
    keys = ("license", "compatibility", "allowed_tools")
    yield from _values({key: getattr(old, key) for key in keys}, {key: getattr(new, key) for key in keys})
    yield from _values(_metadata(old, renamed), _metadata(new, renamed), "metadata.")
    yield from _values(_fingerprints(old), _fingerprints(new), "resources.")


def _metadata(skill: Skill, renamed: bool) -> dict[str, str]:
    """The string map; of a renamed skill without the alias, and with the duties that follow from it made explicit."""
    if not renamed:
        return dict(skill.metadata)
    return {"duties": skill.alias} | {key: value for key, value in skill.metadata.items() if key != "alias"}


def _fingerprints(skill: Skill) -> dict[str, str]:
    return {path: f"sha256:{hashlib.sha256(data).hexdigest()}" for path, data in skill.resources.items()}


def _section_fields(old: PromptSection, new: PromptSection) -> Iterator[FieldChange]:
    for name in dict.fromkeys([*old.limits, *new.limits]):
        before: Limit | None = old.limits.get(name)
        after: Limit | None = new.limits.get(name)
        if before != after:
            yield LimitChange(field=name, before=before, after=after)
    yield from _prose("body", old.body, new.body)
    yield from _values(dict(old.rules), dict(new.rules), "rules.")


def _hook_fields(old: Hook, new: Hook) -> Iterator[FieldChange]:
    plain = {"name", "message"}
    yield from _values(old.model_dump(exclude=plain), new.model_dump(exclude=plain))
    yield from _prose("message", old.message, new.message)


def _tool_fields(old: Tool, new: Tool) -> Iterator[FieldChange]:
    yield from _prose("description", old.description, new.description)
    before, after = canonical_schema(old.input_schema), canonical_schema(new.input_schema)
    if json.dumps(before) != json.dumps(after):
        yield input_change(before, after)
    before, after = canonical_schema(old.output_schema), canonical_schema(new.output_schema)
    if json.dumps(before) != json.dumps(after):
        yield output_change(before, after)
    yield from _values({"binding": old.binding}, {"binding": new.binding})


def _manifest(before: Harness, after: Harness, parts: list[PartChange]) -> Iterator[ValueChange]:
    keys = ("name", "locale", "max_turns", "max_retries", "order")
    yield from _values({key: getattr(before, key) for key in keys}, {key: getattr(after, key) for key in keys})
    for kind in ("skill", "hook", "tool"):
        was = {part.before_name: part.name for part in parts if part.kind == kind and part.before_name}
        old = [was.get(part_name(part), part_name(part)) for part in getattr(before, f"{kind}s")]
        new = [part_name(part) for part in getattr(after, f"{kind}s")]
        both = set(old) & set(new)
        old, new = [name for name in old if name in both], [name for name in new if name in both]
        if old != new:
            yield ValueChange(field=f"order of {kind}s", before=old, after=new)


def _values(old: dict[str, Any], new: dict[str, Any], prefix: str = "") -> Iterator[ValueChange]:
    for key in dict.fromkeys([*old, *new]):
        before, after = _plain(old.get(key)), _plain(new.get(key))
        if before != after:
            yield ValueChange(field=prefix + key, before=before, after=after)


def _plain(value: Any) -> Any:
    """As JSON has it, so that a difference read back equals the one written."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_defaults=True)
    return list(value) if isinstance(value, tuple) else value


def _prose(field: str, old: str, new: str) -> Iterator[ProseChange]:
    if old != new:
        yield ProseChange(field=field, spans=word_diff(old, new))
