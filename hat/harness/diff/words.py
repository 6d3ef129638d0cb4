"""Two texts compared by word: first by line, then within the lines that differ. Chinese goes by character."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import groupby

from hat.harness.diff.changes import Span

WORD = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)


def word_diff(before: str, after: str) -> tuple[Span, ...]:
    """Spans whose equal and deleted text is `before`, and whose equal and inserted text is `after`."""
    spans: list[Span] = []
    for op, old, new in _blocks(before.splitlines(keepends=True), after.splitlines(keepends=True)):
        spans += [Span(op="equal", text=old)] if op == "equal" else _words(old, new)
    joined = [(op, "".join(span.text for span in run)) for op, run in groupby(spans, key=lambda span: span.op)]
    return tuple(Span(op=op, text=text) for op, text in joined if text)


def _words(before: str, after: str) -> Iterator[Span]:
    for op, old, new in _blocks(WORD.findall(before), WORD.findall(after)):
        if op == "equal":
            yield Span(op="equal", text=old)
        else:
            yield from (Span(op="delete", text=old), Span(op="insert", text=new))


def _blocks(before: list[str], after: list[str]) -> Iterator[tuple[str, str, str]]:
    for op, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield op, "".join(before[a:b]), "".join(after[c:d])
