"""Clean data: the splits share nothing, and what is shared would be found."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from hat.cli import app
from hat.domains.livestream import Livestream
from hat.domains.livestream.domain import EXAMPLES
from hat.evaluation import clean
from hat.hsa import wordings

HARNESS = str(EXAMPLES / "harness")


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_splits__every_kind_is_there_in_each_and_shared_by_none(locale: str) -> None:
    rows = clean.splits(Livestream(locale=locale))
    assert len(rows) == 14
    assert {row.what: row.shared for row in rows if row.shared} == {}
    assert all(min(row.counts.values()) > 0 for row in rows)


def test_splits__edits__bring_texts_of_their_own() -> None:
    *_, edits = clean.splits(Livestream(), EXAMPLES / "edits")
    assert edits.what == "texts of edits"
    assert edits.counts["edits"] > 20
    assert edits.shared == ()


def test_command__prints_the_table() -> None:
    result = CliRunner().invoke(app, ["variant", "splits", HARNESS])
    assert result.exit_code == 0
    assert "viewers' questions" in result.output


def test_command__shared_text__named_and_exit_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(locale: str, split: str) -> object:
        words = wordings(locale, split)  # type: ignore[arg-type]
        return replace(words, retry=(*words.retry, "再来一次哦。")) if split != "dev" else words

    monkeypatch.setattr(clean, "wordings", leaking)
    result = CliRunner().invoke(app, ["variant", "splits", HARNESS])
    assert result.exit_code == 1
    assert "retry messages: '再来一次哦。' is in two splits" in result.output


def test_command__edits_that_are_none__exit_2(tmp_path: object) -> None:
    result = CliRunner().invoke(app, ["variant", "splits", HARNESS, "--edits", str(tmp_path)])
    assert result.exit_code == 2
    assert "no edits" in result.output
