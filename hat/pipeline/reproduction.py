"""The reproduction's own stages: a step curve, one seed's reports together, the results of all seeds."""

import json
import os
import platform
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hat.domains.livestream import Livestream
from hat.evaluation import EvalConfig, Report, Row
from hat.evaluation import evaluate as measure
from hat.pipeline.stages import read_inputs, seeded
from hat.results import Cost, Played, Point, Results, build_results, write_results
from hat.results.page import sections
from hat.tracking import stage_run
from hat.tracking.owner import end_with_owner
from hat.tracking.progress import Progress

SEED = "seed.json"
"""What `collect` writes last: seed, policies, points, costs."""


def curve(lane: str, config: Mapping[str, Any], *, inputs: str, model: str, out: str, seed: int = -1) -> None:
    """Measure every snapshot of an SFT, and its last model; out/points.json."""
    end_with_owner()
    config, name = seeded(config, f"curve-{lane}", seed)
    settings = EvalConfig.model_validate(config)
    places = read_inputs(inputs)
    folders = sorted((Path(model) / "snapshots").glob("*/model"), key=lambda path: int(path.parent.name))
    domain = Livestream(catalogue=places.catalogue, harness=places.harness, split="test")
    with stage_run(name, Path(out), settings.model_dump()) as run:
        points = []
        for folder in folders:
            step = int(folder.parent.name)
            report = measure(settings, folder, domain, Path(out) / str(step), name=lane)
            rows = [row for row in report.rows if row.metric == "score"]
            points += [_point(row, lane, max(seed, 0), step) for row in rows]
            run.metrics({f"{row.suite}.score": row.mean for row in rows}, step)
        text = json.dumps([point.model_dump() for point in points], indent=1)
        (Path(out) / "points.json").write_text(text, encoding="utf-8")


def collect(
    seed: int, *, reports: Mapping[str, str], models: Mapping[str, str], curves: Sequence[str], out: str
) -> None:
    """Put one seed's reports, step curves and costs into one folder."""
    end_with_owner()
    shutil.rmtree(out, ignore_errors=True)
    Path(out).mkdir(parents=True)
    for policy, folder in reports.items():
        shutil.copyfile(Path(folder) / "report.json", Path(out) / f"{policy}.json")
    points = [point for folder in curves for point in _read(Path(folder) / "points.json")]
    costs = [_cost(stage, seed, Path(folder)).model_dump() for stage, folder in models.items()]
    found = {"seed": seed, "policies": list(reports), "points": points, "costs": costs}
    (Path(out) / SEED).write_text(json.dumps(found, indent=1), encoding="utf-8")


def summarise(
    seeds: Sequence[str], settings: Mapping[str, Any], facts: Mapping[str, str], *, out: str, summary: str
) -> None:
    """Count the seeds together: out/results.json, out/results.md, out/results/*.svg; figures to MLflow.

    Raises:
        ValueError: policies of one seed were measured on different episodes.
    """
    end_with_owner()
    with stage_run("results", Path(out)) as run, Progress("results", total=1, unit="pages") as progress:
        results = build_results([read_seed(Path(folder)) for folder in seeds], settings, machine() | dict(facts))
        write_results(results, Path(out))
        run.metrics({f"{cell.policy}.{cell.suite}.{cell.metric}": cell.mean for cell in results.cells}, parent=True)
        run.artifact(Path(out) / "results.json")
        run.artifact(Path(out) / "results", "results")
        progress.update(1)
    Path(summary).write_text(brief(results), encoding="utf-8")


def read_seed(folder: Path) -> Played:
    """What `collect` put together."""
    found = json.loads((folder / SEED).read_text(encoding="utf-8"))
    return Played(
        seed=found["seed"],
        reports={policy: _report(folder / f"{policy}.json") for policy in found["policies"]},
        points=[Point.model_validate(point) for point in found["points"]],
        costs=[Cost.model_validate(cost) for cost in found["costs"]],
    )


def brief(results: Results) -> str:
    """The results as a Markdown page without figures, for the KFP UI."""
    return "\n\n".join(part for part in sections(results, ()) if not part.startswith("!"))


def machine() -> dict[str, str]:
    """What the results were taken on."""
    import torch

    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "none"
    return {
        "cores": str(os.cpu_count()),
        "gpu": gpu,
        "os": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def _point(row: Row, lane: str, seed: int, step: int) -> Point:
    return Point(lane=lane, seed=seed, step=step, suite=row.suite, n=row.n, mean=row.mean, low=row.low, high=row.high)


def _cost(stage: str, seed: int, folder: Path) -> Cost:
    took = _read(folder / "result.json")["metrics"]
    return Cost(
        stage=stage,
        seed=seed,
        steps=took["steps"],
        tokens=took["total_tokens"],
        seconds=took["seconds"],
        peak_memory_mib=took["peak_memory_mib"],
    )


def _report(path: Path) -> Report:
    return Report.model_validate_json(path.read_text(encoding="utf-8"))


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
