"""The livestream domain: a catalogue, a harness, and seeded viewers' tasks that the oracle has been seen to solve."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from hat.domains.livestream.catalogue import load_catalogue
from hat.domains.livestream.messages import load_messages
from hat.domains.livestream.room import load_room
from hat.domains.livestream.snapshot import Redraw, localised, products_of
from hat.domains.livestream.split import Split
from hat.domains.livestream.tasks import Generator
from hat.domains.livestream.tools import OUTPUT_SCHEMAS, FaultyTools, Tools
from hat.domains.livestream.wordings import wordings
from hat.domains.oracle import Oracle
from hat.domains.task import Task
from hat.domains.verify import Verdict, verify
from hat.episode import Environment, Situation, Trace, run_episode
from hat.harness import Harness
from hat.harness.files import load_harness

EXAMPLES = Path(__file__).parents[3] / "examples" / "livestream"
CHECKED = 20
"""Tasks that a new domain's oracle plays."""


class DomainError(Exception):
    """A domain whose tasks, harness and verifier do not agree; names the task and the problem."""


class Livestream:
    """A live shop: products under numbered links, one shown at a time, viewers who ask."""

    name = "livestream"

    def __init__(
        self,
        catalogue: Path | None = None,
        harness: Path | Harness | None = None,
        split: Split = "train",
        locale: str | None = None,
        checked: int = CHECKED,
        room: Path | None = None,
    ) -> None:
        """Read catalogue, harness and room (the examples unless given), and let the oracle play `checked` tasks.

        Viewers speak the harness's language unless `locale` says otherwise.

        Raises:
            CatalogueError, HarnessError, RoomError: a file is not what it should be.
            DomainError: the oracle fails a task of the mix under this harness.
        """
        self._given = load_harness(harness) if isinstance(harness, Path) else harness
        locale = locale or (self._given.locale if self._given else "zh-CN")
        self.split, self.locale = split, locale
        self.catalogue_path = catalogue or EXAMPLES / "catalogue.csv"
        self._words = wordings(locale, split)
        self.products = load_catalogue(self.catalogue_path)
        everything = [localised(product, locale) for product in self.products]
        try:
            rows = [localised(product, locale) for product in products_of(self.products, split)]
        except ValueError as error:
            raise DomainError(f"{self.catalogue_path}: {error}") from error
        self.generator = Generator(f"{self.name}-{split}", self._words, Redraw(rows, everything, self._words.prizes))
        self.room = load_room(room or EXAMPLES / "room.yaml")
        self._live = self.room.model_dump(mode="json") | {"products": everything}
        self._check(checked)

    @cached_property
    def _loaded(self) -> Harness:
        folder = "harness" if self.locale.lower().startswith("zh") else "harness-en"
        return self._given or load_harness(EXAMPLES / folder)

    def harness(self) -> Harness:
        """The original harness."""
        return self._loaded

    def sample(self, rng: Random, kind: str | None = None) -> Task:
        """One task of the traffic mix, or of one kind. Raises KeyError for a kind that there is not."""
        return self.generator.sample(rng, kind)

    def environment(self, task: Task) -> Environment:
        """The task's room behind its tools; the whole catalogue as it is for a task without a room of its own."""
        return FaultyTools(Tools(task.world or self._live, self._words.one_size), task.faults)

    def verify(self, task: Task, trace: Trace, harness: Harness) -> Verdict:
        """See `hat.domains.verify.verify`."""
        return verify(task, trace, harness)

    def situations(self, messages: Path) -> tuple[Situation, ...]:
        """Viewers' own messages from a JSONL file, in this room. Raises `MessagesError`."""
        return load_messages(messages, self.room)

    def live(self) -> Environment:
        """The catalogue and the room as they are, for viewers' own messages."""
        return Tools(self._live, self._words.one_size)

    def output_schemas(self) -> Mapping[str, dict[str, Any]]:
        """JSON Schema of each canonical tool's output."""
        return OUTPUT_SCHEMAS

    def _check(self, count: int) -> None:
        rng = Random(0)
        for _ in range(count):
            task = self.sample(rng)
            try:
                trace = run_episode(
                    self.harness(), task.situation, self.environment(task), Oracle(self.harness(), task)
                )
            except LookupError as error:
                raise DomainError(f"{task.id} ({task.kind}): {error}") from error
            verdict = verify(task, trace, self.harness())
            if verdict.problems or trace.stop != "reply":
                problems = "; ".join(verdict.problems) or f"the episode stopped by {trace.stop}"
                what = f"{task.id} ({task.kind}, {task.situation.message!r})"
                raise DomainError(f"{what} under harness {self.harness().name!r}: {problems}")
