"""Files read into parts, with every finding on the way: the step that loading and validation share."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hat.harness import layout
from hat.harness.documents import Document, DocumentError, parse_front_matter, parse_json, parse_yaml
from hat.harness.documents import Path as Loc
from hat.harness.findings import Finding
from hat.harness.model import Hook, PromptSection, Skill, Tool
from hat.harness.text import decode
from hat.harness.tree import list_files

F = TypeVar("F", bound=BaseModel)
ASIDE = re.compile(r"(README|LICENSE|NOTICE|CHANGELOG)(\.[\w.-]+)?")
"""Files at the root that are for people and no part."""


@dataclass
class Source:
    """One file of a harness: where a part's findings point."""

    file: str
    document: Document

    def at(self, path: Loc, code: str, message: str) -> Finding:
        """A finding at the line of a value."""
        return Finding(self.file, self.document.line(path), code, message)

    def in_body(self, text: str, code: str, message: str) -> Finding:
        """A finding at the line where `text` first stands in the body."""
        return Finding(self.file, self.document.body_at(text), code, message)


@dataclass
class Reading:
    """What a folder holds: parts by file name (`parts[kind][name]`), their sources, and what is wrong so far."""

    findings: list[Finding] = field(default_factory=list)
    manifest: layout.ManifestFile | None = None
    manifest_source: Source = field(default_factory=lambda: Source("harness.yaml", Document({})))
    skills: dict[str, Skill] = field(default_factory=dict)
    hooks: dict[str, Hook] = field(default_factory=dict)
    sections: dict[str, PromptSection] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    sources: dict[str, dict[str, Source]] = field(
        default_factory=lambda: {"skills": {}, "hooks": {}, "prompts": {}, "tools": {}}
    )
    """By folder and name; a name is here even if its file could not be read into a part."""
    resources: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Other files of each skill's folder."""


def read_dir(root: Path) -> Reading:
    """Read a harness's folder. Never raises for its content."""
    if not root.is_dir():
        return Reading([Finding(".", 1, "not_found", f"no folder {root}: name a harness's folder")])
    findings: list[Finding] = []
    files = {name: path.read_bytes() for name, path in list_files(root, findings).items()}
    return read_files(files, findings)


def read_files(files: Mapping[str, bytes], findings: Iterable[Finding] = ()) -> Reading:
    """Read a harness from its files' contents by relative path, findings met so far given. Never raises for content."""
    reading = Reading(list(findings))
    if "harness.yaml" not in files:
        message = "missing: a harness's folder has a harness.yaml (`hat harness new` writes one)"
        reading.findings.append(Finding("harness.yaml", 1, "missing_file", message))
    for name in sorted(files):
        if match := re.fullmatch(r"skills/([^/]+)/(.+)", name):
            kept = reading.resources.setdefault(match[1], {})
            if match[2] != "SKILL.md":
                kept[match[2]] = files[name]
    for name in sorted(files):
        _read_file(reading, name, files[name])
    for folder in reading.resources:
        if (name := f"skills/{folder}/SKILL.md") not in files:
            message = f"missing: the folder skills/{folder} needs a SKILL.md"
            reading.findings.append(Finding(name, 1, "missing_file", message))
    return reading


def _read_file(reading: Reading, file: str, data: bytes) -> None:
    if file == "harness.yaml":
        source = _source(reading, file, data, parse_yaml)
        if source:
            reading.manifest_source = source
            reading.manifest = _typed(reading, source, layout.ManifestFile)
        return
    for pattern, read in READERS.items():
        if match := re.fullmatch(pattern, file):
            read(reading, match[1], file, data)
            return
    if not re.fullmatch(r"skills/[^/]+/.+", file) and not ASIDE.fullmatch(file):
        message = "no part of a harness: parts are skills/*/SKILL.md, prompts/*.md, hooks/*.yaml, tools/*.json"
        reading.findings.append(Finding(file, 1, "unexpected_file", message))


def _read_skill(reading: Reading, name: str, file: str, data: bytes) -> None:
    source = _part_source(reading, "skills", name, file, data, lambda text: parse_front_matter(text, required=True))
    front = source and _typed(reading, source, layout.SkillFront)
    if source and front:
        reading.skills[name] = layout.to_skill(front, source.document, reading.resources[name])


