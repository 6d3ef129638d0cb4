"""The pipeline's stages after training: evaluate, gate, register. Bodies of the components of those names."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hat.domains.general import GeneralTasks
from hat.domains.livestream import Livestream
from hat.evaluation import EvalConfig, GatePolicy, Report, load_report
from hat.evaluation import evaluate as measure
from hat.evaluation import gate as decide
from hat.harness import load_harness
from hat.markdown import table
from hat.pipeline import story, summaries
from hat.pipeline.spans import log_episodes
from hat.pipeline.stages import file_digest, find_model, model_digest, read_inputs, seeded
from hat.report import ReportData, render_page
from hat.tracking import stage_run
from hat.tracking.flavor import register_model
from hat.tracking.owner import end_with_owner

TRACED = 6
"""Episodes of each suite that go to MLflow as traces, wrong ones first."""
LABELS = {"harness_digest": "Harness", "data_digest": "Data", "base_digest": "Base model", "code_version": "Code"}


class Decision(NamedTuple):
    """What the gate said."""

    verdict: str
    reason: str


class Registered(NamedTuple):
    """What was registered."""

    version: str


def evaluate(
    policy: str,
    config: Mapping[str, Any],
    *,
    inputs: str,
    model: str,
    out: str,
    summary: str,
    seed: int = -1,
) -> dict[str, float]:
    """Measure a model; returns `suite score` to mean, as KFP's metrics show it. `seed` goes before the settings'."""
    end_with_owner()
    config, stage = seeded(config, f"evaluate-{policy}", seed)
    settings = EvalConfig.model_validate(config)
    places = read_inputs(inputs)
    edits, catalogue = Path(inputs) / "edits", places.catalogue
    assert catalogue is not None
    with stage_run(stage, Path(out), settings.model_dump()) as run:
        report = measure(
            settings,
            find_model(model),
            Livestream(catalogue=catalogue, harness=places.harness, split="test"),
            Path(out),
            name=policy,
            edits=edits if edits.is_dir() else None,
            general=GeneralTasks("test"),
        )
        run.dataset("catalogue", file_digest(catalogue), catalogue, "evaluation")
        scores = {f"{row.suite}.{row.metric}": row.mean for row in report.rows}
        run.metrics(scores)
        log_episodes(run, _telling(story.read_pairs(Path(out), report)))
        run.artifact(Path(out) / "report.json")
    shutil.rmtree(Path(out) / "parts", ignore_errors=True)
    Path(summary).write_text(summaries.report_markdown(report), encoding="utf-8")
    return {key.replace(".", " "): value for key, value in scores.items()}


def gate(
    config: Mapping[str, Any],
    *,
    inputs: str,
    reports: Mapping[str, str],
    models: Mapping[str, str],
    digests: Mapping[str, str],
    out: str,
    page: str,
) -> Decision:
    """Decide from the reports, and write the page: out/report.json holds its data, `page` is the HTML."""
    end_with_owner()
    loaded = {name: load_report(Path(folder)) for name, folder in reports.items()}
    decision = decide(GatePolicy.model_validate(dict(config)), loaded["base"], loaded["result"])
    verdict = Decision(decision.verdict, story.reason(decision, loaded["base"], loaded["result"]))
    with stage_run("gate", Path(out), dict(config)) as run:
        data = _tell(inputs, reports, models, digests, loaded, verdict)
        (Path(out) / "report.json").write_text(data.model_dump_json(), encoding="utf-8")
        Path(page).write_text(render_page(data), encoding="utf-8")
        run.metrics({f"{n.policy}.{n.suite}.{n.metric}": n.mean for n in data.numbers}, parent=True)
        run.tags({"hat.verdict": verdict.verdict, "hat.reason": verdict.reason}, parent=True)
        run.tags({f"hat.{name}": value for name, value in digests.items()}, parent=True)
        run.api.log_text(run.parent_id, render_page(data), "report.html")
    return verdict


def register(name: str, *, model: str, decision: str, summary: str) -> Registered:
    """Register a model under `name` with the alias `candidate`; the same weights are not registered twice."""
    end_with_owner()
    data = ReportData.model_validate_json((Path(decision) / "report.json").read_text(encoding="utf-8"))
    directory = find_model(model)
    about = {"verdict": data.verdict, "weights": model_digest(str(directory))}
    about |= {name: data.facts[label] for name, label in LABELS.items()}
    with stage_run("register", Path(summary).parent / "run", {"model": name}) as run:
        version = _registered(run.api, name, about) or register_model(run, name, directory, about)
        run.api.set_registered_model_alias(name, "candidate", version)
        run.tags({"hat.model_version": f"{name}/{version}"}, parent=True)
    rows = [("Model", name), ("Version", version), ("Alias", "candidate"), *about.items()]
    Path(summary).write_text(f"# Registered\n\n{table(['What', 'Value'], rows)}\n", encoding="utf-8")
    return Registered(version)


def _tell(
    inputs: str,
    folders: Mapping[str, str],
    models: Mapping[str, str],
    digests: Mapping[str, str],
    reports: Mapping[str, Report],
    verdict: Decision,
) -> ReportData:
    harness = load_harness(Path(inputs) / "harness")
    return ReportData(
        title=f"Harness-aware training: {harness.name}",
        verdict=verdict.verdict,
        reason=verdict.reason,
        numbers=story.numbers(reports),
        families=story.families(reports),
        charts=story.charts({name: Path(folder) for name, folder in models.items()}),
        examples=story.examples(story.read_pairs(Path(folders["result"]), reports["result"])),
        facts={LABELS[name]: value for name, value in digests.items()},
        following=_following(verdict.verdict),
    )


def _following(verdict: str) -> tuple[str, ...]:
    first = (
        "The model is registered in MLflow with the alias `candidate`: `make ui` shows it and every run."
        if verdict == "promote"
        else "Nothing was registered. `make ui` shows every run; the reasons above name the bound that was missed."
    )
    return (
        first,
        "Change a skill in a copy of the harness and compare: `hat harness diff examples/livestream/harness COPY`.",
        "Train for your own harness and catalogue: `hat demo --harness FOLDER --catalogue FILE`.",
        "Run it in Kubeflow: upload `pipelines/compiled/hat_training.yaml`.",
    )


def _telling(pairs: Sequence[story.Pair]) -> list[story.Pair]:
    """A few episodes of each suite, wrong ones first, half of them at most."""
    chosen: list[story.Pair] = []
    for suite in dict.fromkeys(outcome.suite for outcome, _ in pairs):
        members = [pair for pair in pairs if pair[0].suite == suite]
        wrong = [pair for pair in members if pair[0].scores["score"] < 1][: TRACED // 2]
        right = [pair for pair in members if pair[0].scores["score"] == 1][: TRACED - len(wrong)]
        chosen += [*wrong, *right]
    return chosen


def _registered(api: Any, name: str, about: Mapping[str, str]) -> str | None:
    """The version that has these weights and digests already, or None."""
    for version in api.search_model_versions(f"name='{name}'"):
        if about.items() <= version.tags.items():
            return str(version.version)
    return None
