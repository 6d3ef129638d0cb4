"""Renaming that leaves no old name behind: tools, parameters, skills, where they are defined and in all prose.

Guarantees: only whole words change (`link_id` is not part of `current_link_id`), placeholders such as `{tool_name}`
never, CEL keeps its own vocabulary (names change in string literals and after `tool_input.`), a matcher selects the
same tools, and what a name stands for is written into bindings and duties. An English word that is also a name (`chat`)
counts as a name in English prose only where it is quoted.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hat.harness import LOAD_SKILL, Binding, Harness, Hook, PromptSection, Skill, Tool
from hat.hsa.copies import replace

Names = Mapping[str, str]
"""Old name to new name."""

_TOKEN = re.compile(r"\{?[A-Za-z0-9_-]+")
_LITERAL = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_INPUT_FIELD = re.compile(r"(?<![A-Za-z0-9_.])(tool_input\.)([A-Za-z0-9_]+)")
_NAME = re.compile(r"\w*_\w*|(?:[bdfghjklmnprstvwz][aeiou]){3,}")
"""What is no ordinary word: with an underscore, or made up of syllables."""
_QUOTES = "`\"'“「‘"
_TEXT_SUFFIXES = (".md", ".txt")


@lru_cache(maxsize=65536)
def words_in(text: str) -> frozenset[str]:
    """The words of a text that could be names."""
    return frozenset(_TOKEN.findall(text))


def mentioned(harness: Harness) -> frozenset[str]:
    """Words that occur in any prose of a harness."""
    return frozenset().union(*map(words_in, texts(harness)))


def texts(harness: Harness) -> list[str]:
    """All prose of a harness: skills and their text resources, sections, hooks, tool and parameter descriptions."""
    found = [section.body for section in harness.sections]
    for skill in harness.skills:
        found += (skill.description, skill.body)
        found += [data.decode() for path, data in skill.resources.items() if path.endswith(_TEXT_SUFFIXES)]
    for hook in harness.hooks:
        found += (hook.when or "", hook.matcher, hook.message)
    for tool in harness.tools:
        found.append(tool.description)
        found += [prop.get("description", "") for prop in _properties(tool).values()]
    return found


@lru_cache(maxsize=1024)
def binding_to(tool: str) -> Binding:
    """The plain binding to a canonical tool."""
    return Binding(tool=tool)


def bound(tool: Tool) -> Binding:
    """`tool.bound`, made once for each name."""
    return tool.binding or binding_to(tool.name)


def rename_tools(harness: Harness, names: Names, *, silent: bool = False) -> Harness:
    """`harness` with tools renamed, each bound to what it stands for. `silent`: no prose mentions any name."""
    hooks = tuple(_keep_matcher(hook, harness.tools, names) for hook in harness.hooks)
    tools = tuple(
        replace(tool, name=names[tool.name], binding=bound(tool)) if tool.name in names else tool
        for tool in harness.tools
    )
    skills = tuple(
        replace(skill, allowed_tools=tuple(names.get(tool, tool) for tool in skill.allowed_tools))
        if skill.allowed_tools
        else skill
        for skill in harness.skills
    )
    changed = replace(harness, tools=tools, skills=skills, hooks=hooks)
    return changed if silent else _rename_prose(changed, names)


def rename_params(harness: Harness, names: Names, *, silent: bool = False) -> Harness:
    """`harness` with parameters renamed in every tool, calls mapped back by the tools' bindings."""
    tools = tuple(
        tool if names.keys().isdisjoint(_properties(tool)) else _with_params(tool, names) for tool in harness.tools
    )
    changed = replace(harness, tools=tools)
    return changed if silent else _rename_prose(changed, names, params=True)


def rename_skills(harness: Harness, names: Names, *, silent: bool = False) -> Harness:
    """`harness` with skills renamed (by alias); each keeps its duties."""
    skills = tuple(
        _with_alias(skill, names[skill.alias]) if skill.alias in names else skill for skill in harness.skills
    )
    changed = replace(harness, skills=skills)
    return changed if silent else _rename_prose(changed, names)


