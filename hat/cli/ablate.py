"""What each operator (or family) of augmentation is worth: one SFT without it, one with it alone, beside all and none.

Exit codes: 0 done; 2 an input is wrong. What is done is kept: run again to go on.
"""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help=__doc__, add_completion=False, pretty_exceptions_enable=False)
EXAMPLES = Path("examples/livestream")


@app.command()
def ablate(  # noqa: PLR0913, PLR0917 - each an option of the command
    base: Annotated[Path, typer.Option(help="Model directory that every SFT starts from.")] = Path("models/tiny-base"),
    harness: Annotated[Path, typer.Option(help="The original harness.")] = EXAMPLES / "harness",
    by: Annotated[str, typer.Option(help="family (12 models) or operator (48 models).")] = "family",
    mode: Annotated[list[str] | None, typer.Option(help="without, only; both if left out.")] = None,
    structural: Annotated[bool, typer.Option("--structural", help="Count structural operators among all.")] = False,
    steps: Annotated[int, typer.Option(min=1, help="Of each SFT.")] = 60,
    seed: Annotated[int, typer.Option(help="Of traces and training.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder of models, ablation.json, ablation.md and figures.")] = Path(
        "build/ablation"
    ),
    workers: Annotated[int, typer.Option(min=1, help="Models at once, a thread each.")] = 2,
) -> None:
    """Train, measure, and write the page."""
    from hat.ablation import AblationConfig, run_ablation
    from hat.ablation.page import write_page
    from hat.domains.livestream import DomainError, InputError
    from hat.evaluation import EditError
    from hat.harness import HarnessError
    from hat.tracking.progress import ProgressEvent, listening
    from hat.training import SftConfig, TraceConfig

    beside = harness.parent / "edits"
    try:
        config = AblationConfig.model_validate(
            {
                "base": base,
                "harness": harness,
                "edits": beside if beside.is_dir() else None,
                "by": by,
                "modes": tuple(mode or ("without", "only")),
                "structural": structural,
                "traces": TraceConfig(harnesses=4 * steps, original=0.2, seed=seed),
                "sft": SftConfig(steps=steps, threads=1, seed=seed),
            }
        )
        if not (base / "config.json").is_file():
            raise ValueError(f"{base} is no model directory: give one with --base")  # noqa: TRY301

        def show(event: ProgressEvent) -> None:
            typer.echo(f"{event.done} of {event.total} {event.unit}")

        with listening(show):
            report = run_ablation(config, out, workers)
        page = write_page(report, out)
    except (HarnessError, EditError, DomainError, InputError, OSError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    typer.echo(page.read_text(encoding="utf-8"))
    typer.echo(f"{page} has the figures")
