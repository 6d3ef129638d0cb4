"""Conversations to tokens and back."""

import json

import pytest
from engine_toys import TOOL, toy_tokenizer
from hypothesis import given
from hypothesis import strategies as st

from hat.episode import ChatRequest, Message, ToolCall
from hat.episode.engine.parse import parse_assistant
from hat.episode.engine.template import ChatFormat, template_form, write_messages

TOKENIZER = toy_tokenizer()
FORMAT = ChatFormat(TOKENIZER)
NAMES = st.text("abc_", min_size=1, max_size=6)
TEXTS = st.text(st.characters(exclude_characters="<>", exclude_categories=("Cs",)), max_size=12)
ARGUMENTS = st.dictionaries(NAMES, st.one_of(st.integers(), TEXTS, st.lists(st.integers(), max_size=2)), max_size=3)


@given(TEXTS, st.lists(st.tuples(NAMES, ARGUMENTS), max_size=3))
def test_parse__undoes_rendering(content: str, calls: list[tuple[str, dict[str, object]]]) -> None:
    message = Message(
        role="assistant",
        content=content,
        tool_calls=tuple(ToolCall(id=f"call_{i}", name=name, arguments=args) for i, (name, args) in enumerate(calls)),
    )
    text = write_messages([message]).removeprefix("<|im_start|>assistant\n").removesuffix("<|im_end|>\n")
    assert parse_assistant(text) == message
    assert write_messages([parse_assistant(text)]) == write_messages([message])


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ('<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>', "f", {"a": 1}),
        ('<tool_call>{"name": "f"}</tool_call>', "f", {}),
        ('<tool_call>\n{"name": "f", "arguments": "x"}\n</tool_call>', "f", "x"),
        ('<tool_call>\n{"name": "f", "arguments": [1]}\n</tool_call>', "f", "[1]"),
        ('<tool_call>\n{"name": "f", "arguments": {"a": }}\n</tool_call>', "f", '{"a": }'),
        ('<tool_call>\n{"name": "f", "arguments": {"a": 1}}', "f", {"a": 1}),
        ('<tool_call>{"name": "f", "arguments": {"a": "\\ud800"}}</tool_call>', "f", '{"a": "\\ud800"}'),
        ('<tool_call>{"name": "f", "arguments": {"a": NaN}}</tool_call>', "f", '{"a": NaN}'),
        ('<tool_call>{"name": "f", "arguments": ' + "[" * 9999 + "}</tool_call>", "f", "[" * 9999),
    ],
)
def test_parse__one_call(text: str, name: str, arguments: object) -> None:
    message = parse_assistant(text, first_call=4)
    assert [(call.id, call.name, call.arguments) for call in message.tool_calls] == [("call_4", name, arguments)]
    assert message.content == ""


@pytest.mark.parametrize(
    "text",
    [
        "好的",
        "<tool_call>\nhello\n</tool_call>",
        '<tool_call>\n{"name": "f", "argu',
        "<tool_call>\n[1]\n</tool_call>",
        "</tool_call>",
    ],
)
def test_parse__what_is_no_call_stays_text(text: str) -> None:
    message = parse_assistant(text)
    assert (message.content, message.tool_calls) == (text, ())


def test_broken_call__is_written_back_as_it_was() -> None:
    text = '<tool_call>\n{"name": "f", "arguments": {"a": 1,}}\n</tool_call>'
    assert text in write_messages([parse_assistant(text)])


def _dialogue() -> ChatRequest:
    call = ToolCall(id="0", name="get_price", arguments={"link_id": 3})
    messages = (
        Message(role="system", content="你是助手"),
        Message(role="user", content="多少钱？"),
        Message(role="assistant", tool_calls=(call, call)),
        Message(role="tool", content='{"price": 9}', tool_call_id="0"),
        Message(role="tool", content='{"error": "timeout"}', tool_call_id="0"),
        Message(role="assistant", content="9元"),
        Message(role="user", content="再说一次"),
    )
    return ChatRequest(messages=messages, tools=(TOOL,))


def _whole(request: ChatRequest) -> list[int]:
    return list(
        TOKENIZER.apply_chat_template(
            [template_form(m) for m in request.messages],
            tools=list(request.tools) or None,
            add_generation_prompt=True,
            return_dict=False,
        )
    )


@pytest.mark.parametrize("by_rule", [True, False])
@pytest.mark.parametrize("count", [2, 5, 7])
def test_prompt__equals_the_template(count: int, *, by_rule: bool) -> None:
    chat_format = ChatFormat(TOKENIZER)
    assert chat_format.by_rule
    chat_format.by_rule = by_rule
    request = ChatRequest(messages=_dialogue().messages[:count], tools=(TOOL,))
    assert chat_format.prompt(request) == _whole(request)


@pytest.mark.parametrize("by_rule", [True, False])
@pytest.mark.parametrize(("answered", "upto"), [(2, 5), (5, 7)])
def test_suffix__prompt_answer_and_suffix_make_the_next_prompt(answered: int, upto: int, *, by_rule: bool) -> None:
    chat_format = ChatFormat(TOKENIZER)
    chat_format.by_rule = by_rule
    messages = _dialogue().messages
    before = ChatRequest(messages=messages[:answered], tools=(TOOL,))
    after = ChatRequest(messages=messages[:upto], tools=(TOOL,))
    text = write_messages([messages[answered]]).removeprefix("<|im_start|>assistant\n").removesuffix("\n")
    said = FORMAT.encode(text)
    assert chat_format.prompt(before) + said + chat_format.suffix(after, answered, said[-1]) == _whole(after)


def test_suffix__ends_an_answer_that_was_cut_off() -> None:
    messages = _dialogue().messages
    after = ChatRequest(messages=messages[:5], tools=(TOOL,))
    said = FORMAT.encode("<tool_call>\n")
    assert TOKENIZER.decode(FORMAT.suffix(after, 2, said[-1])).startswith(
        "<|im_end|>\n<|im_start|>user\n<tool_response>"
    )


def test_template__that_rewrites_history_is_refused() -> None:
    tokenizer = toy_tokenizer()
    tokenizer.chat_template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.role != 'assistant' or loop.last %}{{ m.content }}"
        "{% endif %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    chat_format = ChatFormat(tokenizer)
    assert not chat_format.by_rule
    with pytest.raises(ValueError, match="rewrites earlier turns"):
        chat_format.suffix(_dialogue(), 5, 2)


def test_encode__half_characters_become_question_marks() -> None:
    assert FORMAT.encode("a\ud800") == FORMAT.encode("a?")


def test_template__missing_is_named() -> None:
    tokenizer = toy_tokenizer()
    tokenizer.chat_template = None
    with pytest.raises(ValueError, match="has no chat template"):
        ChatFormat(tokenizer)


def test_system_prompts__are_told_apart_by_their_tools() -> None:
    request = ChatRequest(messages=_dialogue().messages[:2], tools=(TOOL,))
    bare = ChatRequest(messages=request.messages, tools=())
    other = json.loads(json.dumps(TOOL).replace("get_price", "get_stock"))
    prompts = [FORMAT.prompt(r) for r in (request, bare, ChatRequest(messages=request.messages, tools=(other,)))]
    assert len({tuple(p) for p in prompts}) == 3
    assert prompts[1] == _whole(bare)
