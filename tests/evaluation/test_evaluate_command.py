from pathlib import Path

import pytest
from typer.testing import CliRunner

from hat.cli.evaluate import app, show
from hat.evaluation import evaluate
from tests.evaluation.players import DOMAIN, SMALL, Player


def test_show__table_has_every_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = SMALL.model_copy(update={"suites": ("T1",)})
    report = evaluate(config, Player(skill=0.6), DOMAIN, tmp_path)
    show(report, tmp_path)
    told = capsys.readouterr().out
    for row in report.rows:
        assert row.metric in told
        assert f"{100 * row.low:.1f} to {100 * row.high:.1f}" in told


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere"], "nowhere"),
        (["m", "--harness", "nowhere"], "nowhere"),
        (["m", "--catalogue", "nowhere.csv"], "nowhere.csv"),
        (["m", "--edits", "nowhere"], "no edits"),
        (["m", "--config", "{tmp}/list.yaml"], "holds list"),
        (["m", "--config", "{tmp}/odd.yaml"], "surprise"),
    ],
)
def test_wrong_input__exit_2_and_named(arguments: list[str], word: str, tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("- 1\n")
    (tmp_path / "odd.yaml").write_text("surprise: 1\n")
    given = [argument.replace("{tmp}", str(tmp_path)) for argument in arguments]
    told = CliRunner().invoke(app, [*given, "--out", str(tmp_path / "out")])
    assert told.exit_code == 2, told.output
    assert word in told.output
