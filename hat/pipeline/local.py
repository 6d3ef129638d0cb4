"""KFP's local runner, with what a laptop needs and it lacks: independent tasks side by side, and paths that stay.

KFP 2.17 runs the tasks of a DAG one after the other, gives every run a folder named after the time, and puts the item
of a loop in the place of other tasks' outputs. Here tasks start as soon as what they need is there, at most `workers`
at once, those of loops too, the longest chain first, and the caller names the folder: a stage that was interrupted
finds its checkpoints where it left them. Spec, executor, cache and artifacts are KFP's.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any
from unittest import mock

from kfp import local
from kfp.compiler.pipeline_spec_builder import to_protobuf_value
from kfp.local import executor_input_utils, io, logging_utils, status, subprocess_task_handler
from kfp.local.orchestrator import enhanced_dag_orchestrator as orchestrator
from kfp.local.orchestrator.orchestrator_utils import OrchestratorUtils

from hat.pipeline.slots import Slots
from hat.tracking import ProgressEvent
from hat.tracking.owner import VARIABLE as OWNER
from hat.tracking.progress import TASK, VARIABLE, append

Outcome = tuple[dict[str, Any], Any]
"""A task's outputs by name, and its status."""
WITHHELD: Outcome = ({}, None)
"""Of a task that was not started, because another one failed."""
TASKS = "tasks"
LOOP_ITEM = "-loop-item"
"""How KFP's name of a loop's item ends."""


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
    run = _Run(root, workers)
    with run.in_place_of_kfps():
        try:
            pipeline(**arguments)
        except RuntimeError as error:
            if not run.failed:
                raise
            logs = ", ".join(f"{task} (log: {task_folder(root, task) / 'log.txt'})" for task in run.failed)
            raise TaskFailedError(f"failed: {logs}") from error


def task_folder(root: Path, task: str) -> Path:
    """Where a task of a local run keeps its outputs and its log."""
    return root / TASKS / task


class _Run:
    """One local run: what its tasks share."""

    def __init__(self, root: Path, workers: int) -> None:
        self.root, self.slots = root, Slots(workers)
        self.failed: list[str] = []
        self.ending = False
        """Whether no more tasks are to start: one failed, or Ctrl-C."""
        self.started: set[str] = set()
        self._going: set[subprocess.Popen[bytes]] = set()
        path = os.environ.get(VARIABLE)
        self._progress = Path(path) if path else None

    @contextlib.contextmanager
    def in_place_of_kfps(self) -> Iterator[None]:
        """Put our scheduling, folder names and logs in the place of KFP's."""
        bin_first = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        with (
            mock.patch.object(orchestrator, "run_enhanced_dag", lambda **kwargs: _Dag(self, kwargs).play()),
            mock.patch.object(executor_input_utils, "get_local_pipeline_resource_name", return_value=TASKS),
            mock.patch.object(subprocess_task_handler, "run_local_subprocess", self.start),
            mock.patch.object(logging_utils, "indented_print", contextlib.nullcontext),
            mock.patch.dict(os.environ, {"PATH": bin_first}),
        ):
            yield

    def start(self, full_command: list[str], env_vars: dict[str, str] | None = None) -> int:
        """Run one task; what it prints goes to `log.txt` beside its outputs."""
        outputs = json.loads(full_command[full_command.index("--executor_input") + 1])["outputs"]
        folder = Path(outputs["outputFile"]).parent
        folder.mkdir(parents=True, exist_ok=True)
        name = str(folder.resolve().relative_to((self.root / TASKS).resolve()))
        self.started.add(name)
        env = os.environ | (env_vars or {}) | {TASK: name, OWNER: str(os.getpid())}
        with (folder / "log.txt").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 (the command is KFP's)
                full_command, stdout=log, stderr=log, env=env, start_new_session=True
            )
        self._going.add(process)
        try:
            return process.wait()
        finally:
            self._going.discard(process)

    def interrupt(self) -> None:
        """Ask all tasks that run to stop, as Ctrl-C would, and start no more."""
        self.ending = True
        for process in tuple(self._going):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)

    def say(self, task: str, title: str, state: str) -> None:
        """Write a progress line about a whole task."""
        if self._progress:
            done = state in {"done", "kept"}
            event = ProgressEvent(
                time=time.time(), task=task, stage=title, done=done, total=1, unit="task", state=state
            )
            append(self._progress, event)


