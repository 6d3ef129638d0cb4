"""The reproduction's own stages over files: what one seed and all seeds come to."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hat.cli import app
from hat.pipeline.reproduction import collect, read_seed, summarise
from hat.results import Results
from tests.results.samples import played

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

TOOK = {"steps": 8.0, "total_tokens": 9000.0, "seconds": 2.5, "peak_memory_mib": 300.0}


@pytest.fixture
def seeds(tmp_path: Path) -> list[str]:
    """Two collected seeds."""
    folders = []
    for seed in (0, 1):
        one, place = played(seed), tmp_path / str(seed)
        for policy, report in one.reports.items():
            (place / policy).mkdir(parents=True)
            (place / policy / "report.json").write_text(report.model_dump_json())
        for name, content in (("sft", {"metrics": TOOK}), ("curve", [p.model_dump() for p in one.points])):
            (place / name).mkdir()
            (place / name / ("result.json" if name == "sft" else "points.json")).write_text(json.dumps(content))
        collect(
            seed,
            reports={policy: str(place / policy) for policy in one.reports},
            models={"hsa-sft": str(place / "sft")},
            curves=[str(place / "curve")],
            out=str(place / "played"),
        )
        folders.append(str(place / "played"))
    return folders


def test_collect__what_a_seed_came_to_is_read_back(seeds: list[str]) -> None:
    found, wanted = read_seed(Path(seeds[1])), played(1)
    assert (found.seed, found.reports, list(found.points)) == (1, wanted.reports, wanted.points)
    assert [(cost.stage, cost.seed, cost.tokens, cost.seconds) for cost in found.costs] == [("hsa-sft", 1, 9000, 2.5)]


def test_summarise__writes_tables_figures_and_a_page_for_the_ui(
    seeds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path / 'mlflow.db'}")
    summarise(seeds, {"seeds": [0, 1]}, {"code": "1"}, out=str(tmp_path / "out"), summary=str(tmp_path / "summary"))
    results = Results.model_validate_json((tmp_path / "out" / "results.json").read_text())
    cell = results.cell("hat", "T2")
    assert cell is not None
    assert (cell.n, cell.seeds) == (8, 2)
    assert results.facts["code"] == "1"
    assert (tmp_path / "out" / "results" / "suites.svg").exists()
    assert "| HAT on T2, % |" in (tmp_path / "summary").read_text()
    assert ".svg" not in (tmp_path / "summary").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--recipe", "nothing"], "no such recipe; there are full, h20, quick, smoke"),
        (["--base", "models/none"], "models/none is neither a model folder nor a hub id"),
        (["--harness", "examples"], "examples"),
    ],
)
def test_reproduce__wrong_input__all_named_and_nothing_started(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["reproduce", *arguments])
    assert result.exit_code == 2
    assert said in result.output
    assert "Nothing was started" in result.output
