"""Run the training pipeline in KFP's local runner, plainly: `python -m pipelines.run --root build/runs/mine`.

`hat demo` shows the same run live. Exit codes: 0 done; 1 a task failed.
"""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from hat.pipeline.local import TaskFailedError, run_local
from hat.tracking.owner import end_with_owner
from hat.tracking.runs import end_parent
from pipelines.hat_training import hat_training


def main(
    root: Annotated[Path, typer.Option(help="Folder of the run; the same folder goes on from what was done.")],
    arguments: Annotated[Path | None, typer.Option(help="JSON file with the pipeline's arguments.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Tasks at once.")] = 2,
) -> None:
    """Run the pipeline here."""
    end_with_owner()
    given = json.loads(arguments.read_text(encoding="utf-8")) if arguments else {}
    state = "FAILED"
    try:
        run_local(hat_training, given, root, workers)
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
