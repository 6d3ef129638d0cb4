"""Identity is content: the sha256 digest of a harness and of its parts.

A part's digest covers its canonical JSON (keys sorted, no white space, UTF-8; bytes as base16). A harness's digest
covers the length-framed digests of its parts in canonical order (kind, name) and of its manifest, so neither the order
of keys nor of files matters, while the orders that act (of sections, skills, hooks and tools) do, through the manifest.
"""

import hashlib
import json
from functools import cache
from typing import Any

from hat.harness.model import Harness, Part

CACHE = "_digest"
"""Where a digest is kept in the object's own dictionary; `Frozen.model_copy` leaves it behind."""


MANIFEST = tuple(name for name in Harness.model_fields if name not in ("skills", "hooks", "sections", "tools"))


def part_digest(kind: str, part: Part) -> str:
    """Digest of one part, `sha256:<64 hex>`; `kind` is skill, hook, section or tool."""
    found: str | None = part.__dict__.get(CACHE)
    if found is None:
        found = part.__dict__[CACHE] = _sha256(_frame(kind.encode(), _canonical(part)))
    return found


def digest(harness: Harness) -> str:
    """Digest of a whole harness, `sha256:<64 hex>`; a part shared with another harness is hashed once."""
    found: str | None = harness.__dict__.get(CACHE)
    if found is None:
        found = harness.__dict__[CACHE] = _digest(harness)
    return found


def _digest(harness: Harness) -> str:
    groups: dict[str, tuple[Part, ...]] = {
        "skill": harness.skills,
        "hook": harness.hooks,
        "section": harness.sections,
        "tool": harness.tools,
    }
    parts = sorted((kind, part.name, part_digest(kind, part)) for kind, group in groups.items() for part in group)
    manifest = {name: getattr(harness, name) for name in MANIFEST}
    manifest |= {f"{kind}s": [part.name for part in group] for kind, group in groups.items() if kind != "section"}
    frames = [_canonical(manifest), *(b"\0".join(field.encode() for field in part) for part in parts)]
    return _sha256(_frame(*frames))


def _plain(value: Any) -> Any:
    """A model as the fields that are not as by default, bytes as base16."""
    if isinstance(value, bytes):
        return value.hex()
    model: Any = type(value)
    fields = value.__dict__
    return {name: fields[name] for name, default in _defaults(model) if fields[name] != default}


@cache
def _defaults(model: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((name, info.get_default(call_default_factory=True)) for name, info in model.model_fields.items())


_encode = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain
).encode


def _canonical(data: Any) -> bytes:
    return _encode(data).encode()


def _frame(*chunks: bytes) -> bytes:
    return b"".join(len(chunk).to_bytes(8, "big") + chunk for chunk in chunks)


def _sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()
