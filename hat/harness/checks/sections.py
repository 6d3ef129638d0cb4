"""Checks of prompt sections: typed numbers and their places in the text, rules that the text must state."""

from collections.abc import Iterator

from hat.harness.checks.words import ALIAS, PHRASES, PLACEHOLDER
from hat.harness.findings import Finding
from hat.harness.model import PromptSection
from hat.harness.reading import Reading, Source

RESERVED = ("skills", "tools")
"""Words of the order that place the two indexes."""


def check_sections(reading: Reading) -> Iterator[Finding]:
    """Findings of all sections; names of limits and rules are unique in a harness."""
    seen: dict[str, str] = {}
    for name, section in reading.sections.items():
        source = reading.sources["prompts"][name]
        yield from check_section(section, source)
        for kind, keys in (("limits", section.limits), ("rules", section.rules)):
            for key in keys:
                other = seen.setdefault(f"{kind} {key}", name)
                if other != name:
                    message = f"{kind[:-1]} {key!r} also stands in prompts/{other}.md: keep one"
                    yield source.at((kind, key), "duplicate_name", message)


def check_section(section: PromptSection, source: Source) -> Iterator[Finding]:
    """Findings of one section."""
    if not ALIAS.fullmatch(section.name) or section.name in RESERVED:
        message = f"section name {section.name!r}: use 1-64 of a-z A-Z 0-9 _ -, not {' or '.join(RESERVED)}"
        yield source.at((), "bad_name", message)
    if not section.body:
        yield source.in_body(
            "", "empty_body", "the section is empty: write it or remove the file and its name in the order"
        )
    yield from _limits(section, source)
    for key, phrase in section.rules.items():
        if key not in PHRASES:
            yield source.at(("rules", key), "unknown_key", f"unknown rule {key!r}: use {' or '.join(PHRASES)}")
        elif not phrase.strip() or phrase not in section.body:
            message = f"{key} {phrase!r} does not stand in the body: quote it there, so that the model is told"
            yield source.at(("rules", key), "phrase_not_in_body", message)


def _limits(section: PromptSection, source: Source) -> Iterator[Finding]:
    placed = set(PLACEHOLDER.findall(section.body))
    for name, limit in section.limits.items():
        path = ("limits", name)
        if not PLACEHOLDER.fullmatch(f"{{{name}}}"):
            yield source.at(path, "bad_name", f"limit name {name!r}: use letters, digits and _, no digit first")
        elif name not in placed:
            yield source.at(path, "unused_limit", f"limit {name!r} does not stand in the text: write {{{name}}} there")
        if limit.min > limit.max:
            yield source.at((*path, "min"), "bad_limit", f"{name}: min {limit.min} is above max {limit.max}: swap them")
        elif not limit.min <= limit.value <= limit.max:
            message = f"{name}: value {limit.value} is not within {limit.min} to {limit.max}"
            yield source.at((*path, "value"), "bad_limit", f"{message}: change the value or the range")
    for name in sorted(placed - section.limits.keys()):
        message = f"{{{name}}} is not defined: add it under limits, with value, min and max"
        yield source.in_body(f"{{{name}}}", "unknown_placeholder", message)
