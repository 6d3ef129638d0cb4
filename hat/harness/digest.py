"""Identity is content: the sha256 digest of a harness and of its parts.

A part's digest covers its canonical JSON (keys sorted, no white space, UTF-8; bytes as base16). A harness's digest covers
the length-framed digests of its parts in canonical order (kind, name) and of its manifest, so neither the order of keys nor
of files matters, while the order that a model sees (sections, skills, tools) does, through the manifest.
"""

import hashlib
import json
from typing import Any

from hat.harness.model import Frozen, Harness, Skill


def part_digest(kind: str, part: Frozen) -> str:
    """Digest of one part, `sha256:<64 hex>`; `kind` is skill, hook, section or tool."""
    data = part.model_dump(mode="python", exclude_defaults=True)
    if isinstance(part, Skill) and part.resources:
        data["resources"] = {path: content.hex() for path, content in part.resources.items()}
    return _sha256(_frame(kind.encode(), _canonical(data)))


def digest(harness: Harness) -> str:
    """Digest of a whole harness, `sha256:<64 hex>`."""
    groups = {"skill": harness.skills, "hook": harness.hooks, "section": harness.sections, "tool": harness.tools}
    parts = sorted((kind, part.name, part_digest(kind, part)) for kind, group in groups.items() for part in group)
    manifest = harness.model_dump(exclude={"skills", "hooks", "sections", "tools"})
    manifest |= {"skills": [s.name for s in harness.skills], "tools": [t.name for t in harness.tools]}
    frames = [_canonical(manifest), *(b"\0".join(field.encode() for field in part) for part in parts)]
    return _sha256(_frame(*frames))


def _canonical(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _frame(*chunks: bytes) -> bytes:
    return b"".join(len(chunk).to_bytes(8, "big") + chunk for chunk in chunks)


def _sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()
