"""`hat base build` refuses what it cannot use before it starts."""

from pathlib import Path

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
