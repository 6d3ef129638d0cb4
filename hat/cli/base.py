"""Make the tiny base model that the demo starts from."""

from pathlib import Path
from typing import Annotated

import typer

HARNESS = Path("examples/livestream/harness")

app = typer.Typer(help=__doc__, add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def main() -> None:
    """Make the tiny base model that the demo starts from."""


@app.command()
def build(
    out: Annotated[Path, typer.Argument(help="Folder of the new model.")],
    harness: Annotated[
        Path, typer.Option(help="Its names become single tokens; its texts are never trained on.")
    ] = HARNESS,
    steps: Annotated[int | None, typer.Option(help="Fewer for a try; the recipe's number if left out.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed, another model.")] = 0,
    weights: Annotated[
        Path | None, typer.Option("--from", help="Model directory to go on from, made by this command or an older one.")
    ] = None,
    first_step: Annotated[int, typer.Option(help="Where in the recipe the --from weights enter.")] = 0,
) -> None:
    """Pre-train it (about 40 minutes on two cores); an interrupted build goes on from its checkpoint."""
    from pydantic import ValidationError

    from hat.harness import HarnessError, load_harness
    from hat.tracking.progress import ProgressEvent, listening
    from hat.training.base.build import BaseConfig, build_base

    def show(event: ProgressEvent) -> None:
        figures = "  ".join(f"{name} {value:.3f}" for name, value in event.metrics.items())
        typer.echo(f"step {event.done}/{event.total}  {figures}")

    try:
        given = {} if steps is None else {"steps": steps}
        config = BaseConfig(seed=seed, weights=weights, first_step=first_step, **given)
        out.mkdir(parents=True, exist_ok=True)
        names = load_harness(harness)
    except (OSError, HarnessError, ValidationError) as error:
        said = "; ".join(f["msg"] for f in error.errors()) if isinstance(error, ValidationError) else str(error)
        typer.echo(f"{said}\nNothing was started.", err=True)
        raise typer.Exit(2) from error
    with listening(show):
        typer.echo(f"model in {build_base(config, names, out)}")
