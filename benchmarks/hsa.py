"""Variants of the example harness a second, all operators at the default strength; goal 2,000 on one core.

CPU seconds of this process, so that what else runs on the machine counts little; the best of five runs.
The peer is the same draw through pydantic's own `model_copy`, which is what a copy costs without `hat.hsa.copies`.
"""

import time
from collections.abc import Callable
from random import Random
from typing import Any

from hat.domains.livestream.domain import EXAMPLES
from hat.harness import Harness
from hat.harness.files import load_harness
from hat.hsa import augment, hooks, mentions, prompt, skill_content, skill_ids, tools

GOAL = 2000.0
"""Variants a second."""
RUNS, VARIANTS = 5, 2000


def rows(variants: int = VARIANTS, runs: int = RUNS) -> list[dict[str, Any]]:
    """One row: variants a second, ours and the peer's."""
    harness = load_harness(EXAMPLES / "harness")
    ours = max(_rate(harness, variants) for _ in range(runs))
    peer = _with_model_copy(lambda: max(_rate(harness, variants // 2) for _ in range(2)))
    return [
        {
            "id": "hsa_variants_per_second",
            "what": "variants of the example harness, 23 operators at strength 0.7, one core",
            "unit": "variants/s",
            "ours": round(ours, 1),
            "peer": "the same operators over pydantic's model_copy",
            "peer_value": round(peer, 1),
            "ratio": round(ours / peer, 2),
            "goal": GOAL,
            "met": ours >= GOAL,
            "n": variants * runs,
        }
    ]


def _rate(harness: Harness, count: int) -> float:
    rng = Random(0)
    start = time.process_time()
    for _ in range(count):
        augment(harness, rng)
    return count / (time.process_time() - start)


def _with_model_copy(measure: Callable[[], float]) -> float:
    users = (hooks, mentions, prompt, skill_content, skill_ids, tools)
    own = users[0].replace
    for module in users:
        module.replace = lambda part, **changes: part.model_copy(update=changes)
    try:
        return measure()
    finally:
        for module in users:
            module.replace = own


if __name__ == "__main__":
    for row in rows():
        print(row)
