"""Rules that move: from skills to a prompt section, back, or into a hook, and plain rules between skills and sections.

A phrase that every reply skill had of its own becomes one for all; the oracle and the verifiers read the rules from
where they are now (`Harness.rules_for`).
"""

from random import Random

from hat.harness import Harness, Hook, PromptSection, Skill
from hat.hsa.copies import replace
from hat.hsa.operator import Change, Context, Operator, pick
from hat.hsa.skill_content import BULLET, bullets_free, only_phrase

KEYS = ("opening", "closing")
MOST_TRIGGERS = 8
CHECKS = {"opening": "!reply.startsWith(rules.opening)", "closing": "!reply.endsWith(rules.closing)"}
"""CEL of a hook that holds a reply to a phrase."""


def to_section(harness: Harness, rng: Random, context: Context) -> Change | None:
    """The opening or the closing leaves all skills; one of the phrases becomes a prompt section's, for every reply."""
    taken = _take(harness, rng, context)
    targets = _listing(harness)
    if taken is None or not targets:
        return None
    changed, key, phrase = taken
    section = pick(targets, rng)
    line = BULLET + _stated(key, phrase, rng, context)
    fuller = replace(section, body=f"{section.body}\n{line}", rules={**section.rules, key: phrase})
    sections = tuple(fuller if one is section else one for one in harness.sections)
    return Change(replace(changed, sections=sections), {"rule": key, "phrase": phrase, "section": section.name})


def to_hook(harness: Harness, rng: Random, context: Context) -> Change | None:
    """The opening or the closing leaves all skills; a hook asks for one of the phrases where a reply lacks it."""
    taken = _take(harness, rng, context)
    if taken is None:
        return None
    changed, key, phrase = taken
    name = f"asks_{key}"
    if any(hook.name == name for hook in harness.hooks):
        return None
    message = _stated(key, phrase, rng, context)
    hook = Hook(
        name=name, event="Stop", when=CHECKS[key], message=message, max_triggers=MOST_TRIGGERS, rules={key: phrase}
    )
    return Change(replace(changed, hooks=(*harness.hooks, hook)), {"rule": key, "phrase": phrase, "hook": name})


def to_skills(harness: Harness, rng: Random, context: Context) -> Change | None:
    """A phrase that a section asks for is written into every reply skill that has none of its own."""
    found = tuple(
        (section, key, body)
        for section in harness.sections
        for key, phrase in section.rules.items()
        if (body := without_phrase(section.body, phrase)) is not None and body.strip()
    )
    if not found:
        return None
    section, key, body = pick(found, rng)
    phrase = section.rules[key]
    rest = {other: text for other, text in section.rules.items() if other != key}
    sections = tuple(replace(s, body=body, rules=rest) if s is section else s for s in harness.sections)
    skills = tuple(
        replace(
            skill,
            body=f"{skill.body}\n{BULLET}{_stated(key, phrase, rng, context)}",
            metadata={**skill.metadata, key: phrase},
        )
        if skill.kind == "reply" and key not in skill.rules
        else skill
        for skill in harness.skills
    )
    return Change(replace(harness, sections=sections, skills=skills), {"rule": key, "phrase": phrase})


def move_plain(harness: Harness, rng: Random, context: Context) -> Change | None:
    """A rule that nothing checks moves from a skill to a prompt section, or the other way."""
    targets = _listing(harness)
    moves: list[tuple[Skill | PromptSection, int]] = [(s, n) for s in harness.skills for n in bullets_free(s.body)]
    moves += [(section, number) for section in targets for number in bullets_free(section.body)]
    if not moves or not targets:
        return None
    source, number = pick(tuple(moves), rng)
    lines = source.body.split("\n")
    line = lines.pop(number)
    target = pick(targets, rng) if isinstance(source, Skill) else pick(harness.skills, rng)
    bodies = {id(source): "\n".join(lines), id(target): f"{target.body}\n{line}"}
    changed = replace(
        harness,
        skills=tuple(replace(s, body=bodies[id(s)]) if id(s) in bodies else s for s in harness.skills),
        sections=tuple(replace(s, body=bodies[id(s)]) if id(s) in bodies else s for s in harness.sections),
    )
    return Change(changed, {"rule": line, "to": target.name})


def without_phrase(body: str, phrase: str) -> str | None:
    """A text without the bullet that states a phrase and nothing else; None if it has no such line, or no other."""
    lines = body.split("\n")
    stating = [n for n, line in enumerate(lines) if line.startswith(BULLET) and only_phrase(line[2:]) == phrase]
    if len(stating) != 1 or body.count(phrase) != 1:
        return None
    del lines[stating[0]]
    return "\n".join(lines) if any(line.startswith(BULLET) for line in lines) else None


def _take(harness: Harness, rng: Random, context: Context) -> tuple[Harness, str, str] | None:
    """The harness without one kind of phrase in its skills, the kind, and one of the phrases, short enough for all."""
    replying = [skill for skill in harness.skills if skill.kind == "reply"]
    common = common_phrases(harness)
    room = harness.limits.get("max_reply_chars", 1 << 20) - context.reserve
    found = []
    for key in KEYS:
        having = [skill for skill in replying if key in skill.rules]
        bodies = {id(skill): without_phrase(skill.body, skill.rules[key]) for skill in having}
        other = KEYS[1 - KEYS.index(key)]
        longest = max((len(skill.rules.get(other, common.get(other, ""))) for skill in replying), default=0)
        phrases = [skill.rules[key] for skill in having if len(skill.rules[key]) + longest <= room]
        if key not in common and phrases and None not in bodies.values() and context.wordings.rules.get(key):
            found.append((key, bodies, phrases))
    if not found:
        return None
    key, bodies, phrases = pick(tuple(found), rng)
    skills = tuple(
        replace(s, body=bodies[id(s)], metadata={k: v for k, v in s.metadata.items() if k != key})
        if id(s) in bodies
        else s
        for s in harness.skills
    )
    return replace(harness, skills=skills), key, pick(tuple(phrases), rng)


def common_phrases(harness: Harness) -> dict[str, str]:
    """Phrases that sections and hooks ask for."""
    parts: tuple[PromptSection | Hook, ...] = (*harness.hooks, *harness.sections)
    return {key: phrase for part in parts for key, phrase in part.rules.items()}


def _listing(harness: Harness) -> tuple[PromptSection, ...]:
    """Sections that end in a bullet, so that another can follow."""
    return tuple(s for s in harness.sections if s.body.rstrip().split("\n")[-1].startswith(BULLET))


def _stated(key: str, phrase: str, rng: Random, context: Context) -> str:
    return pick(context.wordings.rules[key], rng).replace("{phrase}", phrase)


OPERATORS = (
    Operator("rule_to_section", "prompt", "a phrase of all skills becomes a prompt section's", to_section),
    Operator(
        "rule_to_skills", "skill_content", "a section's phrase goes into the skills", to_skills, after="rule_to_section"
    ),
    Operator("rule_to_hook", "hooks", "a phrase of all skills is asked for by a hook", to_hook),
    Operator("move_rules", "skill_content", "unchecked rules move between skills and prompt sections", move_plain),
)
