"""The tiny base's tokenizer: any text survives, names and glue are short, cuts don't depend on the surroundings."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hat.domains.livestream import Livestream
from hat.harness import render_system, tool_schemas
from hat.training.base.tokenizer import MARKS, SPECIAL

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def test_any_text__survives(tokenizer: Any) -> None:
    @given(TEXT)
    def law(text: str) -> None:
        ids = tokenizer.encode(text, add_special_tokens=False)
        assert tokenizer.decode(ids) == text

    law()


def test_pieces_around_a_mark__are_cut_as_if_alone(tokenizer: Any) -> None:
    @given(TEXT, TEXT, st.sampled_from([*SPECIAL, *MARKS]))
    def law(before: str, after: str, mark: str) -> None:
        def encode(text: str) -> list[int]:
            return list(tokenizer.encode(text, add_special_tokens=False))

        assert encode(before + mark + after) == encode(before) + encode(mark) + encode(after)

    law()


def test_example_prompt__takes_fewer_tokens_than_characters(tokenizer: Any) -> None:
    harness = Livestream().harness()
    messages = [{"role": "system", "content": render_system(harness)}]
    text = tokenizer.apply_chat_template(messages, tools=tool_schemas(harness), tokenize=False)
    ids = tokenizer.encode(text, add_special_tokens=False)
    assert tokenizer.decode(ids) == text
    assert len(ids) < 650
    assert len(text) > 2000


def test_known_identifier__is_one_token_and_is_not_cut_out_of_a_longer_one(tokenizer: Any) -> None:
    assert len(tokenizer.encode("get_stock", add_special_tokens=False)) == 1
    assert len(tokenizer.encode("get_stocks", add_special_tokens=False)) > 1
    assert tokenizer.tokenize("zapo_kiru") == ["za", "po", "_", "ki", "ru"]
