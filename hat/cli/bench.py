"""Measure speed against what one would use instead (`hat bench [NAMES]`), or an endpoint (`hat bench latency`).

Run it in the project's folder, on a machine that does nothing else. Exit codes: 0 done, whether goals are met or not;
1 a benchmark failed; 2 there is no benchmark of that name, or an input is wrong.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup


class _NamesToo(TyperGroup):
    """A group in which benchmarks' names may stand in the place of a subcommand."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Names, options or nothing are for `run`."""
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_NamesToo, help=__doc__, add_completion=False, pretty_exceptions_enable=False)
HARNESS = Path("examples/livestream/harness")
FOLDER, OUT, DOCS = Path("benchmarks"), Path("build/bench"), Path("docs/benchmarks.md")
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
"""What stands between these lines of the page is generated."""
Row = dict[str, Any]


@app.command("run")
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Such as hsa, loop, engine, sft, rl; all if none.")] = None,
    write_docs: Annotated[
        bool, typer.Option("--write-docs", help=f"Put the table of all that was measured into {DOCS}.")
    ] = False,
) -> None:
    """Run benchmarks, each in a process of its own on one thread; one table, and build/bench/<name>.json."""
    chosen = choose(names or [])
    failed = [name for name in chosen if not _run(name)]
    rows = [row for name in chosen if name not in failed for row in read(OUT / f"{name}.json")]
    _show(rows)
    if write_docs and not failed:
        kept = [row for name in choose([]) if (file := OUT / f"{name}.json").exists() for row in read(file)]
        DOCS.write_text(with_table(DOCS.read_text(encoding="utf-8"), kept), encoding="utf-8")
        typer.echo(f"{DOCS} holds the table")
    typer.echo(f"{OUT}/<name>.json has every row with its ranges and this machine")
    if failed:
        typer.echo(f"failed: {', '.join(failed)}; the messages are above", err=True)
        raise typer.Exit(1)


