from pathlib import Path

import pytest
from typer.testing import CliRunner

from hat.cli.variant import app
from hat.domains.livestream.domain import EXAMPLES
from hat.harness import digest
from hat.harness.files import load_harness
from hat.hsa import BY_NAME, Change, Operator, replay

HARNESS = str(EXAMPLES / "harness")


def test_show__says_what_was_done_and_saves_the_variant(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["show", HARNESS, "--seed", "5", "--save", str(tmp_path / "variant")])
    assert told.exit_code == 0, told.output
    variant = replay(load_harness(HARNESS), 5)
    assert [f"{applied.family}: {applied.operator}" for applied in variant.trail] == told.output.splitlines()[
        : len(variant.trail)
    ]
    assert digest(load_harness(tmp_path / "variant")) == digest(variant.harness)


def test_check__says_how_often_an_operator_applies() -> None:
    told = CliRunner().invoke(app, ["check", HARNESS, "--tasks", "5", "--operator", "rename_tools"])
    assert told.exit_code == 0, told.output
    assert "100%" in told.output


def test_check__operator_that_breaks_tasks__exit_1(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Operator(
        "broken", "tools", "takes all tools", lambda h, r, c: Change(h.model_copy(update={"tools": ()}), {})
    )
    monkeypatch.setitem(BY_NAME, "broken", broken)
    told = CliRunner().invoke(app, ["check", HARNESS, "--tasks", "20", "--operator", "broken"])
    assert told.exit_code == 1
    assert "is not preserved by the variant of seed" in told.output


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["show", "nowhere"], "nowhere"),
        (["show", HARNESS, "--operator", "zap"], "no operator zap"),
        (["show", HARNESS, "--split", "all"], "no split 'all'"),
        (["check", HARNESS, "--catalogue", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_wrong_input__exit_2_and_named(arguments: list[str], word: str) -> None:
    told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 2
    assert word in told.output
