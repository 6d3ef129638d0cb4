"""Measure a model on T1, T2, held-out edits and general prompts; n and a 95 % interval on every number.

Exit codes: 0 done; 2 a model, harness, catalogue, edit or option is wrong. What was played is kept: run again to go on.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hat.episode import Policy
    from hat.evaluation import Report

app = typer.Typer(help=__doc__, add_completion=False, pretty_exceptions_enable=False)
EXAMPLES = Path("examples/livestream")


@app.command()
def evaluate(
    model: Annotated[str, typer.Argument(help="A model folder; with --endpoint, the model's name there.")],
    out: Annotated[Path, typer.Option(help="Folder of report.json and traces.jsonl.")] = Path("build/evaluation"),
    harness: Annotated[Path, typer.Option(help="The original harness.")] = EXAMPLES / "harness",
    catalogue: Annotated[Path, typer.Option(help="CSV or JSONL.")] = EXAMPLES / "catalogue.csv",
    edits: Annotated[Path | None, typer.Option(help="Held-out edits; `edits` beside the harness if left out.")] = None,
    endpoint: Annotated[str, typer.Option(help="OpenAI-compatible, such as http://127.0.0.1:8000/v1.")] = "",
    config: Annotated[Path | None, typer.Option(help="YAML with settings of the evaluation.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes of one thread, for a model folder.")] = 1,
) -> None:
    """Play the suites and print the table."""
    from hat.domains.general import GeneralTasks
    from hat.domains.livestream import DomainError, InputError, Livestream
    from hat.episode.policies.openai import OpenAIPolicy
    from hat.evaluation import EditError, EvalConfig
    from hat.evaluation import evaluate as measure
    from hat.harness import HarnessError

    folder = edits or harness.parent / "edits"
    try:
        settings = EvalConfig.model_validate(_settings(config) | {"workers": workers})
        policy: Policy | Path = OpenAIPolicy(endpoint, model) if endpoint else Path(model)
        report = measure(
            settings,
            policy,
            Livestream(catalogue, harness, split="test"),
            out,
            name=Path(model).name,
            edits=folder if edits or folder.is_dir() else None,
            general=GeneralTasks("test"),
        )
    except (EditError, HarnessError, DomainError, InputError, OSError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    show(report, out)


def show(report: "Report", out: Path) -> None:
    """The table of a report."""
    from rich.console import Console
    from rich.table import Table

    table = Table("suite", "metric", "n", "mean %", "95 % interval", title=report.policy)
    for row in report.rows:
        interval = f"{100 * row.low:.1f} to {100 * row.high:.1f}"
        table.add_row(row.suite, row.metric, str(row.n), f"{100 * row.mean:.1f}", interval)
    console = Console()
    console.print(table)
    if report.failed:
        console.print(f"{report.failed} episodes were ended by a failure of the policy: run again to play them again")
    console.print(
        f"{out / 'report.json'} has it by kind, operator, family and edit; {out / 'traces.jsonl'} every episode"
    )


def _settings(config: Path | None) -> dict[str, Any]:
    import yaml

    if config is None:
        return {}
    try:
        found = yaml.safe_load(config.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"{config}: no YAML: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(  # noqa: TRY004 - the file's fault, not the caller's
            f"{config}: holds {type(found).__name__}: give settings by name, such as `t1_tasks: 300`"
        )
    return found
