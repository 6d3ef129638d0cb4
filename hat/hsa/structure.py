"""Structure, beyond the paper's families: skills and tools merged and split, optional parameters, other defaults.

These make changes of the kinds that the example's held-out edits are of. So they are apart from `ALL`: training draws
them only where it is told to (`structural`), and results say which operators a policy was trained with.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import permutations
from random import Random
from typing import Any

from hat.harness import Binding, Harness, Skill, Tool
from hat.hsa.copies import replace
from hat.hsa.mentions import bound, rename_skills, rename_tools
from hat.hsa.moved import without_phrase
from hat.hsa.names import made_up
from hat.hsa.operator import Change, Context, Operator, pick, shuffled
from hat.hsa.wordings_structure import STARTS, structure

IDENTITY = ("link_id", "title", "category")
"""Output keys that say what is spoken of; both halves of a split tool give them."""


def merge_skills(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Two skills of a kind become one that has both duties, under the phrases of the first."""
    room = harness.limits.get("max_reply_chars", 1 << 20) - context.reserve
    pairs = [
        (kept, gone, rest)
        for kept, gone in permutations(harness.skills, 2)
        if kept.kind == gone.kind
        and (rest := without_phrases(gone)) is not None
        and sum(map(len, harness.rules_for(kept).values())) <= room
    ]
    if not pairs:
        return None
    kept, gone, rest = pick(tuple(pairs), rng)
    stop = structure(harness.locale, context.split).stop
    new = [line for line in rest.split("\n") if line.strip() and line not in kept.body.split("\n")]
    merged = replace(
        kept,
        description=f"{kept.description}{stop}{gone.description}",
        body="\n".join([kept.body, *new]),
        metadata={**kept.metadata, "alias": kept.alias, "duties": " ".join([*kept.duties, *gone.duties])},
        allowed_tools=_together(kept.allowed_tools, gone.allowed_tools),
        resources={**gone.resources, **kept.resources},
    )
    skills = tuple(merged if skill is kept else skill for skill in harness.skills if skill is not gone)
    changed = rename_skills(replace(harness, skills=skills), {gone.alias: kept.alias}, silent=context.silent)
    return Change(changed, {"into": kept.alias, "gone": gone.alias})


def without_phrases(skill: Skill) -> str | None:
    """The body without the lines that state the skill's phrases; None if a phrase has no line of its own."""
    body: str | None = skill.body
    for phrase in skill.rules.values():
        body = body and without_phrase(body, phrase)
    return body


def split_skills(harness: Harness, rng: Random, context: Context) -> Change | None:
    """A skill with several duties becomes two that share them out, each described by its own."""
    known = context.wordings.skills
    several = [s for s in harness.skills if len(s.duties) > 1 and all(known.get(duty) for duty in s.duties)]
    if not several:
        return None
    skill = pick(tuple(several), rng)
    duties = shuffled(skill.duties, rng)
    cut = 1 + int(rng.random() * (len(duties) - 1))
    other = made_up(rng, context.split, context.taken)
    stop = structure(harness.locale, context.split).stop
    halves = [
        replace(
            skill,
            name=alias.replace("_", "-"),
            description=stop.join(pick(known[duty], rng) for duty in share),
            metadata={**skill.metadata, "alias": alias, "duties": " ".join(share)},
        )
        for alias, share in ((skill.alias, duties[:cut]), (other, duties[cut:]))
    ]
    skills = [part for one in harness.skills for part in (halves if one is skill else [one])]
    return Change(replace(harness, skills=tuple(skills)), {"split": skill.alias, "into": other})


