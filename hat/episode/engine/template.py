"""From conversations to token ids: the prompt once, then only what is new, appended to what was sampled.

The tokenizer's chat template says how a conversation is written. For templates of Qwen's form (checked against the
template itself when this is made) the few rules below write the same text without running it; for others, what is new
is the difference between two renderings. What the model sampled is never tokenised again.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hat.episode.chat import ChatRequest, Message, ToolCall

Ids = list[int]

_START, _END = "<|im_start|>", "<|im_end|>"
_REMEMBERED = 256
"""System prompts whose tokens are kept."""


class ChatFormat:
    """Writes conversations in a tokenizer's chat template. Raises `ValueError` if the tokenizer has none."""

    def __init__(self, tokenizer: Any) -> None:
        if not getattr(tokenizer, "chat_template", None):
            raise ValueError(
                f"tokenizer {getattr(tokenizer, 'name_or_path', '')!r} has no chat template; "
                "give it one, such as TRL's qwen3_instruct_2507.jinja"
            )
        self.tokenizer = tokenizer
        self._systems: dict[tuple[str, str], Ids] = {}
        self.by_rule = self._rules_hold()
        ends = {tokenizer.eos_token_id, self._id(_END), self._id("<|endoftext|>")}
        self.stops: frozenset[int] = frozenset(token for token in ends if token is not None)
        """Tokens that end an assistant's turn."""
        self._turn_end = self._id(_END) if self.by_rule else tokenizer.eos_token_id

    def prompt(self, request: ChatRequest) -> Ids:
        """Token ids of the conversation so far and the opening of the assistant's answer."""
        if not self.by_rule or request.messages[0].role != "system":
            return self.encode(self._render(request.messages, request.tools, opening=True))
        head, *rest = request.messages
        key = (head.content, json.dumps(request.tools))
        if key not in self._systems:
            if len(self._systems) >= _REMEMBERED:
                self._systems.pop(next(iter(self._systems)))
            self._systems[key] = self.encode(self._render([head], request.tools))
        return self._systems[key] + self.encode(write_messages(rest) + write_opening())

    def suffix(self, request: ChatRequest, answered: int, last: int) -> Ids:
        """What follows the model's answer, up to the opening of its next one.

        Args:
            request: the next request.
            answered: messages in the conversation before this answer.
            last: the answer's last token; the end of the turn is added if the answer was cut off.
        """
        cut_off = "" if last == self._turn_end else self._end
        if self.by_rule:
            return self.encode(cut_off + "\n" + write_messages(request.messages[answered + 1 :]) + write_opening())
        before = self._render(request.messages[: answered + 1], request.tools)
        after = self._render(request.messages, request.tools, opening=True)
        if not after.startswith(before):
            raise ValueError(
                "this chat template rewrites earlier turns when the conversation goes on, so sampled tokens cannot be "
                "kept; use one that only appends, such as TRL's qwen3_instruct_2507.jinja"
            )
        tail = before.rpartition(self._end)[2] if self._end in before else ""
        return self.encode(cut_off + tail + after[len(before) :])

    def text(self, ids: Sequence[int]) -> str:
        """What an answer says, without the token that ended it."""
        spoken = ids[:-1] if ids and ids[-1] in self.stops else ids
        backend = getattr(self.tokenizer, "backend_tokenizer", None)
        if backend is not None:
            return str(backend.decode(list(spoken), skip_special_tokens=False))
        return str(self.tokenizer.decode(list(spoken), clean_up_tokenization_spaces=False))

    def encode(self, text: str) -> Ids:
        """Token ids of text as it stands."""
        text = text.encode("utf-8", "replace").decode()  # tokenizers refuse half characters
        backend = getattr(self.tokenizer, "backend_tokenizer", None)
        if backend is not None:
            return list(backend.encode(text, add_special_tokens=False).ids)
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    @property
    def _end(self) -> str:
        return _END if self.by_rule else str(self.tokenizer.eos_token)

    def _id(self, token: str) -> int | None:
        found: int | None = self.tokenizer.get_vocab().get(token)
        return found

    def _render(self, messages: Iterable[Message], tools: Iterable[dict[str, Any]], *, opening: bool = False) -> str:
        return str(
            self.tokenizer.apply_chat_template(
                [template_form(message) for message in messages],
                tools=list(tools) or None,
                add_generation_prompt=opening,
                tokenize=False,
            )
        )

    def _rules_hold(self) -> bool:
        """Whether the rules write a conversation of every kind of message as the template does, in text and tokens."""
        if self._id(_START) is None or self._id(_END) is None:
            return False
        head, *rest = _PROBE
        try:
            whole, system = self._render(_PROBE, (), opening=True), self._render([head], ())
        except Exception:  # boundary: a template is a foreign program; one that refuses the probe is not Qwen's
            return False
        written = write_messages(rest) + write_opening()
        if whole != system + written:
            return False
        cut = written.index(_END) + len(_END)
        apart = [self.encode(system), self.encode(written[:cut]), self.encode(written[cut:])]
        return self.encode(whole) == [token for ids in apart for token in ids]


def template_form(message: Message) -> dict[str, Any]:
    """A message as chat templates take it: arguments parsed where they could be."""
    data: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        data["tool_calls"] = [
            {"type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return data


def write_opening() -> str:
    """The opening of an assistant's answer."""
    return f"{_START}assistant\n"


def write_messages(messages: Sequence[Message]) -> str:
    """Messages after the system prompt as the `qwen3_instruct_2507` template writes them."""
    pieces = []
    for i, message in enumerate(messages):
        if message.role == "tool":
            opens = i == 0 or messages[i - 1].role != "tool"
            closes = i + 1 == len(messages) or messages[i + 1].role != "tool"
            pieces.append(f"{_START}user" if opens else "")
            pieces.append(f"\n<tool_response>\n{message.content}\n</tool_response>")
            pieces.append(f"{_END}\n" if closes else "")
        else:
            pieces.append(f"{_START}{message.role}\n{message.content}{_write_calls(message)}{_END}\n")
    return "".join(pieces)


def _write_calls(message: Message) -> str:
    pieces = []
    for i, call in enumerate(message.tool_calls):
        arguments = (
            call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
        )
        pieces.append("\n" if i or message.content else "")
        pieces.append(f'<tool_call>\n{{"name": "{call.name}", "arguments": {arguments}}}\n</tool_call>')
    return "".join(pieces)


_PROBE = (
    Message(role="system", content="s"),
    Message(role="user", content="早 <u>"),
    Message(role="assistant", content="a"),
    Message(role="user", content="b\n"),
    Message(
        role="assistant",
        content="看",
        tool_calls=(
            ToolCall(id="0", name="f", arguments={"x": "价", "y": 1}),
            ToolCall(id="1", name="g", arguments={}),
        ),
    ),
    Message(role="tool", content='{"k": 1}', tool_call_id="0"),
    Message(role="tool", content="没有", tool_call_id="1"),
    Message(role="assistant", tool_calls=(ToolCall(id="2", name="f", arguments="{raw"),)),
    Message(role="tool", content="{}", tool_call_id="2"),
)
