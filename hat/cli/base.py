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
) -> None:
    """Pre-train it from nothing (about 45 minutes on one core); an interrupted build goes on from its checkpoint."""
    from hat.harness import HarnessError, load_harness
    from hat.tracking.progress import ProgressEvent, listening
    from hat.training.base.build import BaseConfig, build_base

    def show(event: ProgressEvent) -> None:
        figures = "  ".join(f"{name} {value:.3f}" for name, value in event.metrics.items())
        typer.echo(f"step {event.done}/{event.total}  {figures}")

    config = BaseConfig(seed=seed) if steps is None else BaseConfig(seed=seed, steps=steps)
    try:
        out.mkdir(parents=True, exist_ok=True)
        names = load_harness(harness)
    except (OSError, HarnessError) as error:
        typer.echo(f"{error}\nNothing was started.", err=True)
        raise typer.Exit(2) from error
    with listening(show):
        typer.echo(f"model in {build_base(config, names, out)}")
