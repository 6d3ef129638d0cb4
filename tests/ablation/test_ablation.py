"""The ablation: its cells, that it goes on, its page; a toy model stands for the base."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hat.ablation import AblationConfig, Cell, cells_of, run_ablation
from hat.ablation.page import write_page
from hat.cli import app
from hat.domains.livestream.domain import EXAMPLES
from hat.evaluation import EvalConfig
from hat.hsa import ALL, STRUCTURAL
from hat.training import SftConfig, TraceConfig

HARNESS = EXAMPLES / "harness"


def config(**fields: object) -> AblationConfig:
    return AblationConfig.model_validate({"base": Path("models/tiny-base"), "harness": HARNESS} | fields)


def test_cells__by_family_and_by_operator() -> None:
    families = cells_of(config())
    assert len(families) == 2 + 2 * 5
    assert families[2] == Cell(name="without skill_ids", mode="without", operators=("paper",), without=("skill_ids",))
    assert families[3] == Cell(name="only skill_ids", mode="only", operators=("skill_ids",))
    assert len(cells_of(config(by="operator"))) == 2 + 2 * len(ALL)
    assert len(cells_of(config(by="operator", structural=True, modes=("only",)))) == 2 + len(ALL) + len(STRUCTURAL)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")
def test_run__every_cell_on_the_same_episodes_and_kept(tmp_path: Path) -> None:
    small = config(
        modes=("without",),
        traces=TraceConfig(harnesses=2, tasks=2),
        sft=SftConfig(steps=1, rows=1, threads=1),
        evaluate=EvalConfig(suites=("T1",), split="dev", t1_tasks=2, max_new_tokens=8),
    )
    report = run_ablation(small, tmp_path)
    assert [row.cell for row in report.rows[:2]] == ["all", "none"]
    assert len(report.rows) == 7
    assert {row.n for row in report.rows} == {2}
    assert report.rows[0].difference == 0.0
    models = list((tmp_path / "cells").glob("*/sft/model/model.safetensors"))
    before = {path: path.stat().st_mtime_ns for path in models}
    assert len(models) == 7
    assert run_ablation(small, tmp_path) == report
    assert {path: path.stat().st_mtime_ns for path in models} == before
    page = write_page(report, tmp_path).read_text(encoding="utf-8")
    assert "| without hooks |" in page
    assert (tmp_path / "ablation-T1.svg").read_text(encoding="utf-8").startswith("<svg xmlns=")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--by", "thing"], "'family' or 'operator'"),
        (["--mode", "half"], "'without' or 'only'"),
        (["--base", "models/none"], "models/none is no model directory"),
    ],
)
def test_command__wrong_input__exit_2(arguments: list[str], said: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["ablate", "--out", str(tmp_path), *arguments])
    assert (result.exit_code, said in result.output) == (2, True)
