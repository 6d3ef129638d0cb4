"""What the model is given: the system prompt and the tool schemas of a harness. Deterministic, the stable part first.

Both depend on the harness alone, so that a server's prefix cache hits across viewers; room state and the viewer's words
come after, in the user's message (`hat.episode`). Index lines put the purpose before the name.
"""

from typing import Any

from hat.harness.model import LOAD_SKILL, Harness

WORDS = {
    "zh": {"skills": "# 技能", "tools": "# 工具", "load": "读取技能", "skill": "技能名"},
    "en": {"skills": "# Skills", "tools": "# Tools index", "load": "Load a skill", "skill": "Skill name"},
}
"""Headings of the two indexes and the description of `load_skill`, by language."""


def words(harness: Harness) -> dict[str, str]:
    """The fixed words of a harness's language; English unless it is Chinese."""
    return WORDS["zh" if harness.locale.lower().startswith("zh") else "en"]


def render_system(harness: Harness) -> str:
    """The system prompt: sections and indexes in the harness's order, each followed by a blank line but the last."""
    sections = {section.name: section.text.strip() for section in harness.sections}
    sections["skills"] = _index(words(harness)["skills"], [(s.description, s.alias) for s in harness.skills])
    sections["tools"] = _index(words(harness)["tools"], [(t.description, t.name) for t in harness.tools])
    return "\n\n".join(sections[name] for name in harness.order)


def tool_schemas(harness: Harness) -> list[dict[str, Any]]:
    """The harness's tools and `load_skill` as OpenAI function tools, keys in the order a server would send them."""
    load = {
        "type": "object",
        "properties": {
            "skill": {
                "type": "string",
                "description": words(harness)["skill"],
                "enum": [skill.alias for skill in harness.skills],
            }
        },
        "required": ["skill"],
    }
    tools = [(tool.name, tool.description, tool.parameters) for tool in harness.tools]
    return [
        {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}
        for name, description, schema in [*tools, (LOAD_SKILL, words(harness)["load"], load)]
    ]


def _index(heading: str, lines: list[tuple[str, str]]) -> str:
    return "\n".join([heading, *(f"- {purpose}：{name}" for purpose, name in lines)])
