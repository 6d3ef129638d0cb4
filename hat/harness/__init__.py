"""A harness as pure data: model, digest, files on disk, validation, rendering, diff."""

from hat.harness.digest import digest, part_digest
from hat.harness.model import (
    LOAD_SKILL,
    Binding,
    Event,
    Frozen,
    Harness,
    Hook,
    Limit,
    PromptSection,
    Skill,
    Tool,
)
from hat.harness.render import render_system, tool_schemas

__all__ = [
    "LOAD_SKILL",
    "Binding",
    "Event",
    "Frozen",
    "Harness",
    "Hook",
    "Limit",
    "PromptSection",
    "Skill",
    "Tool",
    "digest",
    "part_digest",
    "render_system",
    "tool_schemas",
]
