"""Shared by all tests: golden files."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run, so that a red run is a change's doing; `--hypothesis-profile=explore` draws anew.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=500)
settings.load_profile("steady")

# A shell starts background jobs with Ctrl-C ignored, and what they start inherits that; tests of Ctrl-C want it heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make golden` passes --rewrite-golden."""
    parser.addoption("--rewrite-golden", action="store_true", help="write golden files instead of comparing with them")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """`golden(path, text)`: the text is what the file holds; mark such tests `golden`."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--rewrite-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path} is missing: run `make golden`"
        assert path.read_text(encoding="utf-8") == text, f"{path} is old: run `make golden`, read the diff"

    return check