def _read_section(reading: Reading, name: str, file: str, data: bytes) -> None:
    source = _part_source(reading, "prompts", name, file, data, lambda text: parse_front_matter(text, required=False))
    front = source and _typed(reading, source, layout.SectionFront)
    if source and front:
        reading.sections[name] = layout.to_section(name, front, source.document)


def _read_hook(reading: Reading, name: str, file: str, data: bytes) -> None:
    source = _part_source(reading, "hooks", name, file, data, parse_yaml)
    hook = source and _typed(reading, source, layout.HookFile)
    if hook:
        reading.hooks[name] = layout.to_hook(name, hook)


def _read_tool(reading: Reading, name: str, file: str, data: bytes) -> None:
    source = _part_source(reading, "tools", name, file, data, parse_json)
    tool = source and _typed(reading, source, layout.ToolFile)
    if tool:
        reading.tools[name] = layout.to_tool(tool)


READERS: dict[str, Callable[[Reading, str, str, bytes], None]] = {
    r"skills/([^/]+)/SKILL\.md": _read_skill,
    r"prompts/([^/]+)\.md": _read_section,
    r"hooks/([^/]+)\.ya?ml": _read_hook,
    r"tools/([^/]+)\.json": _read_tool,
}


def _part_source(
    reading: Reading, folder: str, name: str, file: str, data: bytes, parse: Callable[[str], Document]
) -> Source | None:
    if name in reading.sources[folder]:
        other = reading.sources[folder][name].file
        reading.findings.append(Finding(file, 1, "duplicate_name", f"{other} has the same name: keep one"))
        return None
    reading.sources[folder][name] = Source(file, Document({}))
    source = _source(reading, file, data, parse)
    if source:
        reading.sources[folder][name] = source
    return source


def _source(reading: Reading, file: str, data: bytes, parse: Callable[[str], Document]) -> Source | None:
    try:
        return Source(file, parse(decode(data)))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is no UTF-8: save the file as UTF-8"
        reading.findings.append(Finding(file, line, "bad_encoding", message))
    except DocumentError as error:
        reading.findings.append(Finding(file, error.line, error.code, error.message))
    return None


def _typed(reading: Reading, source: Source, model: type[F]) -> F | None:
    """The document as `model`, or None; what does not fit becomes findings, unknown keys alone don't stop the part."""
    data = source.document.data
    if not isinstance(data, dict):
        reading.findings.append(source.at((), "bad_value", f"must be a mapping of keys to values, not {data!r}"))
        return None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False)
    unknown = [problem["loc"] for problem in problems if problem["type"] == "extra_forbidden"]
    reading.findings += [_finding(source, model, problem) for problem in problems]
    if len(unknown) < len(problems):
        return None
    return model.model_validate(_without(data, unknown))


def _finding(source: Source, model: type[BaseModel], problem: Any) -> Finding:
    loc = tuple(part for part in problem["loc"] if part != "[key]")
    name = ".".join(map(str, loc))
    kind, value = problem["type"], problem["input"]
    if kind == "extra_forbidden":
        known = ", ".join(sorted(info.alias or key for key, info in model.model_fields.items()))
        hint = f"remove it or use one of {known}" if len(loc) == 1 else "remove it"
        return source.at(loc, "unknown_key", f"unknown key {name!r}: {hint}")
    if kind == "missing":
        return source.at(loc, "missing_key", f"key {name!r} is missing: add it")
    if kind == "string_too_long":
        limit = problem["ctx"]["max_length"]
        return source.at(loc, "too_long", f"{name} has {len(value)} characters, at most {limit}: shorten it")
    code = "unknown_event" if loc == ("event",) else "bad_value"
    said = problem["msg"].replace("Input should", "should").replace("String should", "should")
    return source.at(loc, code, f"{name} is {value!r}: {said}")


def _without(data: dict[str, Any], paths: list[tuple[int | str, ...]]) -> dict[str, Any]:
    """A copy of `data` without the keys at `paths`."""
    heads = {path[0] for path in paths if len(path) == 1}
    copied = {key: value for key, value in data.items() if key not in heads}
    for key, value in copied.items():
        inner = [path[1:] for path in paths if len(path) > 1 and path[0] == key]
        if inner and isinstance(value, dict):
            copied[key] = _without(value, inner)
    return copied
