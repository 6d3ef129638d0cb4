"""A model directory (safetensors, tokenizer, chat template) as an MLflow model, without code that could run on loading.

The flavour `hat` says which files are there; a server takes the folder as it is: `vllm serve <artifact>/model`.
"""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hat.tracking.runs import StageRun


def save_model(path: str, mlflow_model: Any, directory: Path, about: Mapping[str, Any]) -> None:
    """Write `directory` under `path`/model beside the MLmodel file; MLflow calls this."""
    shutil.copytree(directory, Path(path) / "model", ignore=shutil.ignore_patterns("checkpoints", ".lock"))
    mlflow_model.add_flavor("hat", directory="model", format="safetensors", loader="none", **about)
    mlflow_model.save(str(Path(path) / "MLmodel"))


def register_model(run: StageRun, name: str, directory: Path, about: Mapping[str, Any]) -> str:
    """Log a model directory and register it as a new version of `name`. Returns the version.

    `about` (strings) becomes the version's tags.
    """
    import mlflow
    from mlflow.models import Model

    with mlflow.start_run(run_id=run.run_id, log_system_metrics=False):
        info = Model.log(
            artifact_path=None,
            name="model",
            flavor=sys.modules[__name__],
            registered_model_name=name,
            directory=directory,
            about=about,
        )
    version = str(info.registered_model_version)
    for key, value in about.items():
        run.api.set_model_version_tag(name, version, key, str(value))
    return version
