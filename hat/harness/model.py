"""What a harness is: four kinds of parts, frozen and comparable, as pure data.

A harness on disk is read by `hat.harness.files`, checked by `hat.harness.validate`; nothing here touches a file.
Two names matter. *Names the model sees* (`Skill.alias`, `Tool.name`, parameter names) may be changed by an author or by
augmentation. *Canonical names* (`Skill.duties`, `Binding.tool`, `Binding.params`) say what they stand for in a domain,
so that a call made under any harness maps back to the same act.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from hat.harness.schema import canonical_schema

Event = Literal["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop"]
"""Moments at which a hook may look and block."""

LOAD_SKILL = "load_skill"
"""The one tool that every harness has: it discloses a skill's body."""


class Frozen(BaseModel):
    """Base of all data classes: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced, unchecked; what was computed from the old fields stays behind."""
        copied = super().model_copy(update=update, deep=deep)
        fields = type(self).model_fields
        if len(copied.__dict__) > len(fields):
            for name in copied.__dict__.keys() - fields.keys():
                del copied.__dict__[name]
        return copied


class Skill(Frozen):
    """One SKILL.md in the Agent Skills format."""

    name: str
    """The specification's name: lower case, digits, hyphens."""
    description: str
    """What it is for; all that the model sees before loading it."""
    body: str
    """Markdown disclosed by `load_skill`."""
    license: str | None = None
    compatibility: str | None = None
    metadata: dict[str, str] = Field(default_factory=dict)
    """String map. Keys with a meaning here: alias, kind (reply | strategy), duties (space-separated canonical names),
    opening and closing (phrases that a reply under this skill must begin and end with; the body must state them)."""
    allowed_tools: tuple[str, ...] = ()
    """Names, as in this harness, of the tools the skill may call."""
    resources: dict[str, bytes] = Field(default_factory=dict)
    """Other files of the skill's folder: relative path to bytes."""

    @property
    def alias(self) -> str:
        """The name that the model sees and loads."""
        return self.metadata.get("alias", self.name)

    @property
    def kind(self) -> str:
        """`reply` (one must be loaded before the final reply) or `strategy`."""
        return self.metadata.get("kind", "reply")

    @property
    def duties(self) -> tuple[str, ...]:
        """Canonical skills that this one serves; its own alias unless it says otherwise."""
        return tuple(self.metadata.get("duties", self.alias).split())

    @property
    def rules(self) -> dict[str, str]:
        """The checkable phrases of this skill: opening, closing."""
        return {key: self.metadata[key] for key in ("opening", "closing") if key in self.metadata}


class Limit(Frozen):
    """A typed number in a prompt section, written `{name}` in the section's text."""

    value: int
    min: int
    max: int
    unit: str = ""


class PromptSection(Frozen):
    """One block of the system prompt."""

    name: str
    body: str
    limits: dict[str, Limit] = Field(default_factory=dict)
    """Numbers of this section by name; names are unique in a harness."""
    rules: dict[str, str] = Field(default_factory=dict)
    """Phrases (opening, closing) that a reply must keep unless the loaded skill has its own; the body states them."""

    @property
    def text(self) -> str:
        """The body with its numbers filled in."""
        text = self.body
        for name, limit in self.limits.items():
            text = text.replace("{" + name + "}", str(limit.value))
        return text


class Hook(Frozen):
    """A check at one event; when it blocks, its message goes back to the model."""

    name: str
    event: Event
    matcher: str = ""
    """Regular expression on the tool's name as the model sees it (tool events only); empty matches all."""
    kind: Literal["cel", "command", "http"] = "cel"
    when: str | None = None
    """CEL expression over the event's payload; true blocks."""
    command: tuple[str, ...] | None = None
    """Program and arguments; payload as JSON on stdin, exit code 2 blocks, stderr is the message."""
    url: str | None = None
    """Receives the payload by POST; answers {"decision": "block" | "allow", "reason": str}."""
    message: str = ""
    """What the model is told when blocked; `{key}` takes a value of the payload."""
    on_error: Literal["open", "closed"] = "closed"
    """Whether a hook that fails itself lets pass or blocks."""
    timeout: Annotated[float, Field(gt=0, le=60)] = 1.0
    """Seconds."""
    max_triggers: Annotated[int, Field(ge=1, le=8)] = 2
    """How often in one episode it may block before it is passed over (and recorded)."""
    rules: dict[str, str] = Field(default_factory=dict)
    """Phrases (opening, closing) that a reply must keep where neither a section nor the loaded skill has its own; for
    `Stop` hooks, and the message states them."""


