"""Blind review by people: two replies to the same turn, whose they are not said.

Exit codes: 0 done; 2 an input is wrong. Votes are kept one by one; `serve` again goes on.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hat.review import ReviewReport

app = typer.Typer(no_args_is_help=True, help=__doc__, add_completion=False, pretty_exceptions_enable=False)
Folder = Annotated[Path, typer.Argument(help="Folder of the review.")]


@app.command("export")
def make(
    folder: Folder,
    system: Annotated[list[str], typer.Option(help="NAME=FOLDER of an evaluation; two or more, on the same episodes.")],
    count: Annotated[int, typer.Option(min=1, help="Turns for each pair of systems.")] = 50,
    suite: Annotated[
        list[str] | None, typer.Option(help="Suites whose turns are taken; T1 and T2 if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of which turns, and which side.")] = 0,
) -> None:
    """Make a review from evaluations."""
    from hat.review import ReviewError, export

    try:
        if wrong := [given for given in system if not all(given.partition("=")[::2])]:
            raise ReviewError(f"--system {wrong[0]}: write NAME=FOLDER")  # noqa: TRY301
        systems = {name: Path(place) for name, _, place in (given.partition("=") for given in system)}
        key = export(systems, folder, count, tuple(suite or ("T1", "T2")), seed)
    except (ReviewError, OSError) as error:
        raise _wrong(error) from error
    same = ", ".join(f"{pair}: {number}" for pair, number in key.same.items())
    typer.echo(f"{len(key.items)} turns to review in {folder}; answered in the same words, not asked: {same}")
    typer.echo(f"Next: hat review serve {folder}. Keep {folder / 'key.json'} from reviewers.")


@app.command()
def serve(
    folder: Folder,
    host: Annotated[str, typer.Option(help="0.0.0.0 lets others in the house in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8090,
) -> None:
    """Open the page for reviewers; Ctrl-C ends it, votes are kept."""
    import socket

    import uvicorn

    from hat.review import ReviewError
    from hat.review.server import build_app

    try:
        application = build_app(folder)
        listener = socket.create_server((host, port))
    except (ReviewError, OSError) as error:
        raise _wrong(error) from error
    typer.echo(f"Review at http://{host}:{listener.getsockname()[1]} (Ctrl-C ends it)")
    uvicorn.Server(uvicorn.Config(application, log_level="warning")).run(sockets=[listener])


@app.command("import")
def take(
    folder: Folder, files: Annotated[list[Path], typer.Argument(help="Votes made elsewhere, JSON lines.")]
) -> None:
    """Add votes that were made on another machine; all are checked before any is added."""
    from hat.review import ReviewError, load_items, load_votes
    from hat.review.data import append_votes, read_votes, require_known

    try:
        votes = [vote for file in files for vote in read_votes(file)]
        require_known(votes, load_items(folder))
        known = set(load_votes(folder))
        new = [vote for vote in votes if vote not in known]
        append_votes(folder, new)
    except (ReviewError, OSError) as error:
        raise _wrong(error) from error
    typer.echo(f"{len(new)} votes added, {len(votes) - len(new)} were there")


@app.command()
def report(
    folder: Folder, out: Annotated[Path | None, typer.Option(help="Also write the figures to this JSON file.")] = None
) -> None:
    """Win rates, Bradley-Terry strengths and how far reviewers agree."""
    from hat.review import ReviewError, build_report, load_items, load_key, load_votes

    try:
        found = build_report(load_items(folder), load_key(folder), load_votes(folder))
    except (ReviewError, ValueError, OSError) as error:
        raise _wrong(error) from error
    _show(found)
    if out is not None:
        out.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")


def _show(found: "ReviewReport") -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("system", "against", "preferred % (95 % interval)", "votes", "ties", "same words")
    for rate in found.win_rates:
        share = f"{100 * rate.mean:.1f} ({100 * rate.low:.1f} to {100 * rate.high:.1f})"
        table.add_row(rate.system, rate.against, share, str(rate.n), str(rate.ties), str(rate.same))
    console.print(table)
    if len(found.strengths) > 2:
        ranks = Table("system", "Bradley-Terry strength (95 % interval)")
        for one in found.strengths:
            ranks.add_row(one.system, f"{one.value:+.2f} ({one.low:+.2f} to {one.high:+.2f})")
        console.print(ranks)
    alpha = "not defined" if found.alpha is None else f"{found.alpha:.2f}"
    reviewers = ", ".join(f"{name} {count}" for name, count in found.reviewers.items())
    console.print(f"Krippendorff's alpha {alpha}, over {found.shared} of {found.items} turns. Votes: {reviewers}")


def _wrong(error: Exception) -> typer.Exit:
    typer.echo(str(error), err=True)
    return typer.Exit(2)
