"""Checks of tools: MCP's names, JSON Schemas that are schemas, bindings that fit."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs

from hat.harness.checks.words import ALIAS, one_line
from hat.harness.documents import Path
from hat.harness.findings import Finding
from hat.harness.model import LOAD_SKILL, Binding, Tool
from hat.harness.reading import Reading, Source

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def check_tools(reading: Reading) -> Iterator[Finding]:
    """Findings of all tools; their names are those of their files, so that none is given twice."""
    for name, tool in reading.tools.items():
        source = reading.sources["tools"][name]
        if tool.name != name:
            message = (
                f"name {tool.name!r} is not the file's: rename the file to {tool.name}.json or the tool to {name!r}"
            )
            yield source.at(("name",), "file_name", message)
            if tool.name in reading.sources["tools"]:
                message = f"name {tool.name!r} is taken by tools/{tool.name}.json: choose another"
                yield source.at(("name",), "duplicate_name", message)
        yield from check_tool(tool, source)


def check_tool(tool: Tool, source: Source) -> Iterator[Finding]:
    """Findings of one tool."""
    if not ALIAS.fullmatch(tool.name):
        yield source.at(("name",), "bad_name", f"tool name {tool.name!r}: use 1-64 of a-z A-Z 0-9 _ -")
    if tool.name == LOAD_SKILL:
        message = f"{LOAD_SKILL!r} is the tool that every harness has: choose another name"
        yield source.at(("name",), "duplicate_name", message)
    if not one_line(tool.description) or not tool.description:
        yield source.at(("description",), "bad_value", "description must be one line: it stands in the prompt's index")
    yield from _schema(tool.input_schema, ("inputSchema",), source)
    if tool.output_schema is not None:
        yield from _schema(tool.output_schema, ("outputSchema",), source)
    yield from _parameters(tool, source)
    if tool.binding is not None:
        yield from _binding(tool.binding, _properties(tool), source)


@cache
def _meta_schema() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"$ref": DIALECT})


def _schema(schema: dict[str, Any], at: Path, source: Source) -> Iterator[Finding]:
    name = at[0]
    if schema.get("$schema", DIALECT).rstrip("#") != DIALECT:
        yield source.at((*at, "$schema"), "bad_schema", f"{name}: write JSON Schema 2020-12 ({DIALECT})")
        return
    problems = {tuple(error.instance_path): error.message for error in _meta_schema().iter_errors(schema)}
    for path, message in problems.items():
        where = ".".join(map(str, (name, *path)))
        yield source.at((*at, *path), "bad_schema", f"no JSON Schema: {where}: {message}")
    if problems:
        return
    astray = [path for path, target in _references(schema, ()) if not _stands(schema, target)]
    for path in astray:
        where = ".".join(map(str, (name, *path)))
        yield source.at((*at, *path), "bad_schema", f"{where} leads nowhere in this schema: write it out under $defs")
    if schema.get("type") != "object":
        kind = schema.get("type")
        yield source.at(
            (*at, "type"), "bad_schema", f"{name}.type is {kind!r}: arguments and results are of type object"
        )
    if not astray:
        yield from _compiles(schema, at, source)


def _compiles(schema: dict[str, Any], at: Path, source: Source) -> Iterator[Finding]:
    try:
        jsonschema_rs.Draft202012Validator(schema)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        path = tuple(getattr(error, "instance_path", ()))
        where = ".".join(map(str, (*at, *path)))
        reason = str(getattr(error, "message", error)).splitlines()[0]
        yield source.at((*at, *path), "bad_schema", f"no JSON Schema: {where}: {reason}")


def _references(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("$ref", "$dynamicRef", "$id") and isinstance(item, str):
                yield (*path, key), item
            yield from _references(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _references(item, (*path, index))


def _stands(schema: Any, target: str) -> bool:
    """Whether a reference stays in the schema; plain anchors are left to the schema's compilation."""
    if not target.startswith("#/"):
        return target.startswith("#")
    for step in target[2:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(schema, list) and key.isdigit() and int(key) < len(schema):
            schema = schema[int(key)]
        elif isinstance(schema, dict) and key in schema:
            schema = schema[key]
        else:
            return False
    return True


def _properties(tool: Tool) -> dict[str, Any]:
    properties = tool.input_schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _parameters(tool: Tool, source: Source) -> Iterator[Finding]:
    properties = _properties(tool)
    for name in properties:
        if not ALIAS.fullmatch(name):
            message = f"parameter {name!r}: use 1-64 of a-z A-Z 0-9 _ -"
            yield source.at(("inputSchema", "properties", name), "bad_name", message)
    required = tool.input_schema.get("required")
    for index, name in enumerate(required if isinstance(required, list) else []):
        if name not in properties:
            message = f"required parameter {name!r} is not under properties: describe it there"
            yield source.at(("inputSchema", "required", index), "unknown_parameter", message)


def _canonical(binding: Binding, at: Path, source: Source) -> Iterator[Finding]:
    for key, name in (("tool", binding.tool), *(("also", name) for name in binding.also)):
        if not ALIAS.fullmatch(name):
            yield source.at((*at, key), "bad_name", f"canonical tool {name!r}: use 1-64 of a-z A-Z 0-9 _ -")
    if len({binding.tool, *binding.also}) <= len(binding.also):
        yield source.at((*at, "also"), "bad_binding", "also names a tool that is asked already: name each once")


def _binding(binding: Binding, properties: dict[str, Any], source: Source) -> Iterator[Finding]:
    at: Path = ("_meta", "hat/binding")
    yield from _canonical(binding, at, source)
    taken: dict[str, str] = {}
    for name in (name for name in properties if name not in binding.dropped):
        canonical = binding.params.get(name, name)
        other = taken.setdefault(canonical, name)
        if other != name:
            message = f"parameters {other!r} and {name!r} both stand for {canonical!r}: bind one elsewhere"
            yield source.at((*at, "params"), "bad_binding", message)
    yield from _beside(binding, properties, taken, source)
    for name in binding.params:
        if name not in properties:
            message = f"binding of {name!r}, which is no parameter of this tool: remove it"
            yield source.at((*at, "params", name), "bad_binding", message)
    if binding.fields is not None and len(set(binding.fields)) < max(1, len(binding.fields)):
        yield source.at((*at, "fields"), "bad_binding", "fields is empty or names one twice: name each key once")


def _beside(binding: Binding, properties: dict[str, Any], taken: dict[str, str], source: Source) -> Iterator[Finding]:
    """Arguments that are not simply passed on: dropped, defaults, fixed. `taken`: canonical parameter to parameter."""
    at: Path = ("_meta", "hat/binding")
    for index, name in enumerate(binding.dropped):
        if name not in properties or name in binding.params:
            message = f"{name!r} is dropped, but it is bound or no parameter of this tool: remove it from one"
            yield source.at((*at, "dropped", index), "bad_binding", message)
    for name in binding.defaults:
        if name not in taken:
            message = f"a default for {name!r}, for which no parameter of this tool stands: remove it"
            yield source.at((*at, "defaults", name), "bad_binding", message)
    for name in binding.fixed:
        if name in taken:
            message = f"{name!r} is fixed, and also given by the model as {taken[name]!r}: remove one"
            yield source.at((*at, "fixed", name), "bad_binding", message)
