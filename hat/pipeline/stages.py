"""What the pipeline's components call: each function is one stage over files, with a run in MLflow and a page to see.

Paths come in as text, as KFP gives them. A stage's folder is KFP's artifact; run again on the same folder with the same
settings and inputs, a stage returns at once or goes on from its checkpoint (`hat.training`).
"""

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from hat.domains.livestream import Livestream
from hat.evaluation import Edit, load_edits
from hat.harness import Harness, digest, load_harness, save_harness
from hat.pipeline import summaries
from hat.tracking import read_curves, stage_run
from hat.tracking.owner import end_with_owner
from hat.training import Inputs, StageConfig, TraceConfig
from hat.training import synthesize as make_traces
from hat.training import train as run_training

STAGE: TypeAdapter[StageConfig] = TypeAdapter(StageConfig)


class Digests(NamedTuple):
    """What came in, by content; passed to every later task, so that caches depend on it."""

    harness_digest: str
    data_digest: str
    base_digest: str


class WrongInputError(Exception):
    """What came in is not what it should be; names the object, the value and the fix."""


def validate(
    harness: str,
    catalogue: str,
    base_model: str,
    edits: str,
    harness_digest: str,
    *,
    inputs: str,
    base: str,
    summary: str,
) -> Digests:
    """Check harness, catalogue and base; write them to the folders `inputs` and `base` as later stages read them.

    Raises:
        HarnessError, CatalogueError, EditError: with every finding.
        WrongInputError: the harness is not the one of `harness_digest`, or the base is no model.
    """
    end_with_owner()
    domain = Livestream(catalogue=Path(catalogue), harness=load_harness(harness))
    given = [file_digest(Path(catalogue)), *(digest(edit.harness) for edit in read_edits(edits, domain.harness()))]
    data = "sha256:" + hashlib.sha256("\0".join(given).encode()).hexdigest()
    found = Digests(digest(domain.harness()), data, model_digest(base_model))
    if harness_digest and harness_digest != found.harness_digest:
        raise WrongInputError(
            f"harness {harness} has digest {found.harness_digest}, but this run is for {harness_digest}: "
            "give the folder of that digest, or leave `harness_digest` empty to take what is there"
        )
    with stage_run("validate", Path(inputs), {"harness": harness, "catalogue": catalogue, "base": base_model}) as run:
        shutil.rmtree(inputs, ignore_errors=True)
        Path(inputs).mkdir(parents=True)
        save_harness(domain.harness(), Path(inputs) / "harness")
        shutil.copyfile(catalogue, Path(inputs) / f"catalogue{Path(catalogue).suffix}")
        if edits:
            shutil.copytree(edits, Path(inputs) / "edits")
        _place_base(base_model, Path(base))
        Path(summary).write_text(summaries.harness_markdown(domain.harness(), found._asdict()), encoding="utf-8")
        tags = {f"hat.{key}": value for key, value in found._asdict().items()}
        run.tags(tags, parent=True)
        run.dataset("catalogue", found.data_digest, Path(catalogue), "training")
        run.artifact(Path(inputs) / "harness", "harness")
    return found


def seeded(config: Mapping[str, Any], name: str, seed: int) -> tuple[dict[str, Any], str]:
    """A configuration and a run's name, both with the seed; as they are if it is below 0."""
    return (dict(config), name) if seed < 0 else ({**config, "seed": int(seed)}, f"{name}-seed{int(seed)}")


def synthesize(lane: str, config: Mapping[str, Any], *, inputs: str, out: str, summary: str, seed: int = -1) -> None:
    """Make the traces of a lane: out/traces.jsonl and out/harnesses.jsonl. `seed` goes before the configuration's."""
    end_with_owner()
    config, name = seeded(config, f"synthesize-{lane}", seed)
    settings = TraceConfig.model_validate(config)
    with stage_run(name, Path(out), settings.model_dump()) as run:
        result = make_traces(settings, read_inputs(inputs), Path(out))
        run.metrics(result.metrics)
        run.dataset(f"traces-{lane}", file_digest(Path(out) / "traces.jsonl"), Path(out), "training")
    Path(summary).write_text(summaries.traces_markdown(lane, Path(out), result.metrics), encoding="utf-8")


