"""The words for re-describing a harness: enough of them, halves that do not meet, phrases that cannot be confused."""

import pytest

from hat.domains.livestream.lexicon import lexicon

LOCALES = ["zh-CN", "en"]
GROUPS = ["tools", "skills", "rules", "phrases"]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("group", GROUPS)
def test_halves__disjoint_and_whole(locale: str, group: str) -> None:
    whole = lexicon(locale)
    train, test = whole.half("train"), whole.half("test")
    for key, texts in getattr(whole, group).items():
        left, right = getattr(train, group)[key], getattr(test, group)[key]
        assert left
        assert right
        assert sorted(left + right) == sorted(set(texts))


def test_chinese__enough_short_descriptions() -> None:
    words = lexicon("zh-CN")
    assert len(words.tools) == 9
    assert len(words.skills) == 7
    for texts in [*words.tools.values(), *words.skills.values()]:
        assert len(texts) >= 8
        assert all(3 <= len(text) <= 14 for text in texts)
    assert len(words.phrases["opening"]) >= 10
    assert len(words.phrases["closing"]) >= 14


@pytest.mark.parametrize("locale", LOCALES)
def test_descriptions__name_one_thing_only(locale: str) -> None:
    words = lexicon(locale)
    texts = [text for group in (words.tools, words.skills) for entries in group.values() for text in entries]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("locale", LOCALES)
def test_phrases__none_passes_for_another_and_none_holds_a_number(locale: str) -> None:
    words = lexicon(locale)
    openings, closings = words.phrases["opening"], words.phrases["closing"]
    assert not [(a, b) for a in openings for b in openings if a != b and b.startswith(a)]
    assert not [(a, b) for a in closings for b in closings if a != b and b.endswith(a)]
    assert not [text for text in openings + closings if any(letter.isdigit() for letter in text)]


@pytest.mark.parametrize("locale", LOCALES)
def test_rules__take_the_phrase(locale: str) -> None:
    rules = lexicon(locale).rules
    assert all("{phrase}" in text for texts in rules.values() for text in texts)
    assert all(len(texts) >= 6 for texts in rules.values())
