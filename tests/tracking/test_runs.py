"""Runs in MLflow: nested, resumable, and registered without code."""

import mlflow
import pytest

from hat.tracking import BusyError, Progress, exclusive, read_curves, stage_run
from hat.tracking.flavor import register_model
from hat.tracking.runs import client, experiment_id, flatten


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path}/mlflow/mlflow.db")
    monkeypatch.setenv("HAT_RUN", "demo-1")
    monkeypatch.delenv("MLFLOW_RUN_ID", raising=False)
    return tmp_path


def runs_of(stage):
    api = client()
    return api.search_runs([experiment_id(api)], f"tags.`hat.stage` = '{stage}'")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_run__from_stages_to_a_registered_model(store):
    def interrupted():
        with stage_run("sft", store / "sft/model", {"lr": 1e-3}) as _, Progress("sft", total=2) as progress:
            progress.update(1, loss=2.0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    [killed] = runs_of("sft")
    with stage_run("sft", store / "sft/model", {"lr": 1e-3}) as run, Progress("sft", total=2) as progress:
        progress.update(1, loss=1.5)
        progress.update(2, loss=1.0)
        run.dataset("traces", "sha256:" + "a" * 64, store, "training")
    (store / "weights").mkdir()
    (store / "weights/model.safetensors").write_bytes(b"x")
    with stage_run("register", store / "register/out") as run:
        version = register_model(run, "hat-livestream", store / "weights", {"harness": "sha256:1"})
        run.api.set_registered_model_alias("hat-livestream", "candidate", version)

    [finished] = runs_of("sft")
    [parent] = runs_of("pipeline")
    assert (killed.info.status, finished.info.status) == ("KILLED", "FINISHED")
    assert finished.data.tags["mlflow.parentRunId"] == parent.info.run_id
    assert finished.data.params == {"lr": "0.001"}
    assert finished.inputs.dataset_inputs[0].dataset.name == "traces"
    assert read_curves(store / "sft/model") == {"loss": [(1, 1.5), (2, 1.0)]}
    found = client().get_model_version_by_alias("hat-livestream", "candidate")
    assert (str(found.version), found.tags["harness"]) == (version, "sha256:1")
    folder = mlflow.artifacts.download_artifacts(f"models:/hat-livestream/{version}")
    assert sorted(p.name for p in (store / folder).rglob("*") if p.is_file())[:2] == ["MLmodel", "model.safetensors"]


def test_folder__second_writer_is_told_who_has_it(tmp_path):
    with exclusive(tmp_path), pytest.raises(BusyError, match="kill"), exclusive(tmp_path):
        pass


def test_params__nested_ones_have_dotted_names():
    assert dict(flatten({"a": {"b": 1, "c": {"d": 2}}, "e": 3})) == {"a.b": 1, "a.c.d": 2, "e": 3}
