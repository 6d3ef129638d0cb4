"""Checks of skills: the Agent Skills rules, the names that a model sees, and phrases that the body must state."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from hat.harness.checks.words import ALIAS, PHRASES, SKILL_NAME, one_line
from hat.harness.findings import Finding
from hat.harness.model import LOAD_SKILL, Skill
from hat.harness.reading import Reading, Source

MAX_BODY_LINES = 500
LINK = re.compile(r"\]\(\s*<?([^)\s>#]+)")


def check_skills(reading: Reading) -> Iterator[Finding]:
    """Findings of all skills, and of what they are together."""
    tools = {tool.name for tool in reading.tools.values()} | reading.sources["tools"].keys() | {LOAD_SKILL}
    seen: dict[str, str] = {}
    for folder, skill in reading.skills.items():
        source = reading.sources["skills"][folder]
        yield from check_skill(skill, folder, source)
        for name in skill.allowed_tools:
            if name not in tools:
                known = ", ".join(sorted(tools))
                yield source.at(
                    ("allowed-tools",), "unknown_tool", f"no tool {name!r} in this harness: there are {known}"
                )
        for kind, name in (("name", skill.name), ("alias", skill.alias)):
            other = seen.setdefault(f"{kind} {name}", folder)
            if other != folder:
                message = f"{kind} {name!r} is taken by skills/{other}: choose another"
                yield source.at(_alias_path(skill) if kind == "alias" else ("name",), "duplicate_name", message)
    kinds = [skill.kind for skill in reading.skills.values()]
    if reading.manifest and "reply" not in kinds and len(kinds) == len(reading.sources["skills"]):
        message = "no reply skill: one must be loaded before a reply, so add one with metadata.kind: reply"
        yield reading.manifest_source.at(("skills",), "no_reply_skill", message)


def check_skill(skill: Skill, folder: str, source: Source) -> Iterator[Finding]:
    """Findings of one skill by itself."""
    yield from _names(skill, folder, source)
    yield from _metadata(skill, source)
    yield from _references(skill, source)
    if not one_line(skill.description) or not skill.description:
        yield source.at(("description",), "bad_value", "description must be one line: it stands in the prompt's index")
    lines = skill.body.count("\n") + 1
    if not skill.body:
        yield source.in_body("", "empty_body", "the body is empty: say what to do")
    elif lines >= MAX_BODY_LINES:
        message = f"the body has {lines} lines, at most {MAX_BODY_LINES - 1}: move some to references/"
        yield source.in_body("", "too_long", message)


def _names(skill: Skill, folder: str, source: Source) -> Iterator[Finding]:
    if not SKILL_NAME.fullmatch(skill.name) or len(skill.name) > 64:
        message = (
            f"name {skill.name!r}: use 1-64 of a-z 0-9 and single hyphens inside (an underscore goes to metadata.alias)"
        )
        yield source.at(("name",), "bad_name", message)
    if "alias" in skill.metadata and not ALIAS.fullmatch(skill.alias):
        yield source.at(("metadata", "alias"), "bad_name", f"alias {skill.alias!r}: use 1-64 of a-z A-Z 0-9 _ -")
    if folder not in (skill.name, skill.alias):
        message = f"the folder is {folder!r}: give it the skill's name {skill.name!r} or its alias {skill.alias!r}"
        yield source.at(("name",), "folder_name", message)


def _metadata(skill: Skill, source: Source) -> Iterator[Finding]:
    if skill.kind not in ("reply", "strategy"):
        yield source.at(("metadata", "kind"), "bad_value", f"kind {skill.kind!r}: use reply or strategy")
    for duty in skill.metadata.get("duties", "x").split() or [""]:
        if not ALIAS.fullmatch(duty):
            message = f"duties: {duty!r} is no canonical skill name: use 1-64 of a-z A-Z 0-9 _ -"
            yield source.at(("metadata", "duties"), "bad_name", message)
    for key in PHRASES:
        phrase = skill.metadata.get(key)
        if phrase is not None and (not phrase.strip() or phrase not in skill.body):
            message = f"{key} {phrase!r} does not stand in the body: quote it there, so that the model is told"
            yield source.at(("metadata", key), "phrase_not_in_body", message)


def _references(skill: Skill, source: Source) -> Iterator[Finding]:
    for target in dict.fromkeys(LINK.findall(skill.body)):
        path = PurePosixPath(target)
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        if path.is_absolute() or ".." in path.parts:
            yield source.in_body(target, "bad_reference", f"link {target!r} leads out of the skill: copy the file in")
        elif len(path.parts) > 2:
            yield source.in_body(
                target, "bad_reference", f"link {target!r}: references are one level deep, as references/x.md"
            )
        elif path.as_posix() not in skill.resources:
            yield source.in_body(target, "bad_reference", f"link {target!r}: no such file in the skill's folder")
    for name in skill.resources:
        if name.count("/") > 1:
            file = str(PurePosixPath(source.file).parent / name)
            yield Finding(file, 1, "bad_reference", "resources are one level deep, as references/x.md: move it up")


def _alias_path(skill: Skill) -> tuple[str, ...]:
    return ("metadata", "alias") if "alias" in skill.metadata else ("name",)
