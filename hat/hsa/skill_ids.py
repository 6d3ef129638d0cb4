"""Family 1, skill identifiers: how skills are named, described, ordered, and which others stand beside them."""

from random import Random

from hat.harness import Harness, Skill
from hat.hsa.copies import replace
from hat.hsa.mentions import mentioned, rename_skills
from hat.hsa.names import made_up
from hat.hsa.operator import Change, Context, Operator, pick, shuffled
from hat.hsa.wordings import Distractor

_BLANK = Skill(name="blank", description="", body="")


def rename(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Every skill gets a made-up name."""
    names = {skill.alias: made_up(rng, context.split, context.taken) for skill in harness.skills}
    return Change(rename_skills(harness, names, silent=context.silent), {"renamed": names}) if names else None


def describe(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Skills with one known duty get another description of it."""
    skills, described = [], []
    for skill in harness.skills:
        texts = context.wordings.skills.get(skill.metadata.get("duties") or skill.alias)
        skills.append(replace(skill, description=pick(texts, rng)) if texts else skill)
        described += [skill.alias] if texts else []
    return Change(replace(harness, skills=tuple(skills)), {"described": described}) if described else None


def reorder(harness: Harness, rng: Random, context: Context) -> Change | None:
    """The index of skills in another order."""
    skills = shuffled(harness.skills, rng)
    return Change(replace(harness, skills=skills), {"order": [skill.alias for skill in skills]})


def distract(harness: Harness, rng: Random, context: Context) -> Change | None:
    """One or two skills that no task needs, under made-up names."""
    there = {duty for skill in harness.skills for duty in skill.duties}
    free = [skill for skill in context.wordings.distractor_skills if skill.key not in there and skill.descriptions]
    if not free:
        return None
    skills = list(harness.skills)
    added = {}
    for distractor in rng.sample(free, min(len(free), 1 + (rng.random() < context.strength / 2))):
        alias = made_up(rng, context.split, context.taken)
        skills.insert(rng.randrange(len(skills) + 1), _skill(distractor, alias, rng, context))
        added[alias] = distractor.key
    return Change(replace(harness, skills=tuple(skills)), {"added": added})


def mask(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Skills that the tasks at hand do not need, and no text mentions, are taken away; one reply skill stays."""
    if context.keep is None:
        return None
    words = mentioned(harness)
    gone = [
        skill
        for skill in harness.skills
        if context.keep.skills.isdisjoint(skill.duties)
        and skill.alias not in words
        and rng.random() < context.strength / 2
    ]
    if all(skill in gone for skill in harness.skills if skill.kind == "reply"):
        gone = [skill for skill in gone if skill.kind != "reply"]
    if not gone:
        return None
    skills = tuple(skill for skill in harness.skills if skill not in gone)
    return Change(replace(harness, skills=skills), {"masked": [skill.alias for skill in gone]})


def _skill(distractor: Distractor, alias: str, rng: Random, context: Context) -> Skill:
    metadata = {"alias": alias, "kind": "reply", "duties": distractor.key}
    lines = []
    for rule in ("opening", "closing"):
        templates, phrases = context.wordings.rules.get(rule), context.wordings.phrases.get(rule)
        if templates and phrases:
            metadata[rule] = pick(phrases, rng)
            lines.append("- " + pick(templates, rng).replace("{phrase}", metadata[rule]))
    return replace(
        _BLANK,
        name=alias.replace("_", "-"),
        description=pick(distractor.descriptions, rng),
        body="\n".join(lines) or "- " + distractor.descriptions[0],
        metadata=metadata,
    )


OPERATORS = (
    Operator("rename_skills", "skill_ids", "names of skills; duties and mentions follow", rename),
    Operator("describe_skills", "skill_ids", "descriptions of skills, same duty", describe),
    Operator("reorder_skills", "skill_ids", "order of the skill index", reorder),
    Operator("distractor_skills", "skill_ids", "skills that no task needs are added", distract),
    Operator("mask_skills", "skill_ids", "skills that no task at hand needs are taken away", mask),
)
