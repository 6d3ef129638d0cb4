"""The material of one task while it is being made: a room, words, chance; and the draft that comes out."""

from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from hat.domains.livestream.kinds import EXPLICIT
from hat.domains.livestream.tools import Tools
from hat.domains.livestream.wordings import Wordings
from hat.domains.task import Expected

Row = dict[str, Any]


class Draft(NamedTuple):
    """A turn as made: what the viewer says in which room, and what is expected."""

    message: str
    expected: Expected
    current: int | None = None
    """Link that is being shown."""
    history: tuple[tuple[str, str], ...] = ()
    faults: Mapping[str, str] = MappingProxyType({})


class Reference(NamedTuple):
    """How a question names its link."""

    words: str
    current: int | None


class Scene:
    """A room with its products in an order of chance."""

    def __init__(self, rng: Random, words: Wordings, world: dict[str, Any]) -> None:
        self.rng, self.words, self.world = rng, words, world
        self.tools = Tools(world, words.one_size)
        self.rows: list[Row] = world["products"]

    def refer(self, link: int, explicit: bool | None = None) -> Reference:
        """Name a link by its number (some other link, or none, may be on show), or as the one on show."""
        if explicit is None:
            explicit = self.rng.random() < EXPLICIT
        if not explicit:
            return Reference(self.rng.choice(self.words.current), link)
        return Reference(self.words.link(self.rng, link), self.any_link())

    def any_link(self) -> int | None:
        """The number of some link, or none now and then."""
        return None if self.rng.random() < 0.25 else int(self.rng.choice(self.rows)["link_id"])

    def nouns(self) -> Iterator[tuple[str, int]]:
        """Words that find just one product, with its link."""
        for row in self.rows:
            found = self.tools.call("search_products", {"keyword": row["keyword"]})["link_ids"]
            if len(found) == 1:
                yield row["keyword"], found[0]

    def absent_link(self) -> int:
        """A number that no link of the room has."""
        return self.rng.choice([number for number in range(1, 100) if number not in self.tools.by_link])
