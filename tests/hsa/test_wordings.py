import re

import pytest

from hat.domains.livestream.lexicon import lexicon
from hat.domains.livestream.split import SPLITS, Split
from hat.hsa.wordings import Wordings, cut, wordings
from tests.hsa.harnesses import livestream

LOCALES = ("zh-CN", "en")


def groups(words: Wordings) -> dict[str, tuple[str, ...]]:
    named = {"tools": words.tools, "skills": words.skills, "rules": words.rules, "phrases": words.phrases}
    lists = {f"{kind} {key}": texts for kind, group in named.items() for key, texts in group.items()}
    lists |= {f"sentence {key}": texts for key, texts in words.sentences.items()}
    lists |= {f"distractor {d.key}": d.descriptions for d in (*words.distractor_tools, *words.distractor_skills)}
    return lists | {"retry": words.retry, "forms": words.forms}


@pytest.mark.parametrize("locale", LOCALES)
def test_wordings__splits_share_nothing(locale: str) -> None:
    train, dev, test = (groups(wordings(locale, split)) for split in SPLITS)
    for key in train:
        assert not set(train[key]) & set(dev[key]), key
        assert not (set(train[key]) | set(dev[key])) & set(test[key]), key
        assert train[key], key
        assert test[key], key


@pytest.mark.parametrize("locale", LOCALES)
def test_wordings__test_half_is_the_lexicons(locale: str) -> None:
    half = lexicon(locale).half("test")
    assert {key: set(texts) for key, texts in wordings(locale, "test").tools.items()} == {
        key: set(texts) for key, texts in half.tools.items()
    }


@pytest.mark.parametrize("locale", LOCALES)
def test_wordings__sentences_of_a_group_hold_the_same_placeholders(locale: str) -> None:
    for split in SPLITS:
        for known, others in wordings(locale, split).sentences.items():
            for other in others:
                # a hook's message may leave a payload value out, a section's limit must stay
                wanted = {p for p in re.findall(r"\{\w+\}", known) if p.startswith("{max_")}
                assert wanted <= set(re.findall(r"\{\w+\}", other)), other


@pytest.mark.parametrize("locale", LOCALES)
def test_wordings__every_rule_of_the_example_has_other_words(locale: str) -> None:
    harness, words = livestream(locale).harness(), wordings(locale, "train")
    lines = [line for section in harness.sections for line in section.body.split("\n")]
    lines += [line for skill in harness.skills for line in skill.body.split("\n")]
    plain = [line.removeprefix("- ") for line in lines if line and not re.search(r"^#|“|\"", line)]
    assert [line for line in plain if line not in words.sentences] == []
    assert [h.message for h in harness.hooks if h.name != "input_check" and h.message not in words.sentences] == []


def test_cut__parts_make_the_whole() -> None:
    texts = [f"text {number}" for number in range(13)]
    parts = [cut(texts, split, "salt") for split in SPLITS]
    assert sorted(text for part in parts for text in part) == sorted(texts)


def test_wordings__no_text_stands_for_two_things() -> None:
    words = [wordings("zh-CN", split) for split in SPLITS]
    for kind in ("tools", "skills"):
        said = [text for part in words for texts in getattr(part, kind).values() for text in texts]
        assert sorted(said) == sorted(set(said))


def test_wordings__training_has_more_than_the_lexicon() -> None:
    assert all(len(texts) >= 15 for texts in wordings("zh-CN", "train").tools.values())
    assert all(len(texts) >= 12 for texts in wordings("zh-CN", "train").rules.values())


def test_phrases__are_short_and_hold_no_number() -> None:
    for split in SPLITS:
        for texts in wordings("zh-CN", split).phrases.values():
            assert all(len(text) <= 6 and not re.search(r"\d", text) for text in texts)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("split", ["dev", "test"])
def test_wordings__held_out_ones_are_not_the_examples_own(locale: str, split: Split) -> None:
    harness, words = livestream(locale).harness(), wordings(locale, split)
    lines = [line for part in (*harness.sections, *harness.skills) for line in part.body.split("\n")]
    own = {line.removeprefix("- ") for line in lines} | {hook.message for hook in harness.hooks}
    own |= {part.description for part in (*harness.tools, *harness.skills)}
    own |= {phrase for skill in harness.skills for phrase in skill.rules.values()}
    said = {text for texts in groups(words).values() for text in texts}
    assert sorted(own & said) == []
