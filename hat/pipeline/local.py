"""KFP's local runner, with what a laptop needs and it lacks: independent tasks side by side, and paths that stay.

KFP 2.17 runs the tasks of a DAG one after the other and gives every run a folder named after the time. Here tasks start
as soon as what they need is there, at most `workers` at once, and the folder is named by the caller, so that a stage that
was interrupted finds its checkpoints where it left them. Compiled spec, executor, cache and artifacts are KFP's own.
"""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any
from unittest import mock

from kfp import local
from kfp.local import cache as local_cache
from kfp.local import executor_input_utils, io, logging_utils, status, subprocess_task_handler
from kfp.local.orchestrator import enhanced_dag_orchestrator as orchestrator
from kfp.local.orchestrator.orchestrator_utils import OrchestratorUtils

Outcome = tuple[dict[str, Any], Any]
"""A task's outputs by name, and its status."""


class TaskFailedError(Exception):
    """A task of the pipeline ended with an error; names the task and its log."""


def run_local(pipeline: Callable[..., Any], arguments: Mapping[str, Any], root: Path, workers: int = 2) -> None:
    """Run a KFP pipeline here, in `root`; a task whose inputs have not changed is taken from the last run there.

    Raises:
        TaskFailedError: a task ended with an error. What others did is kept.
    """
    root.mkdir(parents=True, exist_ok=True)
    local.init(
        runner=local.SubprocessRunner(use_venv=False),
        pipeline_root=str(root),
        workspace_root=str(root / "workspace"),
        raise_on_error=True,
        enable_caching=True,
        cache_root=str(root / "cache"),
    )
    failed: list[str] = []
    with _side_by_side(root, workers, failed):
        try:
            pipeline(**arguments)
        except RuntimeError as error:
            if not failed:
                raise
            logs = ", ".join(f"{task} (log: {root / 'tasks' / task / 'log.txt'})" for task in failed)
            raise TaskFailedError(f"failed: {logs}") from error


def forget(root: Path) -> None:
    """Drop the cache, so that the next run does every task again. Checkpoints stay."""
    for entry in (root / "cache").glob("*.json"):
        entry.unlink()
    local_cache.reset_local_cache_singleton()


@contextlib.contextmanager
def _side_by_side(root: Path, workers: int, failed: list[str]) -> Iterator[None]:
    """Put our scheduling, folder names and logs in the place of KFP's for one run."""

    def run_dag(**kwargs: Any) -> Outcome:
        return _Dag(kwargs, failed).run(workers)

    def run_task(full_command: list[str], env_vars: dict[str, str] | None = None) -> int:
        return _run_logged(full_command, env_vars or {})

    bin_first = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    with (
        mock.patch.object(orchestrator, "run_enhanced_dag", run_dag),
        mock.patch.object(executor_input_utils, "get_local_pipeline_resource_name", return_value="tasks"),
        mock.patch.object(subprocess_task_handler, "run_local_subprocess", run_task),
        mock.patch.object(logging_utils, "indented_print", contextlib.nullcontext),
        mock.patch.dict(os.environ, {"PATH": bin_first}),
    ):
        yield


class _Dag:
    """One DAG while it runs."""

    def __init__(self, kwargs: dict[str, Any], failed: list[str]) -> None:
        self.spec = kwargs["dag_component_spec"]
        self.store = io.IOStore(parent=kwargs.pop("parent_io_store", None))
        arguments = OrchestratorUtils.join_user_inputs_and_defaults(
            dag_arguments=kwargs.pop("dag_arguments"),
            dag_inputs_spec=kwargs.pop("dag_component_spec").input_definitions,
        )
        for name, value in arguments.items():
            self.store.put_parent_input(name, value)
        self.common = kwargs
        self.failed = failed

    def run(self, workers: int) -> Outcome:
        """Start tasks as they become ready; after a failure let those that run come to their end, and start no more."""
        waiting = dict(self.spec.dag.tasks)
        done: set[str] = set()
        running: dict[Future[Outcome], str] = {}
        with ThreadPoolExecutor(workers) as pool:
            while True:
                ready = [n for n, t in waiting.items() if set(t.dependent_tasks) <= done] if not self.failed else []
                for name in ready:
                    running[pool.submit(self._execute, name, waiting.pop(name))] = name
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    self._take(running.pop(future), future.result(), done)
        if self.failed:
            return {}, status.Status.FAILURE
        outputs = OrchestratorUtils.get_dag_outputs(dag_outputs_spec=self.spec.dag.outputs, io_store=self.store)
        return outputs, status.Status.SUCCESS

    def _execute(self, name: str, task: Any) -> Outcome:
        if not self._wanted(task):
            return {}, status.Status.SUCCESS
        outcome: Outcome = orchestrator.execute_task(task_name=name, task_spec=task, io_store=self.store, **self.common)
        return outcome

    def _wanted(self, task: Any) -> bool:
        """Whether a task's condition holds. KFP looks a named output up in the wrong place; here it is among the inputs."""
        condition = task.trigger_policy.condition
        if not condition:
            return True
        inputs = io.IOStore(parent=self.store)
        for key, value in OrchestratorUtils.make_task_arguments(task.inputs, self.store).items():
            inputs.put_parent_input(key, value)
        return bool(orchestrator.ConditionEvaluator.evaluate_condition(condition, inputs))

    def _take(self, name: str, outcome: Outcome, done: set[str]) -> None:
        outputs, state = outcome
        if state != status.Status.SUCCESS:
            self.failed.append(name)
            self.common["fail_stack"].append(name)
            return
        for key, value in outputs.items():
            self.store.put_task_output(name, key, value)
        done.add(name)


_children: set[subprocess.Popen[bytes]] = set()
_lock = threading.Lock()


def _run_logged(command: list[str], env: dict[str, str]) -> int:
    """Run one task; what it prints goes to `log.txt` beside its outputs, once more from the top for each attempt."""
    log = _task_folder(command) / "log.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as file:
        process = subprocess.Popen(  # noqa: S603 (the command is KFP's)
            command, stdout=file, stderr=subprocess.STDOUT, env=os.environ | env
        )
        with _lock:
            _children.add(process)
        try:
            return process.wait()
        finally:
            with _lock:
                _children.discard(process)


def _task_folder(command: list[str]) -> Path:
    """The folder of a task, from the executor input among its arguments."""
    import json

    executor_input = json.loads(command[command.index("--executor_input") + 1])
    return Path(executor_input["outputs"]["outputFile"]).parent


def stop_children() -> None:
    """Ask the tasks that run to stop, as a Ctrl-C would."""
    with _lock:
        for process in _children:
            process.terminate()