class _Dag:
    """One DAG while it runs: the pipeline, a branch of it, or one round of a loop."""

    def __init__(self, run: _Run, kwargs: dict[str, Any]) -> None:
        self.run = run
        spec = kwargs.pop("dag_component_spec")
        self.tasks, self.outputs = spec.dag.tasks, spec.dag.outputs
        self.store = io.IOStore(parent=kwargs.pop("parent_io_store", None))
        arguments = OrchestratorUtils.join_user_inputs_and_defaults(
            dag_arguments=kwargs.pop("dag_arguments"), dag_inputs_spec=spec.input_definitions
        )
        for name, value in arguments.items():
            self.store.put_parent_input(name, value)
        self.common = kwargs
        self._inside = kwargs["pipeline_resource_name"].removeprefix(TASKS).lstrip("/")
        items = {name: value for name, value in arguments.items() if name.endswith(LOOP_ITEM)}
        self._round = "".join(f", {_singular(name)} {value}" for name, value in items.items()) if self._inside else ""

    def play(self) -> Outcome:
        """Start tasks as they become ready; after a failure let those that run come to their end, and start no more."""
        waiting, done = dict(self.tasks), set[str]()
        running: dict[Future[Outcome], str] = {}
        for name in sorted(waiting, key=self._chain, reverse=True):
            self._say(name, "waiting")
        with ThreadPoolExecutor(max(len(waiting), 1)) as pool, self._interruptible():
            while True:
                ready = [n for n, t in waiting.items() if set(t.dependent_tasks) <= done and not self.run.ending]
                for name in sorted(ready, key=self._chain, reverse=True):
                    running[pool.submit(self._execute, name, waiting.pop(name))] = name
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    self._take(running.pop(future), future.result(), done)
        if self.run.ending:
            return {}, status.Status.FAILURE
        return OrchestratorUtils.get_dag_outputs(self.outputs, self.store), status.Status.SUCCESS

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C reaches the tasks, which have process groups of their own; the pool then waits for them to end."""
        try:
            yield
        except KeyboardInterrupt:
            self.run.interrupt()
            raise

    def _chain(self, name: str) -> int:
        """Tasks that follow one after the other from this one on."""
        after = [n for n, task in self.tasks.items() if name in task.dependent_tasks]
        return 1 + max((self._chain(n) for n in after), default=0)

    def _execute(self, name: str, task: Any) -> Outcome:
        if not self._wanted(task):
            self._say(name, "skipped")
            return {}, status.Status.SUCCESS
        if task.WhichOneof("iterator"):
            return self._loop(name, task)
        if self._nested(task):
            return self._once(name, task)
        with self.run.slots.taken(self._chain(name)):
            if self.run.ending:
                return WITHHELD
            self._say(name, "running")
            return self._once(name, task)

    def _once(self, name: str, task: Any) -> Outcome:
        once = type(task)()
        once.CopyFrom(task)
        once.ClearField("retry_policy")
        outcome: Outcome = orchestrator.execute_task(task_name=name, task_spec=once, io_store=self.store, **self.common)
        return outcome

    def _loop(self, name: str, task: Any) -> Outcome:
        """All rounds of a loop over a parameter, side by side; each output becomes the list of the rounds' outputs."""
        rounds = []
        for number, item in enumerate(self._items(task)):
            spec = type(task)()
            spec.CopyFrom(task)
            value = spec.inputs.parameters[task.parameter_iterator.item_input].runtime_value
            value.constant.CopyFrom(to_protobuf_value(item))
            spec.ClearField("parameter_iterator")
            rounds.append((f"{name}-iteration-{number}", spec))
        with ThreadPoolExecutor(max(len(rounds), 1)) as pool:
            outcomes = list(pool.map(lambda one: self._once(*one), rounds))
        if any(state != status.Status.SUCCESS for _, state in outcomes):
            return {}, status.Status.FAILURE
        keys = dict.fromkeys(key for outputs, _ in outcomes for key in outputs)
        return {key: [outputs[key] for outputs, _ in outcomes] for key in keys}, status.Status.SUCCESS

    def _items(self, task: Any) -> list[Any]:
        items = task.parameter_iterator.items
        if not items.input_parameter:
            found: list[Any] = json.loads(items.raw)
            return found
        given = OrchestratorUtils.make_task_arguments(task.inputs, self.store)[items.input_parameter]
        return [_whole_number(item) for item in given]

    def _nested(self, task: Any) -> bool:
        """Whether a task is a DAG of its own: a branch or a loop."""
        return bool(self.common["components"][task.component_ref.name].WhichOneof("implementation") == "dag")

    def _wanted(self, task: Any) -> bool:
        """Whether a task's condition holds. KFP looks for a named output in the wrong place: it is among the inputs."""
        condition = task.trigger_policy.condition
        if not condition:
            return True
        inputs = io.IOStore(parent=self.store)
        for key, value in OrchestratorUtils.make_task_arguments(task.inputs, self.store).items():
            inputs.put_parent_input(key, value)
        return bool(orchestrator.ConditionEvaluator.evaluate_condition(condition, inputs))

    def _take(self, name: str, outcome: Outcome, done: set[str]) -> None:
        outputs, state = outcome
        if outcome is WITHHELD:
            return
        if state != status.Status.SUCCESS:
            self.common["fail_stack"].append(name)
            if not self._nested(self.tasks[name]):
                self.run.failed.append(self._whole(name))
                self.run.ending = True
                self._say(name, "failed")
            return
        for key, value in outputs.items():
            self.store.put_task_output(name, key, value)
        self._say(name, "done" if self._whole(name) in self.run.started else "kept")
        done.add(name)

    def _whole(self, name: str) -> str:
        """A task's name with the loop's round that it is in; its folder under `tasks`."""
        return f"{self._inside}/{name}" if self._inside else name

    def _say(self, name: str, state: str) -> None:
        """Say how a task stands; a branch and a loop say nothing, the tasks in them do."""
        if not self._nested(self.tasks[name]):
            self.run.say(self._whole(name), self.tasks[name].task_info.name + self._round, state)


def _whole_number(item: Any) -> Any:
    """The item; 1 for 1.0, since protobuf knows no integers."""
    return int(item) if isinstance(item, float) and item.is_integer() else item


def _singular(item: str) -> str:
    """What one item of a loop is called: `seed` for `pipelinechannel--seeds-loop-item`."""
    return item.removeprefix("pipelinechannel--").removesuffix(LOOP_ITEM).removesuffix("s")
