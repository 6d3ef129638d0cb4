"""Run a pipeline in KFP's local runner, plainly: `python -m pipelines.run --root build/runs/mine`.

`hat demo` and `hat reproduce` show the same run live. Exit codes: 0 done; 1 a task failed; 2 there is no such pipeline.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from hat.pipeline.local import TaskFailedError, run_local
from hat.tracking.owner import end_with_owner
from hat.tracking.runs import end_parent

PIPELINES = ("hat_training", "hat_reproduction")


def main(
    root: Annotated[Path, typer.Option(help="Folder of the run; the same folder goes on from what was done.")],
    arguments: Annotated[Path | None, typer.Option(help="JSON file with the pipeline's arguments.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Tasks at once.")] = 2,
    pipeline: Annotated[str, typer.Option(help=f"One of {', '.join(PIPELINES)}.")] = PIPELINES[0],
) -> None:
    """Run the pipeline here."""
    end_with_owner()
    if pipeline not in PIPELINES:
        typer.echo(f"no pipeline {pipeline!r}: there are {', '.join(PIPELINES)}", err=True)
        raise typer.Exit(2)
    function = getattr(import_module(f"pipelines.{pipeline}"), pipeline)
    given = json.loads(arguments.read_text(encoding="utf-8")) if arguments else {}
    state = "FAILED"
    try:
        run_local(function, given, root, workers)
        state = "FINISHED"
    except TaskFailedError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        state = "KILLED"
        sys.exit(130)
    finally:
        end_parent(state)


if __name__ == "__main__":
    typer.run(main)
