from collections.abc import Callable
from pathlib import Path

import pytest

from hat.domains.livestream import Livestream
from hat.evaluation import EvalConfig, evaluate
from tests.evaluation.players import Player


@pytest.fixture
def evaluated() -> Callable[[Path], Path]:
    """Evaluate a player that plays right, on six tasks of T1; returns the folder."""

    def run(out: Path) -> Path:
        config = EvalConfig(suites=("T1",), t1_tasks=6)
        evaluate(config, Player(config), Livestream(split="test"), out)
        return out

    return run