@app.command()
def latency(  # noqa: PLR0913, PLR0917 - each an option of the command
    endpoint: Annotated[str, typer.Argument(help="OpenAI-compatible, such as http://127.0.0.1:8000/v1.")],
    model: Annotated[str, typer.Argument(help="The model's name there.")],
    hardware: Annotated[str, typer.Option(help="What serves it, for the table: `one H20, MTP on`.")] = "not named",
    harness: Annotated[Path, typer.Option(help="The harness that turns are played under.")] = HARNESS,
    catalogue: Annotated[Path | None, typer.Option(help="CSV or JSONL; the example's if left out.")] = None,
    turns: Annotated[int, typer.Option(min=1, help="Turns that are timed.")] = 200,
    concurrency: Annotated[int, typer.Option(min=1, help="Turns under way at once.")] = 8,
    seed: Annotated[int, typer.Option(help="Of the turns.")] = 0,
    key_env: Annotated[str, typer.Option(help="Environment variable that holds the key.")] = "",
) -> None:
    """Play whole turns against an endpoint: how long viewers wait, beside the paper's figures."""
    from hat.domains.livestream import DomainError, InputError, Livestream
    from hat.harness import HarnessError
    from hat.latency import LatencyConfig, LatencyError, measure
    from hat.latency.table import rows, table

    try:
        domain = Livestream(catalogue, harness, split="test")
        config = LatencyConfig(turns=turns, concurrency=concurrency, seed=seed)
        report = measure(config, endpoint, model, domain, hardware, os.environ.get(key_env, "") if key_env else "")
    except LatencyError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    except (DomainError, InputError, HarnessError, OSError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    OUT.mkdir(parents=True, exist_ok=True)
    file = OUT / "latency.json"
    file.write_text(json.dumps(rows(report, _machine()), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    typer.echo(table(report))
    typer.echo(f"\n{file} has the rows")


def _machine() -> dict[str, Any]:
    """What plays the turns; what serves them is named by the caller."""
    return {"cores": os.cpu_count(), "os": f"{platform.system()} {platform.machine()}"}


def choose(names: Sequence[str], folder: Path = FOLDER) -> list[str]:
    """The benchmarks of these names, all if none is given; exit code 2 for a name that there is not."""
    there = sorted(path.stem for path in folder.glob("[!_]*.py"))
    if not there:
        typer.echo(f"no benchmarks in {folder.absolute()}: run `hat bench` in the project's folder", err=True)
        raise typer.Exit(2)
    if wrong := [name for name in names if name not in there]:
        typer.echo(f"no benchmark {', '.join(wrong)}: there are {', '.join(there)}", err=True)
        raise typer.Exit(2)
    return list(dict.fromkeys(names)) or there


def read(path: Path) -> list[Row]:
    """The rows of a benchmark."""
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def with_table(page: str, rows: Sequence[Row]) -> str:
    """The page with a table of `rows` between its two marks. Raises ValueError if it has none."""
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise ValueError(f"{DOCS} must hold the lines {BEGIN} and {END} once each; the table goes between them")
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{markdown(rows)}{END}{rest.split(END)[1]}"


def markdown(rows: Sequence[Row]) -> str:
    """The table and the machine, in Markdown."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|" + " --- |" * len(HEADINGS)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    machines = {", ".join(f"{key} {value}" for key, value in row["machine"].items()) for row in rows}
    return "\n".join(lines) + "\n\n" + "".join(f"Taken on: {machine}.\n" for machine in sorted(machines))


HEADINGS = ("what", "unit", "ours", "peer", "peer's", "ratio", "goal", "met", "n")


def cells(row: Row) -> tuple[str, ...]:
    """A row as text. A goal of a row whose peer is what it is measured by is a number of times the peer."""
    goal, met = row["goal"], row["met"]
    return (
        row["what"],
        row["unit"],
        _figure(row["ours"], row.get("ours_range")),
        row["peer"] or "",
        _figure(row["peer_value"], row.get("peer_range")),
        "" if row["ratio"] is None else f"{row['ratio']:.2f}",
        "" if goal is None else f"{goal:,g} x peer" if row.get("goal_of") == "ratio" else f"{goal:,g}",
        "" if met is None else "yes" if met else "no",
        f"{row['n']:,}",
    )


def _figure(value: float | None, between: Sequence[float] | None) -> str:
    if value is None:
        return ""
    digits = 0 if value >= 100 else 2
    return f"{value:,.{digits}f}" + (f" ({between[0]:,.{digits}f} to {between[1]:,.{digits}f})" if between else "")


def _run(name: str) -> bool:
    """Whether the benchmark ended well; its rows are then in its file."""
    typer.echo(f"{name} ...", err=True)
    OUT.mkdir(parents=True, exist_ok=True)
    log = OUT / f"{name}.log"
    command = [sys.executable, "-m", "benchmarks", name, str(OUT / f"{name}.json")]
    env = os.environ | {"OMP_NUM_THREADS": "1", "TRL_EXPERIMENTAL_SILENCE": "1"}
    with log.open("w", encoding="utf-8") as file:
        code = subprocess.run(command, env=env, stdout=file, stderr=file, check=False).returncode  # noqa: S603
    if code:
        typer.echo("".join(log.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)[-15:]), err=True)
    return code == 0


def _show(rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", "ours", "peer", "ratio", "goal", "met", "n", box=None, pad_edge=False, padding=(0, 2, 1, 0))
    for row in rows:
        what, unit, ours, name, theirs, *rest = cells(row)
        against = f"\n[dim]against {name}[/dim]" if name else ""
        style = None if row["met"] is None else "green" if row["met"] else "red"
        table.add_row(
            f"{what}\n[bold]{unit}[/bold]{against}", ours.split(" (")[0], theirs.split(" (")[0], *rest, style=style
        )
    console = Console()
    console.print(table)
    for machine in sorted({json.dumps(row["machine"], ensure_ascii=False) for row in rows}):
        console.print(machine, style="dim", soft_wrap=True)
