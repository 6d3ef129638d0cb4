"""What the commands that run a pipeline here share: checking what goes in, showing the run, saying how it ended."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from hat.cli.live import view_for
from hat.pipeline.board import Board, duration

RUNS = Path("build/runs")


class Ending(NamedTuple):
    """How a command ends."""

    again: str
    """What the user types to go on."""
    show: Callable[[Console, Any], int]
    """Prints what came of a finished run; returns the exit code."""


def run(console: Console, launch: Any, workers: int, minutes: float, ending: Ending) -> int:
    """Run a pipeline alone in its folder; returns the exit code."""
    from hat.pipeline.launch import LaunchError
    from hat.tracking import BusyError, exclusive

    try:
        with exclusive(launch.root):
            return play(console, launch, workers, minutes, ending)
    except LaunchError as error:
        console.print(str(error))
        return 2
    except BusyError as error:
        console.print(str(error))
        return 3


def beside(harness: Path) -> str:
    """The held-out edits beside a harness; empty if there are none."""
    folder = harness.parent / "edits"
    return str(folder) if folder.is_dir() else ""


def check_inputs(
    console: Console, recipe: str, harness: Path, catalogue: Path, edits: str, base: str, *, reproduction: bool = False
) -> tuple[dict[str, Any], float]:
    """The pipeline's arguments and the recipe's minutes if all that goes in is right; else all findings, and exit 2."""
    from hat.domains.livestream import CatalogueError, load_catalogue
    from hat.evaluation import EditError
    from hat.harness import HarnessError, digest, load_harness
    from hat.pipeline.launch import code_version
    from hat.pipeline.recipe import RecipeError, check_recipe, load_recipe, load_reproduction
    from hat.pipeline.stages import WrongInputError, model_digest, read_edits

    wrong: list[str] = []
    loaded: Any = None
    found: str | None = None
    for step in ("recipe", "harness", "catalogue", "base"):
        try:
            match step:
                case "recipe":
                    loaded = load_reproduction(recipe) if reproduction else load_recipe(recipe)
                    check_recipe(loaded)
                case "harness":
                    original = load_harness(harness)
                    found = digest(original)
                    read_edits(edits, original)
                case "catalogue":
                    load_catalogue(catalogue)
                case _ if loaded:
                    model_digest(base or loaded.base_model)
        except (RecipeError, HarnessError, CatalogueError, EditError, WrongInputError, OSError) as error:
            wrong.append(str(error))
    if wrong or loaded is None or found is None:
        console.print("\n\n".join(wrong), markup=False)
        console.print(
            f"\nNothing was started. Mend what is named above ({len(wrong)}), then give the same command again."
        )
        sys.exit(2)
    arguments = loaded.arguments() | {
        "harness": str(harness),
        "catalogue": str(catalogue),
        "edits": edits,
        "harness_digest": found,
        "code_version": code_version(),
    }
    return arguments | ({"base_model": base} if base else {}), loaded.minutes


def play(console: Console, launch: Any, workers: int, minutes: float, ending: Ending) -> int:
    """Start the run, show it until it ends, and say what came of it; returns the exit code."""
    from hat.pipeline.launch import stop

    began, board = time.time(), Board()
    about = f"{launch.root}" + (f", about {minutes:g} minutes on two cores" if minutes else "")
    console.print(f"Run {about}. Ctrl-C keeps what is done.")
    process = launch.start(workers)
    try:
        watch(console, launch, process, board)
    except KeyboardInterrupt:
        stop(process)
        say_kept(console, board, ending.again)
        return 130
    finally:
        stop(process)
    if process.returncode:
        return say_failed(console, launch, board)
    console.print(f"\nDone in {duration(time.time() - began)}.\n")
    return ending.show(console, launch)


def watch(console: Console, launch: Any, process: "subprocess.Popen[bytes]", board: Board) -> None:
    """Follow the progress file until the process has ended."""
    from hat.tracking import read_progress

    offset, ended = 0, False
    with view_for(console, launch.root.name) as view:
        while not ended:
            ended = process.poll() is not None
            events, offset = read_progress(launch.progress, offset)
            view.show(board, board.take(events))
            if not ended:
                time.sleep(0.25)


def say_kept(console: Console, board: Board, again: str) -> None:
    """After Ctrl-C: what is kept, and how to go on."""
    whole = board.having("done", "kept")
    console.print(f"\nStopped. Kept: {', '.join(task.title for task in whole) or 'nothing whole yet'}.")
    for task in board.having("running"):
        at = f" at {task.last.done:,} of {task.last.total:,} {task.last.unit}" if task.last else " as it started"
        console.print(f"  {task.title} was{at}; it goes on from its last checkpoint.")
    console.print(f"The same command goes on from here: [bold]{again}[/bold]")


def say_failed(console: Console, launch: Any, board: Board) -> int:
    """After a failure: which task, why, and how to go on."""
    from hat.pipeline.launch import explain
    from hat.pipeline.local import task_folder

    failed = board.having("failed")
    for task in failed:
        log = task_folder(launch.root, task.name) / "log.txt"
        console.print(f"\n[red]{task.title} failed.[/red] The end of its log ({log}):")
        console.print(explain(log), markup=False)
    if not failed:
        console.print(f"\n[red]The run ended early.[/red] The end of its log ({launch.log}):")
        console.print(explain(launch.log), markup=False)
    console.print("\nWhat is done is kept; after mending the cause the same command goes on from there.")
    return 1
