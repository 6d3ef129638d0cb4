"""Whether a reply says what is true and nothing else: the facts' half of a verdict.

A number in a reply must be expected, allowed, or stand in the viewer's words, the room's state, a title that a tool
gave, or the phrases that the harness asks for. All others are invented or unasked for, be they true of
another product: a reply that lists what it knows has not answered.
"""

import re
from functools import lru_cache

from hat.domains.numerals import located, numbers
from hat.domains.task import Task
from hat.episode import CallRecord, Trace
from hat.harness import Harness

TAIL = "。！!~～.？?… "
"""Marks that may follow a closing phrase."""
CLAUSE = re.compile(r"[，。；！？、;!?\n]|,(?!\d)|\.(?!\d)")
WORD = re.compile(r"[A-Za-z][A-Za-z' -]*")
DENIAL = re.compile(
    r"(?:没有?|(?<!要)不是?|并非|不止|不到|不足)(?:那么|这么|太|很|更)?$|(?:(?:\bnot|n['’]t|\bno|\bnever|\bwithout)\s+(?:(?:a|an|the|really|exactly|only|just)\s+)*)$",
    re.IGNORECASE,
)
"""What stands right before a word or number that is denied: `没有3件`, `isn't cheaper`."""
DENIAL_CHARS = 24
"""Characters before a word in which its denial is looked for."""


class Reply:
    """A reply and the numbers in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.located = located(text)

    def says(self, value: str) -> bool:
        """Whether a number, a Latin word (whole, in any case), or any other string is said, and not denied."""
        return any(not self.denied(place) for place in self.places(value))

    def places(self, value: str) -> list[int]:
        """Where the value is said or denied."""
        number = as_number(value)
        if number is not None:
            return [place for found, place in self.located if found == number]
        pattern = _word(value) if WORD.fullmatch(value) else re.compile(re.escape(value))
        return [match.start() for match in pattern.finditer(self.text)]

    def denied(self, place: int) -> bool:
        """Whether the words before a place deny what stands there."""
        return DENIAL.search(self.text[max(0, place - DENIAL_CHARS) : place]) is not None


@lru_cache(maxsize=4096)
def as_number(value: str) -> str | None:
    """The one form of a string that is all number, or None."""
    found = numbers(value)
    return found[0] if len(found) == 1 and re.fullmatch(r"[\d.,:]+", value) else None


def check_facts(task: Task, trace: Trace, harness: Harness) -> list[str]:
    """What is wrong with the facts of a trace's reply, in words; nothing if all is right."""
    expected = task.expected
    if not trace.reply:
        return [f"no reply ({trace.stop})"]
    rules = harness.rules_for(harness.skill_for(expected.skill))
    reply = Reply(_core(trace.reply, rules))
    known = _known(task, trace, rules)
    wrong = [f"not said: {value}" for value in expected.values if not reply.says(value)]
    if expected.any_of and not any(_has(word, reply) for word in expected.any_of):
        wrong.append(f"none said of: {', '.join(expected.any_of)}")
    wrong += [f"wrongly said: {value}" for value in expected.forbidden if reply.says(value)]
    wrong += [f"wrongly said: {number}" for number, _ in reply.located if number not in known]
    if expected.pairs and not wrong:
        wrong += [f"{value} is not of {label}" for label, value in _misplaced(expected.pairs, reply)]
    return wrong


def _core(reply: str, rules: dict[str, str]) -> str:
    """The reply without the phrases that the harness asks for: they are nobody's facts."""
    return reply.removeprefix(rules.get("opening", "")).rstrip(TAIL).removesuffix(rules.get("closing", "").rstrip(TAIL))


def _has(word: str, reply: Reply) -> bool:
    """Whether a word is part of the reply, in any case where it is English, and not denied."""
    text = reply.text.lower() if reply.text.isascii() else reply.text
    return any(not reply.denied(match.start()) for match in re.finditer(re.escape(word), text))


def _known(task: Task, trace: Trace, rules: dict[str, str]) -> set[str]:
    """Numbers that the reply may say."""
    expected, situation = task.expected, task.situation
    state = [str(value) for value in situation.context.values()]
    titles = [str(text) for call in trace.calls if isinstance(call.output, dict) for text in _titles(call)]
    texts = (expected.answer, expected.short, situation.message, *expected.values, *expected.allowed)
    return {number for text in (*texts, *rules.values(), *state, *titles) for number in numbers(text)}


def _titles(call: CallRecord) -> list[object]:
    output = call.output
    return [output.get("title", ""), *(output["titles"] if isinstance(output.get("titles"), list) else ())]


def _misplaced(pairs: tuple[tuple[str, str], ...], reply: Reply) -> list[tuple[str, str]]:
    """Pairs whose value is said of another pair's label.

    A number belongs to the label before it in its clause, else to the one after it, else to the last one before the
    clause. A word belongs to the first label of its clause (`5号比3号便宜`), else to the last one before. Without any
    label nothing is misplaced.
    """
    labels = sorted((place, label) for label in {label for label, _ in pairs} for place in reply.places(label))
    starts = [0, *(match.end() for match in CLAUSE.finditer(reply.text)), len(reply.text) + 1]
    return [
        (label, value)
        for label, value in pairs
        for place in reply.places(value)
        if _owner(place, as_number(value) is None, labels, starts) not in (label, None)
    ]


def _owner(place: int, is_word: bool, labels: list[tuple[int, str]], starts: list[int]) -> str | None:
    start = max(start for start in starts if start <= place)
    end = min(start for start in starts if start > place)
    inside = [(where, label) for where, label in labels if start <= where < end]
    before = [label for where, label in inside if where < place]
    if inside:
        return inside[0][1] if is_word or not before else before[-1]
    earlier = [label for where, label in labels if where < start]
    return earlier[-1] if earlier else None


@lru_cache(maxsize=4096)
def _word(value: str) -> re.Pattern[str]:
    """The word whole; in any case unless it is all capitals, as sizes are."""
    return re.compile(rf"(?<![A-Za-z0-9']){re.escape(value)}(?![A-Za-z0-9])", 0 if value.isupper() else re.IGNORECASE)
