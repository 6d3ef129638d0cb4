"""Valid harnesses for Hypothesis, with text that YAML, JSON and Markdown find hard."""

import re
import unicodedata
from typing import Any

from hypothesis import strategies as st

from hat.harness import Binding, Harness, Hook, Limit, PromptSection, Skill, Tool

HARD = [
    "no",
    "1.10",
    "~",
    "null",
    "007",
    "a: b",
    "- x",
    "# y",
    "'",
    '"',
    "%",
    "&a",
    "*a",
    "!x",
    "---",
    "{a: 1}",
    "\\n",
    "|",
    ">",
]
names = st.from_regex(r"[a-z][a-z0-9_]{0,11}", fullmatch=True).filter(
    lambda name: name not in ("skills", "tools", "load_skill")
)


def _clean(text: str) -> str:
    return re.sub(r"[{}\r]", "", unicodedata.normalize("NFC", text)).strip()


line = st.one_of(
    st.sampled_from(HARD), st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=20)
).map(_clean)
words = line.filter(bool)
bodies = (
    st.lists(st.one_of(line, st.text(max_size=20)), min_size=1, max_size=4)
    .map(lambda lines: _clean("\n".join(lines)).replace("](", "]"))
    .filter(bool)
)


@st.composite
def skills(draw: st.DrawFn, name: str, kind: str) -> Skill:
    metadata = {"alias": name, "kind": kind} | draw(
        st.dictionaries(words.filter(lambda key: key not in RESERVED), line)
    )
    body = draw(bodies)
    if draw(st.booleans()):
        metadata["opening"] = draw(words)
        body = f"{body}\n{metadata['opening']}.".strip()
    return Skill(
        name=name.replace("_", "-").strip("-").replace("--", "-") or "x",
        description=draw(words),
        body=body,
        license=draw(st.none() | words),
        metadata=metadata,
        resources=draw(st.dictionaries(st.sampled_from(["a.bin", "references/b.md"]), st.binary(max_size=8))),
    )


RESERVED = ("alias", "kind", "duties", "opening", "closing")


@st.composite
def sections(draw: st.DrawFn, name: str) -> PromptSection:
    body, limits = draw(bodies), {}
    if draw(st.booleans()):
        low, value, high = sorted(draw(st.tuples(*[st.integers(-99, 99)] * 3)))
        limits[f"max_{name}"] = Limit(value=value, min=low, max=high, unit=draw(line))
        body += f" {{max_{name}}}!"
    return PromptSection(name=name, body=body, limits=limits)


@st.composite
def tools(draw: st.DrawFn, name: str) -> Tool:
    params = draw(st.lists(names, unique=True, max_size=3))
    properties = {param: {"type": "integer", "description": draw(line)} for param in params}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": params[:2]}
    return Tool(
        name=name,
        description=draw(words),
        input_schema=draw(shuffled(schema)),
        binding=draw(
            st.none()
            | st.just(Binding(tool="get_stock", fields=("stock",), fixed={"fixed_": 1}))
            | st.just(Binding(tool="get_stock", dropped=tuple(params[2:]), defaults=dict.fromkeys(params[:1], 3)))
        ),
    )


@st.composite
def shuffled(draw: st.DrawFn, value: Any) -> Any:
    """The same JSON, object keys in another order."""
    if isinstance(value, list):
        return [draw(shuffled(item)) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: draw(shuffled(value[key])) for key in draw(st.permutations(list(value)))}


@st.composite
def hooks(draw: st.DrawFn, name: str) -> Hook:
    return Hook(
        name=name,
        event=draw(st.sampled_from(["Stop", "PreToolUse", "UserPromptSubmit"])),
        when=draw(st.sampled_from(["turn > 3", 'reply.contains("：")', "reply_chars == 0\n|| turn > 1"])),
        message=draw(words),
        timeout=draw(st.sampled_from([0.5, 1, 1.0, 60])),
        max_triggers=draw(st.integers(1, 8)),
    )


@st.composite
def harnesses(draw: st.DrawFn) -> Harness:
    skill_names = draw(st.lists(names, unique_by=lambda n: n.replace("_", ""), min_size=1, max_size=3))
    section_names = draw(st.lists(names, unique=True, min_size=1, max_size=3))
    kinds = ["reply", *draw(st.lists(st.sampled_from(["reply", "strategy"]), min_size=2, max_size=2))]
    order = draw(st.permutations([*section_names, "skills", "tools"]))
    drawn = {name: draw(sections(name)) for name in section_names}
    return Harness(
        name="drawn",
        order=tuple(order),
        max_turns=draw(st.integers(1, 64)),
        skills=tuple(draw(skills(name, kind)) for name, kind in zip(skill_names, kinds, strict=False)),
        hooks=tuple(draw(hooks(name)) for name in draw(st.lists(names, unique=True, max_size=2))),
        sections=tuple(drawn[name] for name in order if name in drawn),
        tools=tuple(draw(tools(name)) for name in draw(st.lists(names, unique=True, max_size=3))),
    )
