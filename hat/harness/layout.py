"""What stands in each file of a harness on disk, as typed data, and how it becomes a part.

These models hold the shape (keys, types, lengths); what goes beyond one value is checked in `hat.harness.checks`.
"""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictStr

from hat.harness.documents import Document
from hat.harness.model import Binding, Event, Harness, Hook, Limit, PromptSection, Skill, Tool
from hat.harness.schema import canonical_schema

API_VERSION = "hat/v1"
T = TypeVar("T")
DESCRIPTION = Annotated[StrictStr, Field(min_length=1, max_length=1024)]


class File(BaseModel):
    """Base of file contents: unknown keys refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LoopLimits(File):
    """`limits` of harness.yaml."""

    max_turns: Annotated[int, Field(ge=1, le=64)] = 8
    max_retries: Annotated[int, Field(ge=0, le=16)] = 2


class ManifestFile(File):
    """harness.yaml. The lists give an order; parts that they don't name follow by name."""

    api_version: Annotated[str, Field(alias="apiVersion")]
    name: Annotated[StrictStr, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
    locale: Annotated[StrictStr, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "zh-CN"
    order: tuple[str, ...]
    limits: LoopLimits = LoopLimits()
    skills: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


class SkillFront(File):
    """Front matter of SKILL.md, as the Agent Skills specification has it."""

    name: StrictStr
    description: DESCRIPTION
    license: StrictStr | None = None
    compatibility: Annotated[StrictStr, Field(min_length=1, max_length=500)] | None = None
    metadata: dict[str, StrictStr] = {}
    allowed_tools: Annotated[StrictStr, Field(alias="allowed-tools")] = ""


class SectionFront(File):
    """Front matter of a prompt section; may be left out."""

    limits: dict[str, Limit] = {}
    rules: dict[str, StrictStr] = {}


class HookFile(File):
    """A hook; its name is the file's."""

    event: Event
    matcher: StrictStr = ""
    kind: Annotated[str, Field(pattern="^(cel|command|http)$")] = "cel"
    when: StrictStr | None = None
    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    url: StrictStr | None = None
    message: StrictStr = ""
    on_error: Annotated[str, Field(pattern="^(open|closed)$")] = "closed"
    timeout: Annotated[float, Field(gt=0, le=60)] = 1.0
    max_triggers: Annotated[int, Field(ge=1, le=8)] = 2
    rules: dict[str, StrictStr] = {}


class ToolMeta(File):
    """`_meta` of a tool: the binding, under a key of our own."""

    binding: Annotated[Binding | None, Field(alias="hat/binding")] = None


class ToolFile(File):
    """An MCP tool."""

    name: StrictStr
    description: DESCRIPTION
    input_schema: Annotated[dict[str, Any], Field(alias="inputSchema")]
    output_schema: Annotated[dict[str, Any] | None, Field(alias="outputSchema")] = None
    meta: Annotated[ToolMeta, Field(alias="_meta")] = ToolMeta()


def to_skill(front: SkillFront, document: Document, resources: dict[str, bytes]) -> Skill:
    """The skill of a SKILL.md and the other files of its folder."""
    return Skill(
        name=front.name,
        description=front.description.strip(),
        body=document.body,
        license=front.license,
        compatibility=front.compatibility,
        metadata=front.metadata,
        allowed_tools=tuple(front.allowed_tools.split()),
        resources=resources,
    )


def to_section(name: str, front: SectionFront, document: Document) -> PromptSection:
    """The prompt section of a file."""
    return PromptSection(name=name, body=document.body, limits=front.limits, rules=front.rules)


def to_hook(name: str, file: HookFile) -> Hook:
    """The hook of a file."""
    values = file.model_dump()
    return Hook.model_validate({"name": name, **values, "when": file.when and file.when.strip()})


def to_tool(file: ToolFile) -> Tool:
    """The tool of a file, its schemas in canonical order."""
    return Tool(
        name=file.name,
        description=file.description.strip(),
        input_schema=canonical_schema(file.input_schema),
        output_schema=canonical_schema(file.output_schema),
        binding=file.meta.binding,
    )


def to_harness(
    manifest: ManifestFile,
    skills: dict[str, Skill],
    hooks: dict[str, Hook],
    sections: dict[str, PromptSection],
    tools: dict[str, Tool],
) -> Harness:
    """The harness of its parts by file name, put in the manifest's order."""
    return Harness(
        name=manifest.name,
        locale=manifest.locale,
        order=manifest.order,
        max_turns=manifest.limits.max_turns,
        max_retries=manifest.limits.max_retries,
        skills=_ordered(skills, manifest.skills),
        hooks=_ordered(hooks, manifest.hooks),
        sections=_ordered(sections, manifest.order),
        tools=_ordered(tools, manifest.tools),
    )


def _ordered(parts: dict[str, T], order: tuple[str, ...]) -> tuple[T, ...]:
    first = [name for name in order if name in parts]
    return tuple(parts[name] for name in dict.fromkeys([*first, *sorted(parts)]))
