"""Make, check, render and compare harnesses on disk.

Exit codes: 0 done; 1 `diff --exit-code` found differences; 2 a harness is not valid, or a folder cannot be used.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from hat.harness import Finding, Harness, HarnessError, digest, load_harness, part_digest, render_system, tool_schemas
from hat.harness.diff import diff as compare
from hat.harness.diff import render_text
from hat.harness.template import new_harness
from hat.harness.validate import validate_dir

app = typer.Typer(no_args_is_help=True, help=__doc__, add_completion=False, pretty_exceptions_enable=False)
Folder = Annotated[Path, typer.Argument(help="A harness's folder.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Folder to make.", show_default=False)],
    locale: Annotated[str, typer.Option(help="zh-CN or en.")] = "zh-CN",
) -> None:
    """Make a small valid harness to start from."""
    with refusals():
        new_harness(folder, locale)
    typer.echo(f"{folder}: a harness to start from; after each edit: hat harness validate {folder}")


@app.command()
def validate(
    folders: Annotated[list[Path], typer.Argument(help="Harnesses' folders.", show_default=False)],
    lenient: Annotated[bool, typer.Option(help="Let other people's habits pass, as an import does.")] = False,
    as_json: AsJson = False,
) -> None:
    """List everything that is wrong, as file:line: message. Exit code 2 if there is anything."""
    found = {folder: validate_dir(folder, lenient=lenient) for folder in folders}
    if as_json:
        rows = [{"folder": str(folder), **finding._asdict()} for folder in found for finding in found[folder]]
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        for folder, findings in found.items():
            typer.echo("\n".join(listed(folder, findings)) or summary(folder, load_harness(folder, lenient=lenient)))
    if any(found.values()):
        raise typer.Exit(2)


@app.command()
def render(
    folder: Folder,
    tools: Annotated[bool, typer.Option("--tools", help="Also the tool schemas, as JSON.")] = False,
    skills: Annotated[bool, typer.Option("--skills", help="Also what each skill discloses when loaded.")] = False,
) -> None:
    """Print what the model is given."""
    harness = load(folder)
    typer.echo(render_system(harness))
    for skill in harness.skills if skills else ():
        typer.echo(f"\n--- load_skill({skill.alias})\n{skill.body}")
    if tools:
        typer.echo("\n" + json.dumps(tool_schemas(harness), ensure_ascii=False, indent=2))


@app.command("digest")
def show_digest(
    folder: Folder,
    parts: Annotated[bool, typer.Option("--parts", help="Also each part's.")] = False,
) -> None:
    """Print the digest: the identity of the content."""
    harness = load(folder)
    typer.echo(digest(harness))
    if parts:
        print_parts(harness)


@app.command("diff")
def show_diff(
    before: Folder,
    after: Folder,
    as_json: AsJson = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if there are differences.")] = False,
) -> None:
    """Print what changed, in a harness's own terms."""
    difference = compare(load(before), load(after))
    typer.echo(difference.model_dump_json(indent=2) if as_json else render_text(difference))
    if exit_code and not difference.empty:
        raise typer.Exit(1)


def load(folder: Path) -> Harness:
    """The harness in a folder; its findings on standard error and exit code 2 if it is not valid."""
    with refusals():
        return load_harness(folder)
    raise AssertionError  # refusals() has raised


@contextmanager
def refusals() -> Iterator[None]:
    """What is wrong with a folder goes to standard error, exit code 2."""
    try:
        yield
    except HarnessError as error:
        typer.echo("\n".join(listed(Path(error.path), error.findings)), err=True)
        raise typer.Exit(2) from error
    except (OSError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error


def listed(folder: Path, findings: list[Finding]) -> list[str]:
    """Findings as lines that an editor can jump to."""
    return [str(finding._replace(file=(folder / finding.file).as_posix())) for finding in findings]


def summary(folder: Path, harness: Harness) -> str:
    """One line on a valid harness."""
    counts = f"{len(harness.skills)} skills, {len(harness.hooks)} hooks, {len(harness.sections)} prompt sections"
    return f"{folder}: valid: {harness.name}, {counts}, {len(harness.tools)} tools, {digest(harness)}"


def print_parts(harness: Harness) -> None:
    """A table of the parts and their digests."""
    from rich.console import Console
    from rich.table import Table

    table = Table("kind", "name", "digest")
    for skill in harness.skills:
        table.add_row("skill", skill.alias, part_digest("skill", skill))
    for section in harness.sections:
        table.add_row("section", section.name, part_digest("section", section))
    for hook in harness.hooks:
        table.add_row("hook", hook.name, part_digest("hook", hook))
    for tool in harness.tools:
        table.add_row("tool", tool.name, part_digest("tool", tool))
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 140).print(table)
