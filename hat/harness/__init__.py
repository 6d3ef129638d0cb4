"""A harness as pure data: model, digest, files on disk, validation, rendering, diff."""

from hat.harness.digest import digest, part_digest
from hat.harness.files import load_harness, normalized, save_harness, validate
from hat.harness.findings import Finding, HarnessError
from hat.harness.model import (
    LOAD_SKILL,
    Binding,
    Event,
    Frozen,
    Harness,
    Hook,
    Limit,
    Part,
    PromptSection,
    Skill,
    Tool,
)
from hat.harness.render import render_system, tool_schemas
from hat.harness.schema import canonical_schema
from hat.harness.validate import validate_dir

__all__ = [
    "LOAD_SKILL",
    "Binding",
    "Event",
    "Finding",
    "Frozen",
    "Harness",
    "HarnessError",
    "Hook",
    "Limit",
    "Part",
    "PromptSection",
    "Skill",
    "Tool",
    "canonical_schema",
    "digest",
    "load_harness",
    "normalized",
    "part_digest",
    "render_system",
    "save_harness",
    "tool_schemas",
    "validate",
    "validate_dir",
]