def _with_params(tool: Tool, names: Names) -> Tool:
    binding, schema = bound(tool), dict(tool.input_schema)
    old = schema["properties"]
    schema["properties"] = {names.get(key, key): value for key, value in old.items()}
    if "required" in schema:
        schema["required"] = [names.get(key, key) for key in schema["required"]]
    dropped = tuple(names.get(key, key) for key in binding.dropped)
    canonical = {names.get(key, key): binding.params.get(key, key) for key in old}
    params = {key: value for key, value in canonical.items() if key != value}
    params = {key: value for key, value in params.items() if key not in dropped}
    return replace(tool, input_schema=schema, binding=replace(binding, params=params, dropped=dropped))


def _with_alias(skill: Skill, alias: str) -> Skill:
    metadata = {**skill.metadata, "alias": alias, "duties": " ".join(skill.duties)}
    return replace(skill, name=alias.replace("_", "-"), metadata=metadata)


def _keep_matcher(hook: Hook, tools: tuple[Tool, ...], names: Names) -> Hook:
    """The hook, matching under their new names the tools it matched under their old ones."""
    if hook.matcher in ("", "*"):
        return hook
    matched = [name for name in [*(tool.name for tool in tools), LOAD_SKILL] if re.fullmatch(hook.matcher, name)]
    if names.keys().isdisjoint(matched):
        return hook
    return replace(hook, matcher="|".join(re.escape(names.get(name, name)) for name in matched))


def _rename_prose(harness: Harness, names: Names, *, params: bool = False) -> Harness:
    if all(map(names.keys().isdisjoint, map(words_in, texts(harness)))):
        return harness
    loose = harness.locale.lower().startswith("zh")

    def prose(text: str) -> str:
        return text if names.keys().isdisjoint(words_in(text)) else _sub(text, names, loose=loose)

    return replace(
        harness,
        skills=tuple(_skill_prose(skill, prose) for skill in harness.skills),
        sections=tuple(_section_prose(section, prose) for section in harness.sections),
        hooks=tuple(_hook_prose(hook, prose, names, params=params) for hook in harness.hooks),
        tools=tuple(_tool_prose(tool, prose) for tool in harness.tools),
    )


def _sub(text: str, names: Names, *, loose: bool) -> str:
    def one(match: re.Match[str]) -> str:
        old = match[0]
        quoted = match.start() > 0 and text[match.start() - 1] in _QUOTES
        return names[old] if old in names and (loose or quoted or _NAME.fullmatch(old)) else old

    return _TOKEN.sub(one, text)


def _skill_prose(skill: Skill, prose: Any) -> Skill:
    description, body = prose(skill.description), prose(skill.body)
    if skill.resources:
        resources = {
            path: prose(data.decode()).encode() if path.endswith(_TEXT_SUFFIXES) else data
            for path, data in skill.resources.items()
        }
        skill = replace(skill, resources=resources)
    same = description is skill.description and body is skill.body
    return skill if same else replace(skill, description=description, body=body)


def _section_prose(section: PromptSection, prose: Any) -> PromptSection:
    body = prose(section.body)
    return section if body is section.body else replace(section, body=body)


def _hook_prose(hook: Hook, prose: Any, names: Names, *, params: bool) -> Hook:
    message = prose(hook.message)
    when = hook.when
    if when and not names.keys().isdisjoint(words_in(when)):
        when = _LITERAL.sub(lambda match: _literal(match[0], names), when)
        if params:
            when = _INPUT_FIELD.sub(lambda match: match[1] + names.get(match[2], match[2]), when)
    same = message is hook.message and when is hook.when
    return hook if same else replace(hook, message=message, when=when)


def _literal(text: str, names: Names) -> str:
    inner = text[1:-1]
    return text[0] + names.get(inner, _sub(inner, names, loose=False)) + text[-1]


def _tool_prose(tool: Tool, prose: Any) -> Tool:
    description = prose(tool.description)
    if description is not tool.description:
        tool = replace(tool, description=description)
    properties = _properties(tool)
    changed = {
        key: {**prop, "description": text}
        for key, prop in properties.items()
        if (old := prop.get("description")) and (text := prose(old)) is not old
    }
    if not changed:
        return tool
    return replace(tool, input_schema={**tool.input_schema, "properties": {**properties, **changed}})


def _properties(tool: Tool) -> dict[str, Any]:
    properties: dict[str, Any] = tool.input_schema.get("properties", {})
    return properties
