"""Two texts compared by word: first by line, then within the lines that differ. Chinese goes by character."""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from hat.harness.diff.changes import Span

WORD = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)
ISLAND = 2
"""Characters: as little between two changes is part of the change, for people to read it as one."""

LIKENESS = 0.4
"""Share of words in common below which a passage counts as written anew."""


def word_diff(before: str, after: str) -> tuple[Span, ...]:
    """Spans whose equal and deleted text is `before`, and whose equal and inserted text is `after`."""
    steps: list[tuple[str, str, str]] = []
    for op, old, new in _blocks(before.splitlines(keepends=True), after.splitlines(keepends=True)):
        for step in [(op, old, new)] if op == "equal" else _words(old, new):
            _append(steps, step)
    return tuple(span for step in steps for span in _spans(*step))


def _words(before: str, after: str) -> Iterable[tuple[str, str, str]]:
    """Steps from one passage to another: one replacement if little is left of it."""
    old, new = WORD.findall(before), WORD.findall(after)
    if SequenceMatcher(None, old, new, autojunk=False).ratio() < LIKENESS:
        return [("replace", before, after)]
    return _blocks(old, new)


def _append(steps: list[tuple[str, str, str]], step: tuple[str, str, str]) -> None:
    """Add a step, joined with the one before if both are changes, or with the two before if it leaves an island."""
    op, old, new = step
    if op != "equal" and len(steps) >= 2 and steps[-1][0] == "equal" and len(steps[-1][1]) <= ISLAND:
        _, island, _ = steps.pop()
        old, new = island + old, island + new
    if steps and (steps[-1][0] == "equal") == (op == "equal"):
        _, left, right = steps.pop()
        old, new = left + old, right + new
    steps.append((op, old, new))


def _spans(op: str, old: str, new: str) -> Iterator[Span]:
    if op == "equal":
        yield Span(op="equal", text=old)
        return
    if old:
        yield Span(op="delete", text=old)
    if new:
        yield Span(op="insert", text=new)


def _blocks(before: list[str], after: list[str]) -> Iterator[tuple[str, str, str]]:
    for op, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield op, "".join(before[a:b]), "".join(after[c:d])
