"""Reasoning is kept in the trace, never spoken, never sent back.

`<think>...</think>` goes wherever it stands; an unclosed block goes to the end, and a block whose start was part of
the prompt goes from the start. Taking it out twice is the same as once.
"""

import re

BLOCK = re.compile(r"<think>(.*?)(?:</think>|\Z)", re.DOTALL)
"""A block of thought, closed or not."""
END = "</think>"
PASSES = 3
"""Text in which tags still appear after so many passes is built to deceive; all of it counts as thought."""


def split_reasoning(text: str) -> tuple[str, str | None]:
    """What may be spoken, and the thought found in the text (None if there is none)."""
    if "<think>" not in text and END not in text:
        return text, None
    thoughts: list[str] = []
    for _ in range(PASSES):
        thoughts += BLOCK.findall(text)
        text = BLOCK.sub("", text)
        thought, end, text = text.rpartition(END)
        thoughts += [thought] if end else []
    if "<think>" in text or END in text:
        thoughts, text = [*thoughts, text], ""
    return text.strip(), "\n".join(thought.strip() for thought in thoughts)
