"""All wordings that augmentation draws from, by language and split: the domain's lexicon and the transforms' own.

Guarantees: the splits of every list are disjoint. Test is the lexicon's test half (`Lexicon.half("test")`); dev is cut
from the end of its train half (a twelfth of the list, one at least), train is the rest and `wordings_more_zh`. A list
too short for a split has none there, and a transform that finds none is not applicable.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from hat.domains.livestream.lexicon import lexicon
from hat.domains.livestream.split import Split, ranked
from hat.hsa import wordings_en, wordings_more_zh, wordings_zh

Texts = tuple[str, ...]


class Distractor(NamedTuple):
    """A tool or skill that no task needs."""

    key: str
    param: tuple[str, str] | None
    """JSON type and description of its parameter, if it has one."""
    descriptions: Texts


@dataclass(frozen=True)
class Wordings:
    """What one split may say."""

    tools: Mapping[str, Texts]
    """Canonical tool to descriptions."""
    skills: Mapping[str, Texts]
    """Canonical skill to descriptions."""
    rules: Mapping[str, Texts]
    """`opening`, `closing` to sentences with `{phrase}`."""
    phrases: Mapping[str, Texts]
    """`opening`, `closing` to phrases."""
    sentences: Mapping[str, Texts]
    """A known sentence (rule, section line, hook message) to others of the same meaning."""
    retry: Texts
    """Neutral messages that ask to do the same again."""
    forms: Texts
    """Shapes of a hook's message, `{}` takes it."""
    distractor_tools: tuple[Distractor, ...]
    distractor_skills: tuple[Distractor, ...]


def cut(texts: Sequence[str], split: Split, salt: str) -> Texts:
    """The part of a list that belongs to a split."""
    order = ranked(texts, salt=salt)
    middle = (len(order) + 1) // 2
    held = max(1, len(order) // 12) if middle >= 3 else 0
    parts = {"train": order[: middle - held], "dev": order[middle - held : middle], "test": order[middle:]}
    return tuple(parts[split])


@cache
def wordings(locale: str, split: Split) -> Wordings:
    """The wordings of a language (Chinese for `zh...`, English otherwise) that belong to `split`."""
    words = lexicon(locale)
    own = wordings_zh if locale.lower().startswith("zh") else wordings_en

    known = _more(locale)
    more = known if split == "train" else {}

    def cuts(kind: str, group: Mapping[str, Texts]) -> dict[str, Texts]:
        return {key: cut(texts, split, key) + more.get(kind, {}).get(key, ()) for key, texts in group.items()}

    return Wordings(
        tools=cuts("tools", words.tools),
        skills=cuts("skills", words.skills),
        rules=cuts("rules", words.rules),
        phrases=cuts("phrases", words.phrases),
        sentences=_sentences(f"{own.RULES}\n\n{own.SECTIONS}\n\n{own.MESSAGES}", split, known.get("sentences", {})),
        retry=cut(own.RETRY.split("|"), split, "retry") + more.get("hooks", {}).get("retry", ()),
        forms=cut(own.FORMS.split("|"), split, "forms") + more.get("hooks", {}).get("forms", ()),
        distractor_tools=_distractors(own.TOOLS, split),
        distractor_skills=_distractors(own.SKILLS, split),
    )


def all_texts(locale: str) -> list[str]:
    """Every text that a variant in this language may hold, of all splits; what a tokenizer must be able to write."""
    words = lexicon(locale)
    own = wordings_zh if locale.lower().startswith("zh") else wordings_en
    groups = (words.tools, words.skills, words.rules, words.phrases, *_more(locale).values())
    plain = [own.RULES, own.SECTIONS, own.MESSAGES, own.RETRY, own.FORMS, own.TOOLS, own.SKILLS]
    return [*(text for group in groups for texts in group.values() for text in texts), *plain]


def _more(locale: str) -> dict[str, dict[str, Texts]]:
    """Wordings for training beyond the lexicon's: kind and key to texts."""
    if not locale.lower().startswith("zh"):
        return {}
    more = wordings_more_zh
    kinds = {"tools": more.TOOLS, "skills": more.SKILLS, "rules": more.RULES, "phrases": more.PHRASES}
    kinds |= {"sentences": more.SENTENCES, "hooks": {"retry": more.RETRY, "forms": more.FORMS}}
    return {kind: {key: tuple(text.split()) for key, text in group.items()} for kind, group in kinds.items()}


def _groups(text: str) -> list[list[str]]:
    return [block.strip().split("\n") for block in text.strip().split("\n\n") if block.strip()]


def _sentences(text: str, split: Split, more: Mapping[str, Texts]) -> dict[str, Texts]:
    found: dict[str, Texts] = {}
    for own, *others in _groups(text):
        texts = cut(others, split, own) + (more.get(own, ()) if split == "train" else ())
        found |= dict.fromkeys([own, *others, *more.get(own, ())], texts)
    return found


def _distractors(text: str, split: Split) -> tuple[Distractor, ...]:
    found = []
    for head, descriptions in _groups(text):
        key, *param = head.split(":")
        found.append(Distractor(key, (param[0], param[1]) if param else None, cut(descriptions.split("|"), split, key)))
    return tuple(found)
