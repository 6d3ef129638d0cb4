"""Family 4, the system prompt: order of sections and of their items, numeric limits, other words."""

from random import Random

from hat.harness import Harness, Limit, PromptSection, Skill
from hat.hsa.copies import replace
from hat.hsa.operator import Change, Context, Operator, pick, shuffled
from hat.hsa.skill_content import BULLET, shuffle_bullets

REPLY_CHARS = "max_reply_chars"
"""The limit that replies are held to."""


def reorder_sections(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Sections and the two indexes in another order."""
    order = shuffled(harness.order, rng)
    return Change(replace(harness, order=order), {"order": list(order)})


def reorder_items(harness: Harness, rng: Random, context: Context) -> Change | None:
    """The bullets of each section in another order."""
    sections = tuple(
        section if (body := shuffle_bullets(section.body, rng)) == section.body else replace(section, body=body)
        for section in harness.sections
    )
    changed = [new.name for new, old in zip(sections, harness.sections, strict=True) if new is not old]
    return Change(replace(harness, sections=sections), {"sections": changed}) if changed else None


def perturb_limits(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Every typed number moves within its range, further with more strength; replies keep room for what they say."""
    floor = context.reserve + max((phrases_length(harness, skill) for skill in harness.skills), default=0)
    sections: list[PromptSection] = []
    moved: dict[str, int] = {}
    for section in harness.sections:
        limits = {
            name: _moved(limit, rng, context.strength, floor if name == REPLY_CHARS else limit.min)
            for name, limit in section.limits.items()
        }
        moved |= {name: limit.value for name, limit in limits.items() if limit is not section.limits[name]}
        sections.append(replace(section, limits=limits) if limits else section)
    return Change(replace(harness, sections=tuple(sections)), {"limits": moved}) if moved else None


def phrases_length(harness: Harness, skill: Skill) -> int:
    """Characters of the phrases that a reply under a skill must hold."""
    shared = any(part.rules for parts in (harness.sections, harness.hooks) for part in parts)
    rules = harness.rules_for(skill) if shared else skill.metadata
    return len(rules.get("opening", "")) + len(rules.get("closing", ""))


def paraphrase(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Known sentences of sections, the persona's too, in other words of the same meaning; their numbers stay."""
    sections = tuple(_in_other_words(section, rng, context) for section in harness.sections)
    changed = [new.name for new, old in zip(sections, harness.sections, strict=True) if new is not old]
    return Change(replace(harness, sections=sections), {"sections": changed}) if changed else None


def _moved(limit: Limit, rng: Random, strength: float, floor: int) -> Limit:
    low = round(limit.value - (limit.value - limit.min) * strength)
    high = round(limit.value + (limit.max - limit.value) * strength)
    low = min(max(low, floor), limit.value)
    value = low + int(rng.random() * (high - low + 1))
    return limit if value == limit.value else replace(limit, value=value)


def _in_other_words(section: PromptSection, rng: Random, context: Context) -> PromptSection:
    lines, changed = section.body.split("\n"), False
    for number, line in enumerate(lines):
        bullet = BULLET if line.startswith(BULLET) else ""
        texts = context.wordings.sentences.get(line[len(bullet) :].rstrip())
        if texts:
            lines[number] = bullet + pick(texts, rng)
            changed = True
    return replace(section, body="\n".join(lines)) if changed else section


OPERATORS = (
    Operator("reorder_sections", "prompt", "order of sections and indexes", reorder_sections),
    Operator("reorder_items", "prompt", "order of bullets in sections", reorder_items),
    Operator("perturb_limits", "prompt", "numeric limits within their ranges, with room for replies", perturb_limits),
    Operator("paraphrase_sections", "prompt", "persona and section rules in other words", paraphrase),
)