def merge_tools(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Two tools that take the same arguments become one that gives the outputs of both."""
    pairs = [
        (kept, gone)
        for kept, gone in permutations(harness.tools, 2)
        if _plain(kept) and _plain(gone) and _takes(kept) == _takes(gone) and not _asked(kept) & _asked(gone)
    ]
    if not pairs:
        return None
    kept, gone = pick(tuple(pairs), rng)
    stop = structure(harness.locale, context.split).stop
    binding = bound(kept)
    merged = replace(
        kept,
        description=f"{kept.description}{stop}{gone.description}",
        output_schema=_joined(kept.output_schema, gone.output_schema),
        binding=replace(binding, also=(*binding.also, bound(gone).tool, *bound(gone).also)),
    )
    place = harness.tools.index(gone)
    renamed = rename_tools(
        replace(harness, tools=tuple(merged if tool is kept else tool for tool in harness.tools)),
        {gone.name: kept.name},
        silent=context.silent,
    )
    tools = tuple(tool for number, tool in enumerate(renamed.tools) if number != place)
    skills = tuple(replace(s, allowed_tools=tuple(dict.fromkeys(s.allowed_tools))) for s in renamed.skills)
    return Change(replace(renamed, tools=tools, skills=skills), {"into": kept.name, "gone": gone.name})


def split_tools(harness: Harness, rng: Random, context: Context) -> Change | None:
    """A tool becomes two that share out its output, each described by what it gives."""
    words = structure(harness.locale, context.split)
    found = [(tool, keys) for tool in harness.tools if _plain(tool) and len(keys := _fields(tool, words.fields)) > 1]
    if not found:
        return None
    tool, keys = pick(tuple(found), rng)
    shares = shuffled(keys, rng)
    cut = 1 + int(rng.random() * (len(shares) - 1))
    other = made_up(rng, context.split, context.taken)
    halves = [
        _half(tool, name, share, words.describe.format(words.comma.join(pick(words.fields[key], rng) for key in share)))
        for name, share in ((tool.name, shares[:cut]), (other, shares[cut:]))
    ]
    tools = [part for one in harness.tools for part in (halves if one is tool else [one])]
    skills = tuple(
        replace(skill, allowed_tools=_after(skill.allowed_tools, tool.name, other))
        if tool.name in skill.allowed_tools
        else skill
        for skill in harness.skills
    )
    hooks = tuple(
        replace(hook, matcher=f"(?:{hook.matcher})|{re.escape(other)}")
        if hook.matcher not in ("", "*") and re.fullmatch(hook.matcher, tool.name)
        else hook
        for hook in harness.hooks
    )
    changed = replace(harness, tools=tuple(tools), skills=skills, hooks=hooks)
    return Change(changed, {"split": tool.name, "into": other, "keeps": list(shares[:cut])})


def add_options(harness: Harness, rng: Random, context: Context) -> Change | None:
    """One or two tools take one more parameter, optional, with a default; the domain never sees it."""
    options = {kind: texts for kind, texts in structure(harness.locale, context.split).options.items() if texts}
    if not harness.tools or not options:
        return None
    count = min(len(harness.tools), 1 + (rng.random() < context.strength / 2))
    added, tools = {}, {tool.name: tool for tool in harness.tools}
    for tool in rng.sample(harness.tools, count):
        kind = pick(tuple(options), rng)
        name = made_up(rng, context.split, context.taken)
        default = pick(tuple(STARTS[kind]), rng)
        option = {"type": kind, "description": pick(options[kind], rng), "default": default}
        schema = {**tool.input_schema, "properties": {**tool.input_schema.get("properties", {}), name: option}}
        binding = bound(tool)
        tools[tool.name] = replace(
            tool, input_schema=schema, binding=replace(binding, dropped=(*binding.dropped, name))
        )
        added[tool.name] = name
    return Change(replace(harness, tools=tuple(tools.values())), {"added": added})


def change_defaults(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Optional parameters get another default, which holds where the model gives no value."""
    tools, changed = [], {}
    for tool in harness.tools:
        binding = bound(tool)
        properties: dict[str, Any] = dict(tool.input_schema.get("properties", {}))
        defaults = dict(binding.defaults)
        for name, option in properties.items():
            others = STARTS.get(option.get("type"), {}).get(option.get("default"), ())
            if "default" not in option or not others:
                continue
            value = pick(others, rng)
            properties[name], changed[f"{tool.name}.{name}"] = {**option, "default": value}, value
            if name not in binding.dropped:
                defaults[binding.params.get(name, name)] = value
        schema = {**tool.input_schema, "properties": properties}
        same = schema["properties"] == tool.input_schema.get("properties", {})
        tools.append(tool if same else replace(tool, input_schema=schema, binding=replace(binding, defaults=defaults)))
    return Change(replace(harness, tools=tuple(tools)), {"defaults": changed}) if changed else None


def _together(left: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    """Tools that two skills may call; none named means all."""
    return tuple(dict.fromkeys([*left, *right])) if left and right else ()


def _plain(tool: Tool) -> bool:
    """Whether a tool passes on what it is given and all that it gets."""
    binding = bound(tool)
    return binding.fields is None and not (binding.fixed or binding.dropped or binding.defaults)


def _asked(tool: Tool) -> set[str]:
    return {bound(tool).tool, *bound(tool).also}


def _takes(tool: Tool) -> tuple[Any, ...]:
    """Canonical parameters with their types, and which of them are required."""
    params, properties = bound(tool).params, tool.input_schema.get("properties", {})
    required = {params.get(key, key) for key in tool.input_schema.get("required", ())}
    return sorted((params.get(key, key), str(value.get("type"))) for key, value in properties.items()), required


def _joined(left: dict[str, Any] | None, right: dict[str, Any] | None) -> dict[str, Any] | None:
    if left is None or right is None:
        return None
    required = dict.fromkeys([*left.get("required", ()), *right.get("required", ())])
    return {
        **left,
        "properties": {**right.get("properties", {}), **left.get("properties", {})},
        "required": list(required),
    }


def _fields(tool: Tool, known: dict[str, Any]) -> list[str]:
    """The output's keys that can be shared out; none if one of them has no name here."""
    keys = [key for key in (tool.output_schema or {}).get("properties", {}) if key not in IDENTITY]
    return keys if not bound(tool).also and all(known.get(key) for key in keys) else []


def _half(tool: Tool, name: str, keys: Iterable[str], description: str) -> Tool:
    schema = tool.output_schema or {}
    kept = {key: value for key, value in schema.get("properties", {}).items() if key in IDENTITY or key in keys}
    output = {**schema, "properties": kept, "required": [key for key in schema.get("required", ()) if key in kept]}
    binding = bound(tool)
    fields = Binding(tool=binding.tool, params=dict(binding.params), fields=tuple(kept))
    return replace(tool, name=name, description=description, output_schema=output, binding=fields)


def _after(names: Sequence[str], name: str, new: str) -> tuple[str, ...]:
    return tuple(part for one in names for part in ((one, new) if one == name else (one,)))


OPERATORS = (
    Operator("merge_skills", "skill_ids", "two skills become one that has both duties", merge_skills),
    Operator(
        "split_skills", "skill_ids", "a skill with several duties becomes two", split_skills, after="merge_skills"
    ),
    Operator("merge_tools", "tools", "two tools with the same arguments become one", merge_tools),
    Operator("split_tools", "tools", "a tool becomes two that share out its output", split_tools),
    Operator("add_options", "tools", "tools take one more, optional parameter", add_options),
    Operator("change_defaults", "tools", "defaults of optional parameters", change_defaults, after="add_options"),
)
