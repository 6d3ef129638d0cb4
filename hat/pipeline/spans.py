"""Episodes as MLflow traces: a span for the episode, and under it one for every model call, tool call and hook."""

import time
from collections.abc import Sequence
from typing import Any

from hat.episode import Message, Trace
from hat.evaluation import Outcome
from hat.tracking import StageRun


def log_episodes(run: StageRun, pairs: Sequence[tuple[Outcome, Trace]]) -> None:
    """Write episodes with their outcomes to the run's experiment. Times inside an episode tell the order only."""
    import mlflow

    experiment = run.api.get_run(run.run_id).info.experiment_id
    for outcome, trace in pairs:
        _episode(mlflow, str(experiment), run.run_id, outcome, trace)
    mlflow.flush_trace_async_logging()


def _episode(mlflow: Any, experiment: str, run_id: str, outcome: Outcome, trace: Trace) -> None:
    end = time.time_ns()
    start = end - int(trace.duration * 1e9) - 10**6 * (len(trace.messages) + len(trace.hooks) + 1)
    asked = trace.situation
    inputs = {"message": asked.message, "context": asked.context} if asked else {"message": trace.messages[0].content}
    root = mlflow.start_span_no_context(
        f"{outcome.suite} {outcome.kind}",
        span_type="AGENT",
        inputs=inputs,
        attributes={"problems": list(outcome.problems), "hooks": [hook.model_dump() for hook in trace.hooks]},
        tags={
            "suite": outcome.suite,
            "policy": trace.policy,
            "task": outcome.task,
            "harness": outcome.harness,
            "operators": " ".join(outcome.operators),
            **{key: f"{value:g}" for key, value in outcome.scores.items()},
        },
        metadata={"mlflow.sourceRun": run_id},
        experiment_id=experiment,
        start_time_ns=start,
    )
    for number, (name, kind, inputs, outputs) in enumerate(_steps(trace), 1):
        at = start + number * 10**6
        span = mlflow.start_span_no_context(name, span_type=kind, parent_span=root, inputs=inputs, start_time_ns=at)
        span.end(outputs=outputs, end_time_ns=at + 10**6)
    root.end(outputs={"reply": trace.reply, "stop": trace.stop}, end_time_ns=end)


def _steps(trace: Trace) -> list[tuple[str, str, Any, Any]]:
    """Name, kind, inputs and outputs of everything that happened, in order; hooks last."""
    steps: list[tuple[str, str, Any, Any]] = []
    names = {call.id: call for message in trace.messages for call in message.tool_calls}
    before: Message | None = None
    for message in trace.messages:
        if message.role == "assistant":
            steps.append(("model call", "CHAT_MODEL", before and before.to_openai(), message.to_openai()))
        elif message.role == "tool" and message.tool_call_id in names:
            call = names[message.tool_call_id]
            steps.append((call.name, "TOOL", call.arguments, message.content))
        before = message
    steps += [
        (f"hook {hook.hook}", "GUARDRAIL", {"event": hook.event}, {"outcome": hook.outcome, "message": hook.message})
        for hook in trace.hooks
    ]
    return steps
