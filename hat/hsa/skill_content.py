"""Family 2, skill content: how a skill's body says its rules, in which order, and which phrases they ask for.

Bodies are read as lists: a rule is a line that begins with `- `. Numbered lines keep their order: it means something.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random

from hat.harness import Harness, Skill
from hat.hsa.copies import replace
from hat.hsa.mentions import words_in
from hat.hsa.operator import Change, Context, Operator, pick, shuffled

BULLET = "- "
_PAUSE = re.compile(r"[，,；;：:].|[。.!！]\s*\S")
"""A rule with a pause inside says more than one thing."""
_QUOTED = re.compile(r"“([^”]*)”|\"([^\"]*)\"|「([^」]*)」")


def paraphrase(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Rules said in other words; the phrases they quote stay."""
    return _each_body(harness, lambda skill: _paraphrased(skill, rng, context))


def reorder(harness: Harness, rng: Random, context: Context) -> Change | None:
    """The rules of each body in another order."""
    return _each_body(harness, lambda skill: shuffle_bullets(skill.body, rng))


def mask(harness: Harness, rng: Random, context: Context) -> Change | None:
    """A rule that quotes nothing and holds no number or name is taken away from a body; one rule stays."""
    return _each_body(harness, lambda skill: _masked(skill, rng) if rng.random() < context.strength else skill.body)


def swap_phrases(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Other opening and closing phrases, in body and metadata together, as long as the length limit allows."""
    room = harness.limits.get("max_reply_chars", 1 << 20) - context.reserve
    skills, swapped = [], {}
    for skill in harness.skills:
        new = {
            rule: pick(texts, rng)
            for rule, phrase in skill.rules.items()
            if (texts := context.wordings.phrases.get(rule)) and phrase in quotes_in(skill.body)
        }
        rules = {**harness.rules_for(skill), **new}
        if not new or sum(map(len, rules.values())) > room:
            skills.append(skill)
            continue
        body = _requote(skill.body, {skill.metadata[rule]: text for rule, text in new.items()})
        skills.append(replace(skill, metadata={**skill.metadata, **new}, body=body))
        swapped[skill.alias] = new
    return Change(replace(harness, skills=tuple(skills)), {"phrases": swapped}) if swapped else None


def shuffle_bullets(body: str, rng: Random) -> str:
    """The bullets of a Markdown text in another order; runs of bullets keep their places."""
    lines = body.split("\n")
    for start, end in bullet_runs(body):
        lines[start:end] = shuffled(lines[start:end], rng)
    return "\n".join(lines)


@lru_cache(maxsize=16384)
def bullet_runs(body: str) -> tuple[tuple[int, int], ...]:
    """Line ranges of two or more bullets in a row, none of them continued on the next line."""
    lines, runs, start = body.split("\n"), [], None
    for number, line in enumerate([*lines, ""]):
        if line.startswith(BULLET):
            start = number if start is None else start
        else:
            if start is not None and number - start > 1 and not line.startswith(" "):
                runs.append((start, number))
            start = None
    return tuple(runs)


@lru_cache(maxsize=16384)
def quotes_in(body: str) -> frozenset[str]:
    """The phrases that a body quotes."""
    return frozenset(match[0][1:-1] for match in _QUOTED.finditer(body))


def _requote(body: str, phrases: Mapping[str, str]) -> str:
    def one(match: re.Match[str]) -> str:
        text = match[0]
        return text[0] + phrases.get(text[1:-1], text[1:-1]) + text[-1]

    return _QUOTED.sub(one, body)


def _each_body(harness: Harness, change: Callable[[Skill], str]) -> Change | None:
    skills, changed = [], []
    for skill in harness.skills:
        body = change(skill)
        skills.append(skill if body == skill.body else replace(skill, body=body))
        changed += [] if body == skill.body else [skill.alias]
    return Change(replace(harness, skills=tuple(skills)), {"skills": changed}) if changed else None


def _paraphrased(skill: Skill, rng: Random, context: Context) -> str:
    lines = skill.body.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(BULLET):
            lines[number] = BULLET + _other_words(line[len(BULLET) :], skill, rng, context)
    return "\n".join(lines)


def _other_words(text: str, skill: Skill, rng: Random, context: Context) -> str:
    if same := context.wordings.sentences.get(text):
        return pick(same, rng)
    phrase = only_phrase(text)
    rule = next((rule for rule, stated in skill.rules.items() if stated == phrase), "")
    texts = context.wordings.rules.get(rule)
    return pick(texts, rng).replace("{phrase}", phrase) if texts else text


@lru_cache(maxsize=65536)
def only_phrase(text: str) -> str:
    """The phrase that a sentence quotes if it says nothing else (no other clause, name or number); empty if none."""
    quotes = _QUOTED.findall(text)
    rest = _QUOTED.sub("", text)
    return "".join(quotes[0]) if len(quotes) == 1 and not _PAUSE.search(rest) and not _has_name(rest) else ""


def bullets_free(body: str) -> tuple[int, ...]:
    """Line numbers of bullets that quote nothing and hold no number or name; none if it is the only bullet."""
    lines = body.split("\n")
    bullets = [number for number, line in enumerate(lines) if line.startswith(BULLET)]
    free = [number for number in bullets if not (_QUOTED.search(lines[number]) or _has_name(lines[number][2:]))]
    return tuple(free) if len(bullets) > 1 else ()


def _masked(skill: Skill, rng: Random) -> str:
    free = bullets_free(skill.body)
    if not free:
        return skill.body
    lines = skill.body.split("\n")
    del lines[free[int(rng.random() * len(free))]]
    return "\n".join(lines)


def _has_name(text: str) -> bool:
    return any("_" in word or word.startswith("{") or any(char.isdigit() for char in word) for word in words_in(text))


OPERATORS = (
    Operator("paraphrase_rules", "skill_content", "rules of skill bodies in other words; phrases stay", paraphrase),
    Operator("reorder_rules", "skill_content", "order of rules in skill bodies", reorder),
    Operator("mask_rules", "skill_content", "unchecked rules of skill bodies are taken away", mask),
    Operator(
        "swap_phrases", "skill_content", "other opening and closing phrases, body and metadata alike", swap_phrases
    ),
)
