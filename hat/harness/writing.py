"""A harness as the files that say it: the inverse of `hat.harness.reading`."""

import json
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from hat.harness.layout import API_VERSION
from hat.harness.model import Frozen, Harness, Hook, PromptSection, Skill, Tool
from hat.harness.schema import canonical_schema


def to_files(harness: Harness) -> dict[str, bytes]:
    """Relative path to content of every file of the harness."""
    texts = {"harness.yaml": manifest_text(harness)}
    texts |= {f"skills/{skill.alias}/SKILL.md": skill_text(skill) for skill in harness.skills}
    texts |= {f"prompts/{section.name}.md": section_text(section) for section in harness.sections}
    texts |= {f"hooks/{hook.name}.yaml": hook_text(hook) for hook in harness.hooks}
    texts |= {f"tools/{tool.name}.json": tool_text(tool) for tool in harness.tools}
    files = {path: text.encode() for path, text in texts.items()}
    for skill in harness.skills:
        files |= {f"skills/{skill.alias}/{path}": content for path, content in skill.resources.items()}
    return files


def manifest_text(harness: Harness) -> str:
    """harness.yaml."""
    return _yaml(
        {
            "apiVersion": API_VERSION,
            "name": harness.name,
            "locale": harness.locale,
            "order": list(harness.order),
            "limits": {"max_turns": harness.max_turns, "max_retries": harness.max_retries},
            "skills": [skill.alias for skill in harness.skills],
            "hooks": [hook.name for hook in harness.hooks],
            "tools": [tool.name for tool in harness.tools],
        }
    )


def skill_text(skill: Skill) -> str:
    """SKILL.md."""
    front = {"name": skill.name, "description": skill.description, "license": skill.license}
    front |= {"compatibility": skill.compatibility, "metadata": skill.metadata}  # type: ignore[dict-item]
    front["allowed-tools"] = " ".join(skill.allowed_tools)
    return _front(front, skill.body)


def section_text(section: PromptSection) -> str:
    """A prompt section's file; no front matter where it has nothing to say."""
    limits = {name: limit.model_dump(exclude_defaults=True) for name, limit in section.limits.items()}
    return _front({"limits": limits, "rules": section.rules}, section.body)


def hook_text(hook: Hook) -> str:
    """A hook's file."""
    data = _changed(hook) | {"kind": hook.kind}
    del data["name"]
    keys = (
        "event",
        "matcher",
        "kind",
        "when",
        "command",
        "url",
        "message",
        "on_error",
        "timeout",
        "max_triggers",
        "rules",
    )
    return _yaml({key: data[key] for key in keys if key in data})


def tool_text(tool: Tool) -> str:
    """A tool's file, as MCP has it."""
    data: dict[str, Any] = {"name": tool.name, "description": tool.description}
    data["inputSchema"] = canonical_schema(tool.input_schema)
    if tool.output_schema is not None:
        data["outputSchema"] = canonical_schema(tool.output_schema)
    if tool.binding is not None:
        data["_meta"] = {"hat/binding": _changed(tool.binding)}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _changed(part: Frozen) -> dict[str, Any]:
    return part.model_dump(exclude_defaults=True)


def _front(front: dict[str, Any], body: str) -> str:
    kept = {key: value for key, value in front.items() if value}
    if kept:
        return f"---\n{_yaml(kept)}---\n\n{body}\n"
    return f"---\n---\n\n{body}\n" if body.startswith("---") else body + "\n"


def _yaml(data: dict[str, Any]) -> str:
    yaml = YAML()
    yaml.width = 10**6
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.allow_unicode = True
    stream = StringIO()
    yaml.dump(_scalars(data), stream)
    return stream.getvalue()


def _scalars(value: Any) -> Any:
    """Text that YAML would not give back as it is goes into double quotes."""
    if isinstance(value, dict):
        return {_scalars(key): _scalars(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_scalars(item) for item in value]
    if isinstance(value, str) and value in ("", "~", "null", "Null", "NULL"):
        return DoubleQuotedScalarString(value)
    return value
