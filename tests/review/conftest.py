from pathlib import Path

import pytest

from hat.evaluation import EvalConfig, evaluate
from hat.review import export
from tests.evaluation.players import DOMAIN, Player

CONFIG = EvalConfig(suites=("T1", "T2"), t1_tasks=20, t2_variants=2, t2_tasks=5, part=20)


@pytest.fixture(scope="session")
def evaluations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three systems on the same turns: one right, two that give up now and then."""
    folders = {}
    for name, skill in (("good", 1.0), ("fair", 0.6), ("weak", 0.3)):
        folders[name] = tmp_path_factory.mktemp(name)
        evaluate(CONFIG, Player(CONFIG, skill, name), DOMAIN, folders[name])
    return folders


@pytest.fixture
def review(evaluations: dict[str, Path], tmp_path: Path) -> Path:
    """A review of two systems, six turns."""
    export({name: evaluations[name] for name in ("good", "weak")}, tmp_path / "review", count=6)
    return tmp_path / "review"