def train(
    stage: str,
    lane: str,
    config: Mapping[str, Any],
    reads: Mapping[str, str],
    *,
    out: str,
    summary: str,
    seed: int = -1,
) -> None:
    """Run a training stage; out/model is the trained model. `seed` goes before the configuration's.

    `reads`: the artifacts `inputs` (of validate), `start` (the model), and as the stage needs them `traces` and `base`.
    """
    end_with_owner()
    traces, base = reads.get("traces"), reads.get("base")
    config, name = seeded(config, f"{stage}-{lane}", seed)
    settings = STAGE.validate_python({"stage": stage} | config)
    places = read_inputs(reads["inputs"]).model_copy(
        update={
            "model": find_model(reads["start"]),
            "traces": Path(traces) if traces else None,
            "base": find_model(base) if base else None,
        }
    )
    with stage_run(name, Path(out), settings.model_dump()) as run:
        result = run_training(settings, places, Path(out))
        run.metrics(result.metrics)
        if traces:
            run.dataset(f"traces-{lane}", file_digest(Path(traces) / "traces.jsonl"), Path(traces), "training")
    shutil.rmtree(Path(out) / "checkpoints", ignore_errors=True)
    page = summaries.training_html(f"{stage}, {lane}", read_curves(Path(out)), result.metrics, settings.model_dump())
    Path(summary).write_text(page, encoding="utf-8")


def read_edits(folder: str, original: Harness) -> list[Edit]:
    """The held-out edits of a folder; none if it is empty. Raises EditError, HarnessError."""
    return load_edits(Path(folder), original) if folder else []


def read_inputs(folder: str) -> Inputs:
    """The harness and catalogue that `validate` wrote."""
    catalogue = next(path for path in Path(folder).iterdir() if path.stem == "catalogue")
    return Inputs(harness=Path(folder) / "harness", catalogue=catalogue)


def find_model(artifact: str) -> Path:
    """The model directory of an artifact, or the hub id that it stands for."""
    reference = Path(artifact) / "reference.json"
    if reference.exists():
        return Path(json.loads(reference.read_text(encoding="utf-8"))["model"])
    return Path(artifact) / "model"


def file_digest(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def model_digest(model: str) -> str:
    """Digest of a model directory's files; a hub id stands for itself.

    Raises:
        WrongInputError: a folder without config.json and safetensors, or neither a folder nor a hub id.
    """
    folder = Path(model)
    if folder.is_dir():
        if not (folder / "config.json").exists() or not any(folder.glob("*.safetensors")):
            raise WrongInputError(
                f"{model} is no model: it lacks config.json or *.safetensors; build one with `hat base build`"
            )
        hasher = hashlib.sha256()
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            hasher.update(f"{file.relative_to(folder)}\0{file_digest(file)}\0".encode())
        return "sha256:" + hasher.hexdigest()
    if model.count("/") == 1 and not model.startswith((".", "/")) and not model.startswith("models/"):
        return f"hub:{model}"
    raise WrongInputError(f"{model} is neither a model folder nor a hub id such as `Qwen/Qwen3-0.6B`")


COPIED = 64 * 2**20
"""Bytes of weights up to which a base model is copied into the run; a larger one is referred to."""


def _place_base(model: str, artifact: Path) -> None:
    shutil.rmtree(artifact, ignore_errors=True)
    artifact.mkdir(parents=True)
    folder = Path(model)
    if folder.is_dir() and sum(file.stat().st_size for file in folder.glob("*.safetensors")) <= COPIED:
        shutil.copytree(folder, artifact / "model")
        return
    reference = {"model": str(folder.resolve()) if folder.is_dir() else model}
    (artifact / "reference.json").write_text(json.dumps(reference), encoding="utf-8")
