"""See variants of a harness, check that transforms leave tasks what they are and that no two splits share data.

Exit codes: 0 done; 1 an operator breaks a task, or splits share something; 2 a harness, catalogue or option is wrong.
"""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from hat.cli.harness import Folder, load, refusals

if TYPE_CHECKING:
    from hat.domains.livestream import Livestream
    from hat.hsa import Operator

app = typer.Typer(no_args_is_help=True, help=__doc__, add_completion=False, pretty_exceptions_enable=False)
Chosen = Annotated[list[str] | None, typer.Option("--operator", help="Only this one; may be repeated.")]
SPLIT = typer.Option(help="Whose made-up names and wordings: train, dev or test.")


@app.command()
def show(
    folder: Folder,
    seed: Annotated[int, typer.Option(help="The same seed gives the same variant.")] = 1,
    strength: Annotated[float, typer.Option(min=0, max=1, help="Probability of each operator.")] = 0.7,
    split: Annotated[str, SPLIT] = "train",
    operator: Chosen = None,
    save: Annotated[Path | None, typer.Option(help="Also write the variant to this folder.")] = None,
) -> None:
    """Draw a variant; print what was done and what changed."""
    from hat.harness.diff import diff, render_text
    from hat.harness.files import save_harness
    from hat.hsa import replay

    harness = load(folder)
    variant = replay(harness, seed, strength, operators(operator), split=splits(split))  # type: ignore[arg-type]
    for applied in variant.trail:
        typer.echo(f"{applied.family}: {applied.operator}")
    typer.echo("\n" + render_text(diff(harness, variant.harness)))
    if save is not None:
        with refusals():
            save_harness(variant.harness, save)


@app.command()
def check(
    folder: Folder,
    catalogue: Annotated[Path | None, typer.Option(help="CSV or JSONL; the example's if left out.")] = None,
    tasks: Annotated[int, typer.Option(min=1, help="Tasks for each operator.")] = 1000,
    split: Annotated[str, SPLIT] = "train",
    operator: Chosen = None,
) -> None:
    """Let the oracle play tasks under variants by each operator alone; say how often it applies and what it breaks."""
    from rich.console import Console
    from rich.table import Table

    half = splits(split)
    domain = _domain(folder, catalogue)
    table = Table("family", "operator", "applies", "tasks", "preserved")
    broken = []
    for chosen in operators(operator, structural=True):
        applied, problem = _check(domain, chosen, tasks, half)
        table.add_row(chosen.family, chosen.name, f"{applied:.0%}", str(tasks), "no" if problem else "yes")
        broken += [problem] if problem else []
    Console().print(table)
    for problem in broken:
        typer.echo(problem, err=True)
    if broken:
        raise typer.Exit(1)


@app.command("splits")
def show_splits(
    folder: Folder,
    catalogue: Annotated[Path | None, typer.Option(help="CSV or JSONL; the example's if left out.")] = None,
    edits: Annotated[
        Path | None, typer.Option(help="Held-out edits; the folder beside the harness if it is there.")
    ] = None,
) -> None:
    """Count what each split holds and what more than one holds: products, wordings, names, prompts, edits."""
    from rich.console import Console
    from rich.table import Table

    from hat.evaluation import EditError
    from hat.evaluation.clean import splits as held

    domain = _domain(folder, catalogue)
    beside = folder.parent / "edits"
    try:
        with refusals():
            rows = held(domain, edits or (beside if beside.is_dir() else None))
    except EditError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    table = Table("what", "train", "dev", "test", "edits", "in two of them")
    for row in rows:
        counts = [
            f"{row.counts[split]:,}" if split in row.counts else "" for split in ("train", "dev", "test", "edits")
        ]
        table.add_row(row.what, *counts, str(len(row.shared)))
    Console().print(table)
    for row in rows:
        for text in row.shared:
            typer.echo(f"{row.what}: {text!r} is in two splits; take it out of one", err=True)
    if any(row.shared for row in rows):
        raise typer.Exit(1)


def _domain(folder: Path, catalogue: Path | None) -> "Livestream":
    """The domain of a harness and a catalogue; exit code 2 if they do not go together."""
    from hat.domains.livestream import DomainError, InputError, Livestream

    harness = load(folder)
    try:
        return Livestream(catalogue, harness, locale=harness.locale)
    except (DomainError, InputError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error


def _check(domain: "Livestream", operator: "Operator", count: int, split: str) -> tuple[float, str]:
    """The share of variants that the operator changes, and the first task that it breaks, in words."""
    from hat.hsa import BY_NAME, TaskNotPreserved, augment, check_preserved, needs

    rng, applied = Random(0), 0
    chosen = (BY_NAME[operator.after], operator) if operator.after else (operator,)
    for _ in range(count):
        task = domain.sample(rng)
        variant = augment(
            domain.harness(),
            rng,
            1.0,
            chosen,
            split=split,  # type: ignore[arg-type]
            keep=needs([task]),
        )
        applied += any(done.operator == operator.name for done in variant.trail)
        try:
            check_preserved(variant, [task], domain)
        except TaskNotPreserved as error:
            return applied / count, str(error)
    return applied / count, ""


def operators(names: list[str] | None, *, structural: bool = False) -> "tuple[Operator, ...]":
    """The operators of these names, the paper's (with `structural` all) if none; exit code 2 for an unknown name."""
    from hat.hsa import ALL, BY_NAME, STRUCTURAL

    if wrong := [name for name in names or () if name not in BY_NAME]:
        typer.echo(f"no operator {', '.join(wrong)}: there are {', '.join(BY_NAME)}", err=True)
        raise typer.Exit(2)
    if names:
        return tuple(BY_NAME[name] for name in names)
    return (*ALL, *STRUCTURAL) if structural else ALL


def splits(split: str) -> str:
    """The split; exit code 2 if there is no such."""
    from hat.domains.livestream.split import SPLITS

    if split not in SPLITS:
        typer.echo(f"no split {split!r}: there are {', '.join(SPLITS)}", err=True)
        raise typer.Exit(2)
    return split