class Binding(Frozen):
    """What a tool of this harness stands for in the domain."""

    tool: str
    """Canonical tool."""
    also: tuple[str, ...] = ()
    """Further canonical tools that take the same arguments; they are asked too, and all outputs are joined into one."""
    params: dict[str, str] = Field(default_factory=dict)
    """Parameter as the model sees it to canonical parameter; a parameter left out keeps its name."""
    fields: tuple[str, ...] | None = None
    """Keys of the canonical output that are passed on; all if None."""
    fixed: dict[str, Any] = Field(default_factory=dict)
    """Canonical arguments set by the binding, not by the model."""
    defaults: dict[str, Any] = Field(default_factory=dict)
    """Canonical arguments that hold where the model gives none."""
    dropped: tuple[str, ...] = ()
    """Parameters as the model sees them that the domain does not take; they are not passed on."""

    def canonical(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The canonical arguments of a call with the arguments `given`."""
        mapped = {self.params.get(key, key): value for key, value in given.items() if key not in self.dropped}
        return {**self.defaults, **mapped, **self.fixed}


class Tool(Frozen):
    """One MCP tool."""

    name: str
    description: str
    input_schema: dict[str, Any]
    """JSON Schema 2020-12 of an object."""
    output_schema: dict[str, Any] | None = None
    binding: Binding | None = None
    """None: the tool is the domain's tool of that name."""

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The input schema in canonical key order, as a model is shown it; not to be changed."""
        schema: dict[str, Any] = canonical_schema(self.input_schema)
        return schema

    @property
    def bound(self) -> Binding:
        """The binding, made explicit."""
        return self.binding or Binding(tool=self.name)


Part = Skill | Hook | PromptSection | Tool
"""What a harness is made of."""


class Harness(Frozen):
    """One immutable bundle of Skills, Hooks, prompt sections and tools."""

    name: str
    locale: str = "zh-CN"
    order: tuple[str, ...]
    """Prompt sections in order of rendering; the words `skills` and `tools` place the two indexes."""
    max_turns: Annotated[int, Field(ge=1, le=64)] = 8
    """Model calls in one viewer turn at most."""
    max_retries: Annotated[int, Field(ge=0, le=16)] = 2
    """Replies that hooks may send back in one viewer turn at most."""
    skills: tuple[Skill, ...]
    hooks: tuple[Hook, ...] = ()
    sections: tuple[PromptSection, ...]
    tools: tuple[Tool, ...]

    @cached_property
    def skill_by_alias(self) -> dict[str, Skill]:
        """Skills by the name that the model sees."""
        return {skill.alias: skill for skill in self.skills}

    @cached_property
    def tool_by_name(self) -> dict[str, Tool]:
        """Tools by the name that the model sees."""
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def limits(self) -> dict[str, int]:
        """All typed numbers of the prompt sections by name."""
        return {name: limit.value for section in self.sections for name, limit in section.limits.items()}

    @cached_property
    def common_rules(self) -> dict[str, str]:
        """Reply rules of every skill: those of prompt sections, in order, before those of hooks."""
        parts: tuple[PromptSection | Hook, ...] = (*self.hooks, *self.sections)
        return {key: phrase for part in parts for key, phrase in part.rules.items()}

    def skill_for(self, duty: str) -> Skill | None:
        """The skill that serves a canonical duty, or None."""
        return next((skill for skill in self.skills if duty in skill.duties), None)

    def rules_for(self, skill: Skill | None) -> dict[str, str]:
        """Phrases that a reply must keep once `skill` is loaded: the common ones unless the skill has its own."""
        return self.common_rules | (skill.rules if skill else {})
