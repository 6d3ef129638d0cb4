"""The tiny base's tokenizer: a token per Chinese character, syllable of a name, known identifier or JSON glue.

Any text survives a round trip: what is not in the vocabulary falls back to bytes. Text is cut by one regular
expression, longest pieces first, and each piece found in the vocabulary is a token (`ignore_merges`); there are no
merges to learn, so the same text always gives the same tokens, wherever it stands.
"""

import re
from collections.abc import Iterable
from importlib.resources import files

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from hat.domains.syllables import SYLLABLES

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")
"""Added tokens that a decoder keeps, as in Qwen3."""
GLUE = (
    (
        "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
        "You are provided with function signatures within <tools></tools> XML tags:\n<tools>"
    ),
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments within ",
    " XML tags:\n",
    '\n{"name": <function-name>, "arguments": <args-json-object>}\n',
    '\n{"type": "function", "function": {"name": "',
    '", "description": "',
    '", "parameters": {"type": "object", "properties": {"',
    '", "parameters": {"type": "object", "properties": {}, "required": []}}}',
    '": {"type": "integer", "description": "',
    '": {"type": "string", "description": "',
    '"}, "',
    '"}}, "required": ["',
    '", "enum": ["',
    '"]}}, "required": ["',
    '"]}}}',
    ', "required": ["',
    ', "additionalProperties": false',
    '\n{"name": "',
    '", "arguments": {"',
    '", "arguments": {}',
    '", "',
    ', "',
    '": "',
    '": [',
    '": {"',
    '": ',
    '{"',
    '"}}',
    '"}',
    '"]',
    '["',
    "}}\n",
    '"}}\n',
    "}}}",
    "}}",
    '{"error": "',
    "system\n",
    "user\n",
    "assistant\n",
    "\n\n",
    "\n- ",
    "- ",
    "# ",
    "current_link_id=",
    " time=",
)
"""Strings of the chat template and of JSON that always stand together."""


def build_tokenizer(identifiers: Iterable[str], texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """A tokenizer that knows the glue, `identifiers`, syllables, ASCII and every other character of `texts`.

    The chat template is TRL's bundled `qwen3_instruct_2507`.
    """
    names = sorted(set(identifiers) - set(SYLLABLES))
    seen = {char for text in texts for char in text if ord(char) > 126}
    ascii_chars = ["\n", "\t", *map(chr, range(32, 127))]
    pieces = [*GLUE, *names, *SYLLABLES, *ascii_chars, *sorted(seen)]
    vocabulary = [*SPECIAL, *MARKS, *(f"<0x{byte:02X}>" for byte in range(256)), *dict.fromkeys(pieces)]
    backend = Tokenizer(
        models.BPE(
            vocab={token: i for i, token in enumerate(vocabulary)},
            merges=[],
            byte_fallback=True,
            ignore_merges=True,
            fuse_unk=False,
        )
    )
    backend.pre_tokenizer = pre_tokenizers.Split(Regex(_pattern(names)), behavior="isolated")
    backend.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    backend.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in SPECIAL])
    backend.add_tokens([AddedToken(token, normalized=False, special=False) for token in MARKS])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        eos_token="<|im_end|>",  # noqa: S106  no password
        pad_token="<|endoftext|>",  # noqa: S106  no password
        padding_side="left",
        clean_up_tokenization_spaces=False,
        model_max_length=4096,
    )
    tokenizer.chat_template = chat_template()
    return tokenizer


def chat_template() -> str:
    """TRL's `qwen3_instruct_2507` template, verbatim: it renders the same before and after a tool call."""
    return (files("trl") / "chat_templates" / "qwen3_instruct_2507.jinja").read_text(encoding="utf-8")


def _pattern(identifiers: list[str]) -> str:
    """Glue, identifiers, syllables, then any character; longest first. No identifier is cut out of a longer word."""
    glue = "|".join(re.escape(text) for text in sorted(GLUE, key=len, reverse=True))
    names = "|".join(re.escape(name) for name in sorted(identifiers, key=len, reverse=True))
    return rf"{glue}|(?<![A-Za-z0-9_])(?:{names})(?![A-Za-z0-9_])|[bdfghjklmnprstvwz][aeiou]|[\s\S]"
