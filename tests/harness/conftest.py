"""A copy of the example harness to break."""

import shutil
from pathlib import Path

import pytest

from hat.harness import Harness, load_harness

EXAMPLES = Path(__file__).parents[2] / "examples" / "livestream"


@pytest.fixture(scope="session")
def harness() -> Harness:
    return load_harness(EXAMPLES / "harness")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLES / "harness", tmp_path / "harness"))
