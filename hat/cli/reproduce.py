"""The paper's tables in the open: seven policies over training seeds, on every suite, each figure with an interval.

Exit codes: 0 done; 1 a stage failed; 2 what went in is wrong; 3 the run is going on in another process; 130 Ctrl-C.
"""

import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from hat.cli.running import RUNS, Ending, beside, check_inputs, run

app = typer.Typer(help=__doc__, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def reproduce(
    recipe: Annotated[str, typer.Option(help="A recipe's name (full, quick) or file.")] = "full",
    harness: Annotated[Path, typer.Option(help="The harness to train for.")] = Path("examples/livestream/harness"),
    catalogue: Annotated[Path, typer.Option(help="CSV or JSONL.")] = Path("examples/livestream/catalogue.csv"),
    edits: Annotated[str, typer.Option(help="Held-out edits of the harness; the folder beside it if empty.")] = "",
    base: Annotated[str, typer.Option(help="A model folder or hub id; the recipe's if empty.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder of results.json, results.md and figures; the run's own if left out.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Stages at once.")] = 2,
) -> None:
    """Train every policy for every seed, measure them, and write the tables. Again: goes on from what was done."""
    from hat.pipeline.launch import Launch

    console = Console(highlight=False, soft_wrap=True)
    edits = edits or beside(harness)
    arguments, minutes = check_inputs(console, recipe, harness, catalogue, edits, base, reproduction=True)
    launch = Launch(f"reproduce-{Path(recipe).stem}", arguments, RUNS, pipeline="hat_reproduction")
    again = f"hat reproduce --recipe {recipe}"
    sys.exit(run(console, launch, workers, minutes, Ending(again, partial(show_results, out))))


def show_results(out: Path | None, console: Console, launch: Any) -> int:
    """The goals and the main table; the page goes to `out`."""
    from rich.table import Table

    from hat.pipeline.local import task_folder
    from hat.results import Results, write_results
    from hat.results.goals import goals

    found = task_folder(launch.root, "summarise") / "results"
    results = Results.model_validate_json((found / "results.json").read_text(encoding="utf-8"))
    if out is None:
        out = launch.root / "results"
        shutil.copytree(found, out, dirs_exist_ok=True)
    else:
        try:
            write_results(results, out)
        except (OSError, ValueError) as error:
            console.print(f"The tables could not be written to {out}: {error}", markup=False)
            return 1
    table = Table(title="Score, %, with 95 % intervals over seeds and episodes", title_justify="left", box=None)
    for name in ("policy", *results.suites):
        table.add_column(name, justify="left" if name == "policy" else "right", no_wrap=True)
    for policy in results.policies:
        cells = [results.cell(policy, suite) for suite in results.suites]
        texts = [f"{100 * c.mean:.1f}\n[dim]{100 * c.low:.1f}-{100 * c.high:.1f}[/dim]" if c else "-" for c in cells]
        table.add_row(policy, *texts)
    console.print(table)
    for goal in goals(results):
        mark = {True: "[green]met[/green]", False: "[yellow]missed[/yellow]", None: "not measured"}[goal.met]
        console.print(f"{mark}: {goal.what}: {goal.found}, wanted {goal.wanted}")
    console.print(f"\nPage with figures: {out / 'results.md'}\nData: {out / 'results.json'}")
    return 0
