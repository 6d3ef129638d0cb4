"""Train one SFT for each cell (all operators, none, all but one, one alone), measure all on the same episodes.

Cells run side by side, a thread each; each keeps its stages in a folder of its own, so that the same call goes on.
"""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Literal

from hat.domains.livestream import Livestream
from hat.evaluation import EvalConfig, Report, compare, evaluate, load_report
from hat.evaluation.parts import write_whole
from hat.harness import Frozen, load_harness
from hat.hsa import ALL, FAMILIES, STRUCTURAL
from hat.tracking.owner import end_with_owner
from hat.tracking.progress import Progress
from hat.training import Inputs, SftConfig, TraceConfig, synthesize, train

Mode = Literal["without", "only"]
REPORT = "ablation.json"


class AblationConfig(Frozen):
    """What is trained and measured. Settings are the same for every cell."""

    base: Path
    """A model directory."""
    harness: Path
    catalogue: Path | None = None
    edits: Path | None = None
    """Held-out edits; None leaves that suite out."""
    by: Literal["family", "operator"] = "family"
    modes: tuple[Mode, ...] = ("without", "only")
    structural: bool = False
    """Whether structural operators are among all."""
    traces: TraceConfig = TraceConfig(harnesses=240, original=0.2)
    sft: SftConfig = SftConfig(steps=60, threads=1)
    evaluate: EvalConfig = EvalConfig(
        suites=("T1", "T2", "edits"),
        split="dev",
        t1_tasks=100,
        t2_variants=40,
        t2_tasks=5,
        edit_tasks=6,
        max_new_tokens=64,
    )
    """On the development split: operators may be chosen by what comes out."""


class Cell(Frozen):
    """One SFT."""

    name: str
    mode: Literal["all", "none", "without", "only"]
    operators: tuple[str, ...]
    without: tuple[str, ...] = ()


class Row(Frozen):
    """One cell on one suite."""

    cell: str
    mode: str
    suite: str
    n: int
    mean: float
    low: float
    high: float
    difference: float
    """To the cell with all operators, episode by episode."""
    difference_low: float
    difference_high: float


class AblationReport(Frozen):
    """All cells."""

    config: AblationConfig
    rows: tuple[Row, ...]


def cells_of(config: AblationConfig) -> list[Cell]:
    """Every cell: all operators, none, and for each family or operator those that the modes ask for."""
    whole = ("paper", "structural") if config.structural else ("paper",)
    there = (*ALL, *STRUCTURAL) if config.structural else ALL
    names: Sequence[str] = FAMILIES if config.by == "family" else [operator.name for operator in there]
    found = [Cell(name="all", mode="all", operators=whole), Cell(name="none", mode="none", operators=())]
    for name in names:
        if "without" in config.modes:
            found.append(Cell(name=f"without {name}", mode="without", operators=whole, without=(name,)))
        if "only" in config.modes:
            found.append(Cell(name=f"only {name}", mode="only", operators=(name,)))
    return found


def run_ablation(config: AblationConfig, out: Path, workers: int = 2) -> AblationReport:
    """Run every cell and write out/ablation.json; cells that are done are kept.

    Raises:
        HarnessError, EditError, ModelDirectoryError, OSError: what goes in cannot be used.
    """
    cells = cells_of(config)
    with Progress("ablation", total=len(cells), unit="models") as progress:
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=spawn, initializer=end_with_owner) as pool:
            going = [pool.submit(run_cell, config, cell, _folder(out, cell)) for cell in cells]
            for number, future in enumerate(as_completed(going), 1):
                future.result()
                progress.update(number)
    reports = {cell.name: load_report(_folder(out, cell) / "evaluation") for cell in cells}
    report = AblationReport(config=config, rows=tuple(row for cell in cells for row in _rows(cell, reports)))
    write_whole(out / REPORT, report.model_dump_json(indent=1) + "\n")
    return report


def run_cell(config: AblationConfig, cell: Cell, folder: Path) -> None:
    """Traces, SFT and evaluation of one cell."""
    original = load_harness(config.harness)
    inputs = Inputs(model=config.base, harness=config.harness, catalogue=config.catalogue)
    drawn = config.traces.model_copy(update={"operators": cell.operators, "without": cell.without})
    traces = synthesize(drawn, inputs, folder / "traces").out
    model = train(config.sft, inputs.model_copy(update={"traces": traces}), folder / "sft").model
    domain = Livestream(config.catalogue, original, split=config.evaluate.split, locale=original.locale)
    evaluate(config.evaluate, model, domain, folder / "evaluation", name=cell.name, edits=config.edits)


def _folder(out: Path, cell: Cell) -> Path:
    return out / "cells" / cell.name.replace(" ", "-")


def _rows(cell: Cell, reports: dict[str, Report]) -> list[Row]:
    rows = []
    for found in reports[cell.name].rows:
        if found.metric != "score":
            continue
        against = compare(reports[cell.name], reports["all"], found.suite)
        rows.append(
            Row(
                cell=cell.name,
                mode=cell.mode,
                suite=found.suite,
                n=found.n,
                mean=found.mean,
                low=found.low,
                high=found.high,
                difference=against.mean,
                difference_low=against.low,
                difference_high=against.high,
            )
        )
    return rows
