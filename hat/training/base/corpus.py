"""What the tiny base is pre-trained on: seeded streams of drills and of episodes, and what its tokenizer must know."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from hat.domains.general import GeneralTasks
from hat.harness import Harness
from hat.training.base.answers import record_row, rule_row
from hat.training.base.dictionary import call_row, lookup_row
from hat.training.base.drills import choice_row, copy_row, general_row
from hat.training.base.episodes import room_row, stream_row
from hat.training.base.language import livestream
from hat.training.encoding import Row

PROMPTS = 16
"""General prompts of a row."""


class Corpus:
    """Seeded rows of each kind; `known` are the identifiers that are one token."""

    def __init__(self, tokenizer: Any, seed: int | str, known: Iterable[str] = ()) -> None:
        self._tokenizer, self._rng = tokenizer, Random(seed)
        self._prompts = GeneralTasks("train")
        vocabulary = tokenizer.get_vocab()
        self._known = tuple(sorted(known))
        characters = sorted(i for token, i in vocabulary.items() if len(token) <= 2 and token[0] != "<")
        self._pool = [*characters, *[vocabulary[name] for name in self._known] * 20]

    def copies(self, count: int) -> list[Row]:
        """Copy drills over the whole vocabulary."""
        return [copy_row(self._pool, self._rng) for _ in range(count)]

    def lookups(self, count: int) -> list[Row]:
        """Texts looked up by their meaning."""
        return [lookup_row(self._tokenizer, self._rng, self._known) for _ in range(count)]

    def calls(self, count: int) -> list[Row]:
        """Calls looked up by the meaning of what is said."""
        return [call_row(self._tokenizer, self._rng, self._known) for _ in range(count)]

    def choices(self, count: int) -> list[Row]:
        """Calls chosen from an index."""
        return [choice_row(self._tokenizer, self._rng, self._known) for _ in range(count)]

    def records(self, count: int) -> list[Row]:
        """Answers read from what tools gave."""
        return [record_row(self._tokenizer, self._rng) for _ in range(count)]

    def rules(self, count: int) -> list[Row]:
        """Replies that keep to a rule."""
        return [rule_row(self._tokenizer, self._rng) for _ in range(count)]

    def general(self, count: int) -> list[Row]:
        """General instructions."""
        draw = self._prompts.sample
        return [general_row(self._tokenizer, [draw(self._rng) for _ in range(PROMPTS)]) for _ in range(count)]

    def rooms(self, count: int, most_topics: int = 9) -> list[Row]:
        """Other assistants' rooms."""
        return [room_row(self._tokenizer, self._rng, most_topics, self._known) for _ in range(count)]

    def streams(self, count: int) -> list[Row]:
        """Live rooms under harnesses that nobody has."""
        return [stream_row(self._tokenizer, livestream(), self._rng) for _ in range(count)]


def texts() -> Iterator[str]:
    """Every common Chinese character (GB 2312, first level) and the marks that the project's texts use."""
    cells = [(zone, cell) for zone in range(16, 56) for cell in range(1, 95 if zone < 55 else 90)]
    yield "".join(bytes((0xA0 + zone, 0xA0 + cell)).decode("gb2312") for zone, cell in cells)
    yield "，。！？：；、“”‘’（）《》【】—…～·％￥"


def identifiers(harness: Harness) -> set[str]:
    """Names that stand as one token: the example harness's tools, parameters, output keys and skills."""
    names = {"load_skill", "skill", "error"}
    for tool in harness.tools:
        names |= {tool.name, *tool.input_schema.get("properties", {})}
        names |= set((tool.output_schema or {}).get("properties", {}))
    return names | {skill.alias for skill in harness.skills}
