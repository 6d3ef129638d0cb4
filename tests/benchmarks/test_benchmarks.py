"""Both sides of a training benchmark see the same tokens and rewards; `hat bench` shows and writes what it should."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from hat.cli import bench
from hat.domains.livestream import Livestream
from hat.domains.oracle import Oracle
from hat.episode import run_episode
from hat.harness import LOAD_SKILL, tool_schemas
from hat.training import Inputs, RlConfig, TraceConfig, synthesize
from hat.training.base.corpus import identifiers, texts
from hat.training.base.tokenizer import build_tokenizer
from hat.training.dataset import load_rows
from hat.training.encoding import training_template
from hat.training.rl import Scenes

ROW = {
    "id": "x_per_second",
    "what": "x",
    "unit": "x/s",
    "ours": 3.0,
    "ours_range": [2.0, 4.0],
    "peer": "y",
    "peer_value": 1.0,
    "ratio": 3.0,
    "goal": 2.0,
    "goal_of": "ratio",
    "met": True,
    "n": 3,
}


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return build_tokenizer(identifiers(Livestream().harness()), texts())


def test_sft__both_sides_learn_the_same_tokens(tokenizer: Any, tmp_path: Path) -> None:
    from benchmarks.sft import conversations

    synthesize(TraceConfig(harnesses=4, tasks=2, seed=5), Inputs(), tmp_path)
    ours = sorted(token for row in load_rows(tmp_path, tokenizer) for token in row["labels"] if token >= 0)
    peer = []
    for row in conversations(tmp_path):
        encoded = tokenizer.apply_chat_template(
            row["messages"],
            tools=json.loads(row["tools"]),
            chat_template=training_template(),
            return_assistant_tokens_mask=True,
            return_dict=True,
        )
        peer += [t for t, said in zip(encoded["input_ids"], encoded["assistant_masks"], strict=True) if said]
    assert ours == sorted(peer)


def test_rl__the_peers_environment_pays_what_the_loop_pays() -> None:
    from benchmarks._environment import environment, reward_functions

    config = RlConfig(original=1.0)
    scenes = Scenes(config, Livestream(split="train"))
    room = environment(scenes)()
    for number in range(12):
        harness, task = scenes[number]
        trace = run_episode(harness, task.situation, scenes.domain.environment(task), Oracle(harness, task))
        room.reset(number)
        for message in trace.messages:
            for call in message.tool_calls:
                _try(room, call.name, call.arguments)
        completion = [{"role": "assistant", "content": trace.reply}]
        paid = [f(completions=[completion], environments=[room])[0] for f in reward_functions(config)]
        assert paid == [1, 1, 1, 1, 0]


def _try(room: Any, name: str, arguments: Any) -> None:
    from hat.episode import ToolError

    try:
        getattr(room, name)(**arguments)
    except ToolError:
        assert name != LOAD_SKILL


def test_rl__the_peers_tools_are_the_harnesss() -> None:
    from benchmarks._environment import environment

    scenes = Scenes(RlConfig(original=1.0), Livestream(split="train"))
    shown = {tool["function"]["name"] for tool in tool_schemas(scenes.domain.harness())}
    offered = {name for name in dir(environment(scenes)) if not name.startswith("_")}
    assert offered == shown | {"reset"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a benchmark that works and one that does not."""
    root = Path(__file__).parents[2] / "benchmarks"
    (tmp_path / "benchmarks").mkdir()
    for name in ("__init__.py", "__main__.py"):
        (tmp_path / "benchmarks" / name).write_text((root / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "benchmarks" / "quick.py").write_text(f"def rows():\n    return [{ROW!r}]\n", encoding="utf-8")
    (tmp_path / "benchmarks" / "wrong.py").write_text("def rows():\n    raise ValueError('no 7')\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    page = f"Before\n{bench.BEGIN}\nold\n{bench.END}\nAfter\n"
    (tmp_path / "docs" / "benchmarks.md").write_text(page, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_bench__writes_rows_with_the_machine_and_the_page(project: Path) -> None:
    result = CliRunner().invoke(bench.app, ["quick", "--write-docs"])
    assert result.exit_code == 0, result.output
    (row,) = bench.read(project / "build" / "bench" / "quick.json")
    assert {key: row[key] for key in ROW} == ROW
    assert row["machine"].keys() == {"cpu", "cores", "memory_gib", "python", "torch", "trl", "os"}
    page = (project / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert "| x | x/s | 3.00 (2.00 to 4.00) | y | 1.00 | 3.00 | 2 x peer | yes | 3 |" in page
    assert page.startswith("Before\n")
    assert page.endswith("\nAfter\n")
    assert "old" not in page


def test_bench__a_failure_is_shown_and_the_others_still_run(project: Path) -> None:
    result = CliRunner().invoke(bench.app, [])
    assert result.exit_code == 1
    assert "no 7" in result.output
    assert "failed: wrong" in result.output
    assert (project / "build" / "bench" / "quick.json").exists()
    assert not (project / "build" / "bench" / "wrong.json").exists()


@pytest.mark.usefixtures("project")
def test_bench__names_what_there_is_for_a_name_that_there_is_not() -> None:
    result = CliRunner().invoke(bench.app, ["quikc"])
    assert result.exit_code == 2
    assert "no benchmark quikc: there are quick, wrong" in result.output


@pytest.mark.usefixtures("project")
def test_bench__elsewhere_says_where_to_run(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    monkeypatch.chdir(project / "docs")
    with pytest.raises(typer.Exit):
        bench.choose([])
