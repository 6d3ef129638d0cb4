"""`hat harness` as a person uses it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hat.cli import COMMANDS, app
from hat.harness import digest, load_harness

run = CliRunner().invoke


def test_new_then_validate__says_valid(tmp_path: Path) -> None:
    folder = tmp_path / "mine"

    assert run(app, ["harness", "new", str(folder), "--locale", "en"]).exit_code == 0
    done = run(app, ["harness", "validate", str(folder)])

    assert done.exit_code == 0
    assert "valid: my-harness, 1 skills, 2 hooks, 2 prompt sections, 1 tools, sha256:" in done.output


def test_broken_harness__gives_findings_as_lines_and_exit_code_2(folder: Path) -> None:
    hook = folder / "hooks/facts.yaml"
    hook.write_text(hook.read_text("utf-8").replace("Stop", "Stopp"), "utf-8")

    for command in ("validate", "render", "digest"):
        done = run(app, ["harness", command, str(folder)])
        assert done.exit_code == 2
        assert f"{folder.as_posix()}/hooks/facts.yaml:1: event is 'Stopp'" in done.output


def test_validate_json__is_for_programs(folder: Path) -> None:
    (folder / "hooks/facts.yaml").write_text("event: Stop\n")

    done = run(app, ["harness", "validate", "--json", str(folder)])

    assert {(row["file"], row["line"], row["code"]) for row in json.loads(done.output)} == {
        ("hooks/facts.yaml", 1, "missing_key")
    }


def test_render__prints_the_prompt(folder: Path) -> None:
    done = run(app, ["harness", "render", str(folder), "--skills", "--tools"])

    assert done.output.startswith("你是小桃")
    assert "--- load_skill(item_qa)" in done.output
    assert '"name": "load_skill"' in done.output


def test_digest__is_the_identity(folder: Path) -> None:
    assert run(app, ["harness", "digest", str(folder)]).output.strip() == digest(load_harness(folder))
    assert "get_stock" in run(app, ["harness", "digest", "--parts", str(folder)]).output


def test_diff__tells_by_exit_code_and_json(folder: Path) -> None:
    other = Path(str(folder) + "-en")
    run(app, ["harness", "new", str(other), "--locale", "en"])

    assert run(app, ["harness", "diff", str(folder), str(folder), "--exit-code"]).exit_code == 0
    done = run(app, ["harness", "diff", str(folder), str(other), "--json", "--exit-code"])

    assert done.exit_code == 1
    assert {part["kind"] for part in json.loads(done.output)["parts"]} == {"skill", "section", "hook", "tool"}


@pytest.mark.parametrize("arguments", [["harness", "new", "x", "--locale", "fr"], ["harness", "digest", "x"], ["nope"]])
def test_what_cannot_be_done__exits_with_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert run(app, arguments).exit_code == 2


def test_help__lists_every_command_without_loading_any() -> None:
    code = (
        "import sys; from hat.cli import app\n"
        "app(['--help'], standalone_mode=False)\n"
        "assert 'hat.harness' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert all(name in done.stdout for name in COMMANDS)


def test_validate__does_not_load_what_is_heavy(folder: Path) -> None:
    code = (
        "import sys; from hat.cli import app\n"
        "app(['harness', 'validate', sys.argv[1]], standalone_mode=False)\n"
        "print(sorted({'torch', 'transformers', 'mlflow', 'kfp', 'pandas', 'numpy'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"
