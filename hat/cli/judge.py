"""Let a panel of models score traces by vote, and see how far its scores can be trusted.

Exit codes: 0 done; 1 too few traces came to a decision (those decided are kept, run again to go on); 2 wrong input.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hat.episode import Trace
    from hat.judge import Agreement, Calibration, JudgeConfig, Label

app = typer.Typer(no_args_is_help=True, help=__doc__, add_completion=False, pretty_exceptions_enable=False)
Evaluated = Annotated[Path, typer.Argument(help="Folder of an evaluation: report.json and traces.jsonl.")]


@app.command()
def run(
    folder: Evaluated,
    panel: Annotated[Path, typer.Option(help="YAML: members (url, model, key_env), votes, temperature, floor.")],
    out: Annotated[Path | None, typer.Option(help="JSON lines; judgements.jsonl in the folder if left out.")] = None,
    apart: Annotated[Path | None, typer.Option(help="The other panel's YAML; refused if a model is in both.")] = None,
) -> None:
    """Judge the traces of an evaluation; general prompts, which have no harness, are left out."""
    from hat.harness import HarnessError
    from hat.judge import Judge, JudgeError, judge_all, require_apart

    try:
        config = _panel(panel)
        if apart is not None:
            require_apart(config, _panel(apart))
        traces = [trace for trace, _ in _labelled(folder)]
        judge = Judge(config)
        judged = judge_all(judge, traces, out or folder / "judgements.jsonl")
    except JudgeError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    except (HarnessError, OSError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    decided = [one for one in judged if one.accuracy is not None]
    typer.echo(f"{len(decided)} of {len(judged)} traces decided, {sum(one.unanimous for one in judged)} unanimously")


@app.command()
def calibrate(
    folder: Evaluated,
    judgements: Annotated[Path | None, typer.Option(help="What `run` wrote.")] = None,
    out: Annotated[Path | None, typer.Option(help="Also write the figures to this JSON file.")] = None,
) -> None:
    """Hold judgements against the program verifiers' verdicts: agreement, Cohen's kappa, leniency."""
    from hat.judge import calibrate as hold
    from hat.judge import key_of
    from hat.judge.judge import read_judgements

    try:
        judged = list(read_judgements(judgements or folder / "judgements.jsonl").values())
        labels = {key_of(trace): label for trace, label in _labelled(folder)}
        found = hold(judged, labels)
    except (OSError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    _show(found)
    if out is not None:
        out.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")


def _panel(path: Path) -> "JudgeConfig":
    import yaml

    from hat.judge import JudgeConfig

    try:
        return JudgeConfig.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def _labelled(folder: Path) -> "list[tuple[Trace, Label]]":
    """Traces of an evaluation with the verifiers' verdicts."""
    from hat.episode import read_traces
    from hat.evaluation import load_report
    from hat.judge import Label

    report = load_report(folder)
    pairs = zip(report.outcomes, read_traces(folder / "traces.jsonl"), strict=True)
    return [
        (trace, Label(accuracy=outcome.scores["accuracy"], effectiveness=outcome.scores["effectiveness"]))
        for outcome, trace in pairs
        if "accuracy" in outcome.scores
    ]


def _show(found: "Calibration") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("rubric", "agreement %", "kappa", "judge less label", "label: given")
    for one in found.rubrics:
        estimate = one.agreement
        share = f"{100 * estimate.mean:.1f} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"
        table.add_row(one.rubric, share, _kappa(one), f"{one.bias:+.3f}", _confusion(one))
    console = Console()
    console.print(table)
    console.print(f"{found.n} traces, {found.undecided} undecided, {100 * found.unanimous:.1f} % unanimous")


def _kappa(one: "Agreement") -> str:
    if one.kappa is None or one.low is None or one.high is None:
        return "undefined"
    return f"{one.kappa:.2f} ({one.low:.2f} to {one.high:.2f})"


def _confusion(one: "Agreement") -> str:
    from hat.judge.calibrate import GRADES

    grades = GRADES[one.rubric]
    return "; ".join(
        f"{label:g}: " + ", ".join(f"{count} as {grade:g}" for grade, count in zip(grades, row, strict=True) if count)
        for label, row in zip(grades, one.confusion, strict=True)
        if any(row)
    )
