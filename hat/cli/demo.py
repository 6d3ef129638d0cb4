"""Train, measure, register and explain a harness-aware model here: the whole pipeline, shown live.

Exit codes: 0 done; 1 a stage failed; 2 what went in is wrong; 3 the run is going on in another process; 130 Ctrl-C.
"""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from hat.cli.running import RUNS, Ending, beside, check_inputs, run

app = typer.Typer(help=__doc__, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def demo(
    recipe: Annotated[str, typer.Option(help="A recipe's name (demo, smoke) or file.")] = "demo",
    harness: Annotated[Path, typer.Option(help="The harness to train for.")] = Path("examples/livestream/harness"),
    catalogue: Annotated[Path, typer.Option(help="CSV or JSONL.")] = Path("examples/livestream/catalogue.csv"),
    edits: Annotated[str, typer.Option(help="Held-out edits of the harness; the folder beside it if empty.")] = "",
    base: Annotated[str, typer.Option(help="A model folder or hub id; the recipe's if empty.")] = "",
    workers: Annotated[int, typer.Option(min=1, help="Stages at once.")] = 2,
) -> None:
    """Run the training pipeline and show what came of it. Again: goes on from what was done."""
    from hat.pipeline.launch import Launch

    console = Console(highlight=False, soft_wrap=True)
    edits = edits or beside(harness)
    arguments, minutes = check_inputs(console, recipe, harness, catalogue, edits, base)
    launch = Launch(Path(recipe).stem, arguments, RUNS)
    sys.exit(run(console, launch, workers, minutes, Ending("make demo", show_result)))


def show_result(console: Console, launch: Any) -> int:
    """The table, where things are, what to do next."""
    from hat.cli.result import print_result
    from hat.pipeline.local import task_folder
    from hat.report import ReportData

    gate = task_folder(launch.root, "gate")
    data = ReportData.model_validate_json((gate / "decision" / "report.json").read_text(encoding="utf-8"))
    page = launch.root / "report.html"
    shutil.copyfile(gate / "page", page)
    print_result(
        console, data, {"Report": str(page), "Result model": str(task_folder(launch.root, "rl") / "model" / "model")}
    )
    return 0
