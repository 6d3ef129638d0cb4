"""`hat base build` refuses what it cannot use before it starts."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hat.cli.base import app


def test_folder_that_cannot_be_made__is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(app, ["build", str(tmp_path / "file" / "model")])
    assert result.exit_code == 2
    assert str(tmp_path / "file") in result.output


def test_harness_that_is_none__is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["build", str(tmp_path / "out"), "--harness", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "nowhere" in result.output


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--steps", "0"], "greater than or equal to 1"),
        (["--steps", "5", "--first-step", "5"], "first_step 5 is not below steps 5"),
        (["--first-step", "3"], "first_step 3 needs weights"),
        (["--from", "nowhere"], "no model.safetensors in nowhere"),
    ],
)
def test_recipe_that_cannot_be__is_named(tmp_path: Path, arguments: list[str], named: str) -> None:
    result = CliRunner().invoke(app, ["build", str(tmp_path / "out"), *arguments])
    assert result.exit_code == 2
    assert named in result.output
    assert "Nothing was started" in result.output
    assert not (tmp_path / "out").exists()
