"""Family 3, tools: how tools and their parameters are named, described, ordered, and which others stand beside them."""

from collections import Counter
from random import Random

from hat.harness import Harness, Tool
from hat.hsa.copies import replace
from hat.hsa.mentions import binding_to, bound, mentioned, rename_params, rename_tools
from hat.hsa.names import made_up
from hat.hsa.operator import Change, Context, Operator, pick, shuffled
from hat.hsa.wordings import Distractor

_CROSS_REFERENCES = frozenset(
    ["dependentRequired", "dependentSchemas", "patternProperties", "allOf", "anyOf", "oneOf", "not", "if", "$ref"]
)
"""Keywords under which a schema may name its properties again; parameters of such tools keep their names."""

_BLANK = Tool(name="blank", description="", input_schema={})


def rename(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Every tool gets a made-up name."""
    names = {tool.name: made_up(rng, context.split, context.taken) for tool in harness.tools}
    return Change(rename_tools(harness, names, silent=context.silent), {"renamed": names}) if names else None


def rename_parameters(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Every parameter gets a made-up name, the same in all tools; calls map back by the binding."""
    fixed = {
        param
        for tool in harness.tools
        if not _CROSS_REFERENCES.isdisjoint(tool.input_schema)
        for param in tool.input_schema.get("properties", ())
    }
    params = dict.fromkeys(param for tool in harness.tools for param in tool.input_schema.get("properties", ()))
    names = {param: made_up(rng, context.split, context.taken) for param in params if param not in fixed}
    return Change(rename_params(harness, names, silent=context.silent), {"renamed": names}) if names else None


def describe(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Tools that alone stand for a known canonical tool, whole, get another description of it."""
    uses = Counter(bound(tool).tool for tool in harness.tools)
    tools, described = [], []
    for tool in harness.tools:
        binding = bound(tool)
        texts = context.wordings.tools.get(binding.tool, ())
        known = texts and uses[binding.tool] == 1 and binding.fields is None and not (binding.fixed or binding.also)
        tools.append(replace(tool, description=pick(texts, rng)) if known else tool)
        described += [tool.name] if known else []
    return Change(replace(harness, tools=tuple(tools)), {"described": described}) if described else None


def reorder(harness: Harness, rng: Random, context: Context) -> Change | None:
    """The tools in another order."""
    tools = shuffled(harness.tools, rng)
    return Change(replace(harness, tools=tools), {"order": [tool.name for tool in tools]})


def distract(harness: Harness, rng: Random, context: Context) -> Change | None:
    """One or two tools that no task needs, under made-up names; the domain does not know them."""
    there = {name for tool in harness.tools for name in (bound(tool).tool, *bound(tool).also)}
    free = [tool for tool in context.wordings.distractor_tools if tool.key not in there and tool.descriptions]
    if not free:
        return None
    tools = list(harness.tools)
    added = {}
    for distractor in rng.sample(free, min(len(free), 1 + (rng.random() < context.strength / 2))):
        name = made_up(rng, context.split, context.taken)
        tools.insert(rng.randrange(len(tools) + 1), _tool(distractor, name, rng, context))
        added[name] = distractor.key
    return Change(replace(harness, tools=tuple(tools)), {"added": added})


def mask(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Tools that the tasks at hand do not need, and no text mentions, are taken away, from skills too."""
    if context.keep is None:
        return None
    words = mentioned(harness)
    gone = {
        tool.name
        for tool in harness.tools
        if context.keep.tools.isdisjoint((bound(tool).tool, *bound(tool).also))
        and tool.name not in words
        and rng.random() < context.strength / 2
    }
    if not gone or len(gone) == len(harness.tools):
        return None
    tools = tuple(tool for tool in harness.tools if tool.name not in gone)
    skills = tuple(
        skill
        if gone.isdisjoint(skill.allowed_tools)
        else replace(skill, allowed_tools=tuple(name for name in skill.allowed_tools if name not in gone))
        for skill in harness.skills
    )
    return Change(replace(harness, tools=tools, skills=skills), {"masked": sorted(gone)})


def _tool(distractor: Distractor, name: str, rng: Random, context: Context) -> Tool:
    properties = {}
    if distractor.param:
        kind, text = distractor.param
        properties[made_up(rng, context.split, context.taken)] = {"type": kind, "description": text}
    return replace(
        _BLANK,
        name=name,
        description=pick(distractor.descriptions, rng),
        input_schema={"type": "object", "properties": properties, "required": list(properties)},
        binding=binding_to(distractor.key),
    )


OPERATORS = (
    Operator("rename_tools", "tools", "names of tools; bindings, matchers and mentions follow", rename),
    Operator("rename_params", "tools", "names of parameters; calls map back by the binding", rename_parameters),
    Operator("describe_tools", "tools", "descriptions of tools, same use", describe),
    Operator("reorder_tools", "tools", "order of the tools", reorder),
    Operator("distractor_tools", "tools", "tools that no task needs are added", distract),
    Operator("mask_tools", "tools", "tools that no task at hand needs are taken away", mask),
)
