"""Mend a harness: diagnose failing episodes, propose an edit, let a person confirm it, try it, publish it.

Exit codes: 0 done; 1 the edit did not pass its trial, or was not confirmed; 2 wrong input. Nothing is published then.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hat.episode import Policy, Trace
    from hat.evaluation import Outcome
    from hat.evolve import Cluster, Trial
    from hat.harness import Harness

app = typer.Typer(no_args_is_help=True, help=__doc__, add_completion=False, pretty_exceptions_enable=False)
Evaluated = Annotated[Path, typer.Argument(help="Folder of an evaluation: report.json and traces.jsonl.")]
HARNESS = Path("examples/livestream/harness")
Original = Annotated[Path, typer.Option("--harness", help="The harness that was measured.")]


@app.command()
def diagnose(
    folder: Evaluated,
    harness: Original = HARNESS,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show what goes wrong: failing episodes by finding, module and part, the largest cluster first."""
    from rich.console import Console
    from rich.table import Table

    _, clusters = _clusters(folder, harness)
    if as_json:
        typer.echo(json.dumps([cluster.model_dump() for cluster in clusters], ensure_ascii=False, indent=1))
        return
    table = Table("", "finding", "look first at", "episodes", "kinds", "for example")
    for number, cluster in enumerate(clusters):
        kinds = ", ".join(f"{kind} {count}" for kind, count in list(cluster.kinds.items())[:4])
        seen = cluster.seen[0]
        place = f"{cluster.module} {cluster.part}".strip()
        share = f"{cluster.count} ({100 * cluster.share:.0f} %)"
        table.add_row(str(number), cluster.finding, place, share, kinds, f"{seen.message} → {seen.reply or '-'}")
    Console().print(table)


@app.command()
def run(  # noqa: PLR0913, PLR0917 - each an option of the command
    folder: Evaluated,
    out: Annotated[Path, typer.Argument(help="Folder of the new harness.")],
    model: Annotated[str, typer.Option(help="The model that reads the harness: a folder, or its name at --endpoint.")],
    endpoint: Annotated[str, typer.Option(help="Where that model is, if it is not a folder.")] = "",
    harness: Original = HARNESS,
    catalogue: Annotated[Path | None, typer.Option(help="CSV or JSONL; the example's if left out.")] = None,
    cluster: Annotated[int, typer.Option(min=0, help="Number of the cluster, as `diagnose` shows it.")] = 0,
    edit: Annotated[Path | None, typer.Option(help="An edit by hand: changed files at their paths.")] = None,
    author: Annotated[str, typer.Option(help="URL of the endpoint that proposes, if there is no edit.")] = "",
    author_model: Annotated[str, typer.Option(help="Its model.")] = "default",
    confirmed_by: Annotated[str, typer.Option(help="Who confirms, without being asked: for scripts.")] = "",
    tasks: Annotated[int, typer.Option(min=2, help="Tasks of the cluster's kinds; twice as many of all kinds.")] = 60,
) -> None:
    """Propose an edit for one cluster, show it, ask a person, try it on the development split, publish if it passes."""
    from hat.domains.livestream import DomainError, InputError, Livestream
    from hat.episode.policies.openai import OpenAIPolicy
    from hat.evolve import ProposalError, TrialConfig, by_endpoint, from_folder, publish, run_trial
    from hat.harness.diff import diff, render_text

    original, clusters = _clusters(folder, harness)
    if cluster >= len(clusters):
        raise _wrong(ValueError(f"no cluster {cluster}: there are {len(clusters)}, from 0; see `hat evolve diagnose`"))
    if edit is None and not author:
        raise _wrong(ValueError("nobody proposes: give --edit FOLDER, or --author URL of an endpoint"))
    chosen = clusters[cluster]
    try:
        policy = _policy(model, endpoint)
        domain = Livestream(catalogue, original, split="dev", locale=original.locale)
        if edit is not None:
            proposal = from_folder(original, edit)
        else:
            with OpenAIPolicy(author, author_model, timeout=120) as writer:
                proposal = by_endpoint(original, chosen, writer)
    except (ProposalError, DomainError, InputError, OSError, ValueError) as error:
        raise _wrong(error) from error
    typer.echo(f"For {chosen.count} episodes: {chosen.finding}\nWhy: {proposal.why}\n")
    typer.echo(render_text(diff(original, proposal.harness)))
    who = confirmed_by or typer.prompt(
        "\nYour name to try and publish this, Enter to leave it", default="", show_default=False
    )
    if not who.strip():
        typer.echo("Not confirmed, nothing was changed.")
        raise typer.Exit(1)
    trial = run_trial(TrialConfig(aimed=tasks, others=2 * tasks), original, proposal, chosen, domain, policy)
    _show(trial)
    if not trial.passed:
        raise typer.Exit(1)
    try:
        record = publish(original, proposal, chosen, trial, out, who)
    except OSError as error:
        raise _wrong(error) from error
    typer.echo(f"Published: {out}, with its record {record}")


def _clusters(folder: Path, harness: Path) -> "tuple[Harness, list[Cluster]]":
    from hat.cli.harness import load
    from hat.evolve import diagnose as find

    original = load(harness)
    try:
        clusters = find(_pairs(folder), original)
    except (OSError, ValueError) as error:
        raise _wrong(error) from error
    if not clusters:
        typer.echo("No episode under a harness failed.")
        raise typer.Exit(0)
    return original, clusters


def _pairs(folder: Path) -> "list[tuple[Outcome, Trace]]":
    """Outcomes and traces of suites with a harness."""
    from hat.episode import read_traces
    from hat.evaluation import load_report

    pairs = zip(load_report(folder).outcomes, read_traces(folder / "traces.jsonl"), strict=True)
    return [(outcome, trace) for outcome, trace in pairs if outcome.suite != "T4"]


def _policy(model: str, endpoint: str) -> "Policy":
    if endpoint:
        from hat.episode.policies.openai import OpenAIPolicy

        return OpenAIPolicy(endpoint, model)
    from hat.episode.policies.transformers_policy import TransformersPolicy

    return TransformersPolicy.load(Path(model), name=Path(model).name)


def _show(trial: "Trial") -> None:
    typer.echo(f"\nScore on the cluster's kinds: {100 * trial.before:.1f} before, {100 * trial.after:.1f} after.")
    typer.echo(("Passed: " if trial.passed else "Not passed: ") + trial.reason)
    if trial.broken:
        typer.echo(f"{len(trial.broken)} tasks that were right are wrong now, such as:")
        for told in trial.broken[:5]:
            typer.echo(f"  {told}")


def _wrong(error: Exception) -> typer.Exit:
    typer.echo(str(error), err=True)
    return typer.Exit(2)
