"""Training traces: a strong policy plays seeded tasks under the original harness and under variants of it.

Only traces that are right (accuracy 1) and in style (effectiveness 1) are kept, by the program verifiers and by a panel
of judges if there is one; the others are counted by reason.
Every variant is checked to preserve its tasks before a trace is made under it.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from hat.domains.livestream import Livestream
from hat.domains.oracle import Oracle
from hat.domains.task import Task
from hat.domains.verdict import Verdict
from hat.episode import Message, Policy, Trace, run_episode
from hat.episode.policies.openai import OpenAIPolicy
from hat.harness import Frozen, Harness
from hat.harness.files import load_harness
from hat.hsa import augment, check_preserved, drawn_from, needs
from hat.judge import Judge
from hat.tracking.progress import Progress
from hat.training.config import Inputs, StageResult, TraceConfig
from hat.training.files import fingerprint, finish, finished, write_lines


class TracesRejected(Exception):  # noqa: N818  the event, as a reader of the log would say it
    """Too few traces passed the filter; names the share, the floor and the commonest reason."""


class TracedHarness(Frozen):
    """A harness of a set of traces, by its digest."""

    digest: str
    harness: Harness
    original: bool


class State(Frozen):
    """A harness and the tasks to be played under it."""

    harness: Harness
    tasks: tuple[Task, ...]
    original: bool


def draw_states(config: TraceConfig, domain: Livestream, original: Harness) -> Iterator[State]:
    """The harness states of a configuration, seeded, each checked to preserve its tasks.

    Raises:
        TaskNotPreserved: an operator broke a task; names task, operators and seed.
    """
    operators = drawn_from(config.operators, config.without)
    for number in range(config.harnesses):
        rng = Random(f"{config.seed}/{number}")
        tasks = tuple(domain.sample(rng) for _ in range(config.tasks))
        if rng.random() < config.original:
            yield State(harness=original, tasks=tasks, original=True)
            continue
        keep = needs(tasks) if rng.random() < config.mask else None
        variant = augment(original, rng, config.strength, operators, keep=keep)
        check_preserved(variant, tasks, domain, original)
        yield State(harness=variant.harness, tasks=tasks, original=False)


def synthesize(config: TraceConfig, inputs: Inputs, out: Path) -> StageResult:
    """Write out/traces.jsonl and out/harnesses.jsonl; done already with the same settings, it returns at once.

    Raises:
        TracesRejected: fewer than `config.floor` of the traces were good enough.
    """
    mark = fingerprint(config, inputs)
    if kept := finished(out, mark):
        return kept
    domain = Livestream(catalogue=inputs.catalogue, harness=inputs.harness, split="train")
    original = load_harness(inputs.harness) if inputs.harness else domain.harness()
    teacher = OpenAIPolicy(config.teacher_url, config.teacher_model or "default") if config.teacher_url else None
    judge = Judge(config.judge) if config.judge else None
    traces: list[Trace] = []
    harnesses: dict[str, TracedHarness] = {}
    dropped: Counter[str] = Counter()
    with Progress("synthesize", total=config.harnesses, unit="harnesses") as progress:
        for number, state in enumerate(draw_states(config, domain, original), 1):
            for task in state.tasks:
                trace, verdict = _play(state.harness, task, domain, teacher)
                if (wrong := _wrong(trace, verdict, judge)) is not None:
                    dropped[wrong] += 1
                    continue
                traces.append(_cut(trace, config, len(traces)))
                harnesses.setdefault(
                    trace.harness, TracedHarness(digest=trace.harness, harness=state.harness, original=state.original)
                )
            progress.update(number, kept=float(len(traces)), dropped=float(dropped.total()))
    _require(config, len(traces), dropped)
    write_lines(out / "harnesses.jsonl", harnesses.values())
    write_lines(out / "traces.jsonl", traces)
    metrics = {"kept": float(len(traces)), "dropped": float(dropped.total()), "harnesses": float(len(harnesses))}
    return finish(out, mark, "synthesize", metrics)


def _play(harness: Harness, task: Task, domain: Livestream, teacher: Policy | None) -> tuple[Trace, Verdict]:
    policy = teacher or Oracle(harness, task)
    trace = run_episode(harness, task.situation, domain.environment(task), policy)
    return trace, domain.verify(task, trace, harness)


def _wrong(trace: Trace, verdict: Verdict, judge: Judge | None) -> str | None:
    """Why a trace is no model of a right play; None if it is one."""
    if verdict.accuracy < 1 or verdict.effectiveness < 1:
        return trace.error or (verdict.problems[0] if verdict.problems else trace.stop)
    if judge is None:
        return None
    found = judge.judge(trace)
    if found.accuracy == 1 and found.effectiveness == 1:
        return None
    reason = next((vote.reason for vote in found.votes if vote.accuracy != 1 or vote.effectiveness != 1), "")
    return f"judge: {reason}" if found.accuracy is not None else f"judge undecided: {reason}"


def _require(config: TraceConfig, kept: int, dropped: Counter[str]) -> None:
    made = kept + dropped.total()
    if kept < config.floor * made:
        reason, count = dropped.most_common(1)[0]
        raise TracesRejected(
            f"{kept} of {made} traces passed the filter, the floor is {config.floor:.0%}; "
            f"commonest reason ({count} times): {reason}. Use a stronger teacher, or lower `floor`"
        )


def _cut(trace: Trace, config: TraceConfig, number: int) -> Trace:
    """Cut a trace with refused replies to its final right behaviour, except for a share that is kept whole."""
    if not any(hook.event == "Stop" for hook in trace.hooks):
        return trace
    if Random(f"{config.seed}/whole/{number}").random() < config.whole_retries:
        return trace
    opening = 2 + 2 * len(trace.situation.history if trace.situation else ())
    return trace.model_copy(update={"messages": without_refused_replies(trace.messages, opening)})


def without_refused_replies(messages: tuple[Message, ...], opening: int) -> tuple[Message, ...]:
    """The conversation without replies that a hook sent back, and without what the model was then told.

    `opening` is the number of messages before the model's first answer: system prompt, history, viewer. After it every
    user message is a hook's, and the assistant's message before it is the refused reply.
    """
    refused = {i for i in range(opening, len(messages)) if messages[i].role == "user"}
    return tuple(m for i, m in enumerate(messages) if i not in refused and i + 1 not in refused)
