"""Runs in MLflow: one parent for a pipeline, a nested run for each stage, metrics over steps.

MLFLOW_TRACKING_URI says where (default: SQLite and files under build/mlflow, no server). HAT_RUN names the pipeline run
that a stage belongs to; stages of one pipeline find their parent by it, whichever process or pod they are in. A stage
taken up again goes on in its own run.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hat.tracking.lock import exclusive
from hat.tracking.progress import ProgressEvent, listening

if TYPE_CHECKING:
    from mlflow import MlflowClient

EXPERIMENT = "hat"
CURVES = "metrics.jsonl"
"""File in a stage's folder with its metrics over steps: {step, metrics} a line."""
FLUSH = 5.0
"""Seconds between two batches of metrics to MLflow."""
MAX_PARAM = 6000
"""Characters of a parameter's value that MLflow takes."""


def client() -> "MlflowClient":
    """The MLflow client for MLFLOW_TRACKING_URI; a local SQLite file is made if there is none."""
    os.environ.setdefault("MLFLOW_ALLOW_MODEL_CODE_EXECUTION", "false")
    import mlflow

    uri = tracking_uri()
    if uri.startswith("sqlite:///"):
        Path(uri.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    mlflow.set_tracking_uri(uri)
    return mlflow.MlflowClient()


def tracking_uri() -> str:
    """Where runs are kept."""
    return os.environ.get("MLFLOW_TRACKING_URI") or f"sqlite:///{Path('build/mlflow/mlflow.db').resolve()}"


def experiment_id(api: "MlflowClient") -> str:
    """The experiment, made if there is none; artifacts of a local store lie beside its database."""
    found = api.get_experiment_by_name(EXPERIMENT)
    if found:
        return str(found.experiment_id)
    uri = tracking_uri()
    local = uri.startswith("sqlite:///")
    beside = Path(uri.removeprefix("sqlite:///")).parent / "artifacts"
    return str(api.create_experiment(EXPERIMENT, artifact_location=beside.as_uri() if local else None))


def parent_run(api: "MlflowClient", tags: Mapping[str, str] | None = None) -> str:
    """The id of the pipeline's run: MLFLOW_RUN_ID if set, else the one tagged with HAT_RUN, made if there is none."""
    run_id = os.environ.get("MLFLOW_RUN_ID")
    if not run_id:
        name = os.environ.get("HAT_RUN", "local")
        run_id = _find(api, f"tags.`hat.run` = '{name}' and tags.`hat.stage` = 'pipeline'")
        run_id = run_id or _create(api, name, {"hat.run": name, "hat.stage": "pipeline"})
    for key, value in (tags or {}).items():
        api.set_tag(run_id, key, value)
    return run_id


def end_parent(state: str) -> None:
    """Say how the pipeline's run ended: FINISHED, FAILED or KILLED."""
    api = client()
    api.set_terminated(parent_run(api), state)


class StageRun:
    """One stage's run while it goes: metrics are batched, the rest is written at once."""

    def __init__(self, api: "MlflowClient", run_id: str, parent_id: str, out: Path) -> None:
        self.api, self.run_id, self.parent_id = api, run_id, parent_id
        self._pending: list[tuple[str, float, int, int]] = []
        self._flushed = time.monotonic()
        self._curves = out / CURVES

    def metrics(self, values: Mapping[str, float], step: int = 0, *, parent: bool = False) -> None:
        """Metrics at a step; of the pipeline's run too if asked."""
        now = int(time.time() * 1000)
        for key, value in values.items() if parent else ():
            self.api.log_metric(self.parent_id, key, value, now, step)
        self._pending += [(key, value, now, step) for key, value in values.items()]
        if time.monotonic() - self._flushed > FLUSH:
            self.flush()

    def listen(self, event: ProgressEvent) -> None:
        """Take the metrics of a progress line, to MLflow and to the curves' file."""
        with self._curves.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": event.done, "metrics": event.metrics}) + "\n")
        self.metrics(event.metrics, event.done)

    def params(self, values: Mapping[str, Any]) -> None:
        """Parameters; nested ones as dotted names. One that the run has already is left as it is."""
        from mlflow.entities import Param

        have = self.api.get_run(self.run_id).data.params
        params = [Param(key, str(value)[:MAX_PARAM]) for key, value in flatten(values) if key not in have]
        if params:
            self.api.log_batch(self.run_id, params=params)

    def tags(self, values: Mapping[str, str], *, parent: bool = False) -> None:
        """Tags of this run, and of the pipeline's if asked."""
        for run_id in (self.run_id, self.parent_id) if parent else (self.run_id,):
            for key, value in values.items():
                self.api.set_tag(run_id, key, value)

    def artifact(self, path: Path, folder: str | None = None) -> None:
        """A file or folder, copied to the run's artifacts."""
        log = self.api.log_artifacts if path.is_dir() else self.api.log_artifact
        log(self.run_id, str(path), folder)

    def dataset(self, name: str, digest: str, source: Path, context: str) -> None:
        """A data set as input of the run: what it is called, what it holds (digest), where it lies, what it is for."""
        from mlflow.entities import Dataset, DatasetInput, InputTag

        data = Dataset(
            name=name,
            digest=digest.removeprefix("sha256:")[:36],
            source_type="local",
            source=json.dumps({"uri": source.resolve().as_uri()}),
        )
        self.api.log_inputs(self.run_id, [DatasetInput(data, [InputTag("mlflow.data.context", context)])])

    def flush(self) -> None:
        """Send the metrics that wait, at most 1,000 a batch."""
        from mlflow.entities import Metric

        pending, self._pending, self._flushed = self._pending, [], time.monotonic()
        for start in range(0, len(pending), 1000):
            self.api.log_batch(self.run_id, metrics=[Metric(*row) for row in pending[start : start + 1000]])


@contextmanager
def stage_run(
    stage: str, out: Path, params: Mapping[str, Any] | None = None, tags: Mapping[str, str] | None = None
) -> Iterator[StageRun]:
    """Hold a stage's folder and its run: what `Progress` reports inside goes to both. The run ends as the block ends.

    Raises:
        BusyError: another process is at this stage in this folder.
    """
    with exclusive(out.parent):
        out.mkdir(parents=True, exist_ok=True)
        api = client()
        parent = parent_run(api)
        name = os.environ.get("HAT_RUN", "local")
        run_id = _find(api, f"tags.`mlflow.parentRunId` = '{parent}' and tags.`hat.stage` = '{stage}'")
        marks = {"mlflow.parentRunId": parent, "hat.stage": stage, "hat.run": name}
        run = StageRun(api, run_id or _create(api, stage, marks | dict(tags or {})), parent, out)
        api.update_run(run.run_id, status="RUNNING")
        run.params(params or {})
        state = "FAILED"
        try:
            with listening(run.listen):
                yield run
            state = "FINISHED"
        except KeyboardInterrupt:
            state = "KILLED"
            raise
        finally:
            run.flush()
            api.set_terminated(run.run_id, state)


def read_curves(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """A stage's metrics over steps by name; of a step done twice (after an interruption) the later counts."""
    path = folder / CURVES
    points: dict[str, dict[int, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        row = _json(line)
        for key, value in row.get("metrics", {}).items():
            points.setdefault(key, {})[row["step"]] = value
    return {key: sorted(series.items()) for key, series in points.items()}


def flatten(values: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """Nested mappings as dotted names: {"a": {"b": 1}} is a.b = 1."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _json(line: str) -> dict[str, Any]:
    try:
        return dict(json.loads(line))
    except json.JSONDecodeError:
        return {}


def _find(api: "MlflowClient", query: str) -> str | None:
    runs = api.search_runs([experiment_id(api)], query, max_results=1)
    return str(runs[0].info.run_id) if runs else None


def _create(api: "MlflowClient", name: str, tags: Mapping[str, str]) -> str:
    run = api.create_run(experiment_id(api), run_name=name, tags={"mlflow.source.name": "hat"} | dict(tags))
    return str(run.info.run_id)
