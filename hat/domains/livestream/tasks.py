"""Seeded tasks: a kind by the traffic mix, a room drawn anew, a question, and what a right play does.

The same seed, split, locale and catalogue give the same task on every machine.
"""

from collections.abc import Callable, Mapping
from itertools import accumulate
from random import Random
from typing import Any

from hat.domains.livestream import facts, turns
from hat.domains.livestream.kinds import CHATTED, FACTS, SHARES, SIZED
from hat.domains.livestream.scene import Draft, Scene
from hat.domains.livestream.snapshot import Redraw
from hat.domains.livestream.wordings import Wordings
from hat.domains.task import Task
from hat.episode import Situation

Maker = Callable[[Scene, str], Draft | None]
MAKERS: Mapping[str, Maker] = {
    **dict.fromkeys(FACTS, facts.fact),
    "follow": facts.follow,
    "missing_link": facts.missing_link,
    "unknown_link": facts.unknown_link,
    **dict.fromkeys(("greet", "thanks", "farewell"), turns.chat),
    "clock": turns.clock,
    **dict.fromkeys(("lottery_time", "lottery_prize"), turns.lottery),
    "where": turns.where,
    "price_by_name": turns.price_by_name,
    "unknown_product": turns.unknown_product,
    **dict.fromkeys(("missing_body", "missing_weight"), turns.missing_body),
    "size": turns.size,
    "promotion": turns.promotion,
    **dict.fromkeys(("compare_price", "compare_weight"), turns.compare),
}
"""Kind to what makes its turns; None where the room drawn does not suit it."""


class Generator:
    """Makes the tasks of one domain, locale and split."""

    def __init__(self, prefix: str, words: Wordings, redraw: Redraw) -> None:
        self._prefix, self._words, self._redraw = prefix, words, redraw
        sized = any(row["size_table"] for row in redraw.rows)
        self.kinds = [kind for kind in SHARES if sized or kind not in SIZED]
        """Kinds that the split's products allow."""
        self._cumulative = list(accumulate(SHARES[kind] for kind in self.kinds))

    def speaking(self, words: Wordings) -> "Generator":
        """The same rooms, with viewers who say other words."""
        return Generator(self._prefix, words, self._redraw)

    def sample(self, rng: Random, kind: str | None = None) -> Task:
        """One task, of the traffic mix or of one kind."""
        kind = kind or rng.choices(self.kinds, cum_weights=self._cumulative)[0]
        while True:
            world = self._redraw(rng)
            scene = Scene(rng, self._words, world)
            draft = MAKERS[kind](scene, kind)
            if draft is not None:
                return self._task(rng, kind, scene, draft)

    def _task(self, rng: Random, kind: str, scene: Scene, draft: Draft) -> Task:
        context: dict[str, Any] = {} if draft.current is None else {"current_link_id": draft.current}
        history = draft.history
        if not history and rng.random() < CHATTED:
            history = ((self._words.question(rng, "greet"), self._words.answers["greet"][0]),)
        situation = Situation(
            id=f"{self._prefix}-{rng.getrandbits(48):012x}",
            message=draft.message,
            context=context | {"time": scene.world["time"]},
            history=history,
        )
        return Task(
            kind=kind, situation=situation, faults=dict(draft.faults), world=scene.world, expected=draft.expected
        )
