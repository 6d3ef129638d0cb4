"""What the tiny base knows of its language: every wording of the livestream, whatever split it belongs to.

A real base has met all words long before a harness is written. The one-step drills take from here; episodes are told
in wordings of the train split alone, and `held_out` says which questions they must not hold.
"""

import re
from collections.abc import Sequence
from functools import cache

from hat.domains.livestream import Livestream
from hat.domains.livestream.split import SPLITS
from hat.domains.livestream.tasks import Generator
from hat.domains.livestream.wordings import Wordings as Words
from hat.domains.livestream.wordings import wordings as spoken
from hat.hsa.wordings import Distractor, Texts, Wordings
from hat.hsa.wordings import wordings as written

LOCALE = "zh-CN"
_SLOT = re.compile(r"\\\{(\w+)\\\}")
_LINK = r"(?:[\d一二三四五六七八九十]+号(?:链接)?|这[款个件])"
_FILLED = {"ref": _LINK, "other": _LINK, "height": r"\d+", "weight": r"\d+"}
"""What may stand in the slots of a question; any text in the others."""


@cache
def livestream() -> Livestream:
    """The example domain's train split."""
    return Livestream(split="train")


def every_word() -> Words:
    """What viewers may say, of all splits."""
    return spoken(LOCALE, *SPLITS)


@cache
def every_question() -> Generator:
    """Tasks in the rooms of the train split, asked in the words of all splits."""
    return livestream().generator.speaking(every_word())


@cache
def every_wording() -> Wordings:
    """What harnesses may say, of all splits."""
    parts = [written(LOCALE, split) for split in SPLITS]

    def groups(name: str) -> dict[str, Texts]:
        keys = dict.fromkeys(key for part in parts for key in getattr(part, name))
        return {key: _joined([getattr(part, name).get(key, ()) for part in parts]) for key in keys}

    def distractors(name: str) -> tuple[Distractor, ...]:
        found = zip(*(getattr(part, name) for part in parts), strict=True)
        return tuple(same[0]._replace(descriptions=_joined([one.descriptions for one in same])) for same in found)

    return Wordings(
        tools=groups("tools"),
        skills=groups("skills"),
        rules=groups("rules"),
        phrases=groups("phrases"),
        sentences=groups("sentences"),
        retry=_joined([part.retry for part in parts]),
        forms=_joined([part.forms for part in parts]),
        distractor_tools=distractors("distractor_tools"),
        distractor_skills=distractors("distractor_skills"),
    )


@cache
def fillers() -> list[str]:
    """Sentences of a harness that ask for no phrase and hold no slot."""
    return [text for texts in dict.fromkeys(every_wording().sentences.values()) for text in texts if "{" not in text]


def held_out(message: str) -> bool:
    """Whether a message asks in the words of a question of the dev or test split."""
    return _questions_held_out().fullmatch(message) is not None


@cache
def _questions_held_out() -> re.Pattern[str]:
    held = [spoken(LOCALE, split) for split in SPLITS if split != "train"]
    texts = [text for words in held for said in words.questions.values() for text in said]
    return re.compile("|".join(_SLOT.sub(lambda slot: _FILLED.get(slot[1], ".+"), re.escape(text)) for text in texts))


def _joined(parts: Sequence[Texts]) -> Texts:
    return tuple(dict.fromkeys(text for part in parts for text in part))
