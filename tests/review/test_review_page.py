"""The review's page in Chromium: keyboard, languages, narrow and wide."""

import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from hat.review import load_items, load_votes
from hat.review.server import build_app
from tests.review.chromium import Chromium

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]


@pytest.fixture
def address(review: Path) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(build_app(review), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    listener.close()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chromium]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium here: apt-get install chromium fonts-noto-cjk")
    found = Chromium(program, tmp_path / "profile")
    yield found
    found.close()


def test_page__by_keyboard__votes_goes_back_and_ends(review: Path, address: str, browser: Chromium) -> None:
    browser.open(f"{address}/?reviewer=li&lang=zh")
    browser.until("!document.getElementById('review').hidden")
    first = browser.value("items[0].id")
    browser.press("1")
    browser.until("document.getElementById('progress').value === 1")
    browser.press("u")
    assert browser.value("document.getElementById('left').classList.contains('chosen')") is True
    browser.press("0")
    browser.until("votes[items[0].id] === 'tie'")
    for done in range(2, 7):
        browser.press("ArrowRight")
        browser.until(f"document.getElementById('progress').value === {done}")
    assert browser.value("document.getElementById('end').hidden") is False
    votes = {vote.item: vote.choice for vote in load_votes(review)}
    assert len(votes) == len(load_items(review)) == 6
    assert votes.pop(first) == "tie"
    assert set(votes.values()) == {"right"}


def test_page__by_name_and_clicks_in_english__goes_on_where_it_was(
    review: Path, address: str, browser: Chromium
) -> None:
    browser.open(f"{address}/?lang=en")
    assert browser.value("document.querySelector('h1').textContent") == "Blind review"
    browser.value("document.getElementById('name').value = 'wang'; document.getElementById('enter').requestSubmit()")
    browser.until("!document.getElementById('review').hidden")
    browser.value("document.getElementById('left').click()")
    browser.until("document.getElementById('progress').value === 1")
    browser.open(f"{address}/?reviewer=wang")
    browser.until("document.getElementById('progress').value === 1")
    assert browser.value("place") == 1
    browser.value("document.getElementById('language').click()")
    assert browser.value("document.querySelector('h1').textContent") in {"盲评", "Blind review"}


@pytest.mark.parametrize("width", [360, 1100])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_page__narrow_and_wide__nothing_sticks_out(
    address: str, browser: Chromium, width: int, language: str, tmp_path: Path
) -> None:
    browser.resize(width, 800)
    browser.open(f"{address}/?reviewer=li&lang={language}")
    browser.until("!document.getElementById('review').hidden")
    browser.screenshot(tmp_path / "page.png")
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value("document.getElementById('error').textContent") == ""


def test_page__server_gone__says_so_and_keeps_the_place(review: Path, address: str, browser: Chromium) -> None:
    browser.open(f"{address}/?reviewer=li&lang=en")
    browser.until("!document.getElementById('review').hidden")
    browser.value("window.fetch = () => Promise.reject(new Error('connection refused'))")
    browser.press("2")
    browser.until("document.getElementById('error').textContent.includes('Not saved')")
    assert browser.value("place") == 0
    assert load_votes(review) == []
