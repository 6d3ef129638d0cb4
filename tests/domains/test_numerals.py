"""Numbers in speech come to one form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hat.domains.numerals import from_chinese, numbers, to_chinese


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3号链接299元", ["3", "299"]),
        ("只要9.90元", ["9.9"]),
        ("原价1,299元", ["1299"]),
        ("299，199", ["299", "199"]),
        ("００７号", ["7"]),
        ("２１：３０抽奖", ["21:30"]),
        ("21点半开始", ["21:30"]),
        ("晚上8点抽奖", ["20:00"]),
        ("8点15分", ["08:15"]),
        ("二百九十九元", ["299"]),
        ("三号链接还有十二件", ["3", "12"]),
        ("一下就好，一起来，买一件", []),
        ("三十天", ["30"]),
        ("price 1299.00 yuan", ["1299"]),
        ("没有数字", []),
    ],
)
def test_numbers__one_form(text: str, found: list[str]) -> None:
    assert numbers(text) == found


@given(st.integers(min_value=1, max_value=99))
def test_chinese_numerals__undo(number: int) -> None:
    assert from_chinese(to_chinese(number)) == number


@given(st.integers(min_value=0, max_value=10**9), st.sampled_from(["{}元", "是{}号", "({})", "a {} b", "{:,} yuan"]))
def test_whole_numbers__found_in_any_frame(number: int, frame: str) -> None:
    assert numbers(frame.format(number)) == [str(number)]


@given(st.text(max_size=80))
def test_any_text__numbers_are_stable(text: str) -> None:
    found = numbers(text)
    assert numbers(" ".join(found)) == found
