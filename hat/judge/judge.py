"""Votes on a trace, and what they come to.

A vote is an episode of the judge's own harness in the one loop: the trace is what the "viewer" says, the rubrics are
skills, the verdict is a tool call. A vote whose episode ends without a verdict does not count.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from hat.episode import Policy, Situation, ToolError, Trace, run_episode
from hat.episode.policies.openai import OpenAIPolicy
from hat.harness import Frozen, load_harness
from hat.judge.config import JudgeConfig, Member
from hat.tracking.progress import Progress

SUBMIT = "submit_verdict"
LONGEST = 400
"""Characters of a tool's output that are shown."""


class JudgeError(Exception):
    """Too few traces came to a decision; names the share, the floor and the commonest reason."""


class Vote(Frozen):
    """What one episode of the judge said."""

    model: str
    accuracy: float | None = None
    """0 or 1; None if it gave no verdict."""
    effectiveness: float | None = None
    """0, 0.5 or 1."""
    reason: str = ""
    """Its own, or why there is no verdict."""

    @property
    def counts(self) -> bool:
        """Whether it is a verdict."""
        return self.accuracy is not None


class Judgement(Frozen):
    """What the votes on a trace come to."""

    trace: str
    """The trace's key."""
    votes: tuple[Vote, ...]
    accuracy: float | None = None
    """The majority's; None if no majority of the panel gave a verdict."""
    effectiveness: float | None = None
    """The median."""

    @property
    def unanimous(self) -> bool:
        """Whether all votes count and say the same."""
        return all(vote.counts for vote in self.votes) and len({(v.accuracy, v.effectiveness) for v in self.votes}) == 1


class _Ballot:
    """The judge's world: a verdict is taken, the last one counts."""

    def __init__(self) -> None:
        self.verdict: dict[str, Any] | None = None

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Take the verdict. Raises ToolError for any other tool."""
        if tool != SUBMIT:
            raise ToolError("unknown_tool", tool)
        self.verdict = arguments
        return {"taken": True}


def key_of(trace: Trace) -> str:
    """What tells a trace from all others: policy, task, harness."""
    return f"{trace.policy}/{trace.id}@{trace.harness.removeprefix('sha256:')[:12]}"


class Judge:
    """A panel; one policy for each member, made by `connect` (an endpoint's unless given)."""

    def __init__(self, config: JudgeConfig, connect: Callable[[Member, JudgeConfig], Policy] | None = None) -> None:
        """Read the judge's harness. Raises HarnessError."""
        self.config = config
        self.harness = load_harness(config.harness)
        self._policies = [(connect or endpoint)(member, config) for member in config.members]

    def judge(self, trace: Trace) -> Judgement:
        """Let every member vote on a trace."""
        situation = Situation(id=f"judge-{trace.id}", message=tell(trace))
        votes = [self._vote(situation, policy) for policy in self._policies for _ in range(self.config.votes)]
        return decide(key_of(trace), votes)

    def _vote(self, situation: Situation, policy: Policy) -> Vote:
        ballot = _Ballot()
        played = run_episode(self.harness, situation, ballot, policy)
        if ballot.verdict is None:
            return Vote(model=policy.name, reason=played.error or f"no verdict: the episode ended by {played.stop}")
        said = ballot.verdict
        return Vote(
            model=policy.name,
            accuracy=float(said["accuracy"]),
            effectiveness=float(said["effectiveness"]),
            reason=str(said["reason"]),
        )


def endpoint(member: Member, config: JudgeConfig) -> Policy:
    """The policy of a member."""
    key = os.environ.get(member.key_env, "") if member.key_env else ""
    sampling = {"temperature": config.temperature}
    return OpenAIPolicy(member.url, member.model, key, timeout=config.timeout, sampling=sampling)


def decide(trace: str, votes: Iterable[Vote]) -> Judgement:
    """The majority of accuracy and the median of effectiveness, if a majority of the panel gave a verdict."""
    votes = tuple(votes)
    counted = [vote for vote in votes if vote.counts]
    if 2 * len(counted) <= len(votes):
        return Judgement(trace=trace, votes=votes)
    ones = sum(vote.accuracy == 1 for vote in counted)
    return Judgement(
        trace=trace,
        votes=votes,
        accuracy=float(2 * ones > len(counted)),
        effectiveness=_step(median(vote.effectiveness or 0.0 for vote in counted)),
    )


def _step(value: float) -> float:
    """The value as a grade; between two grades the lower."""
    return int(2 * value) / 2


def tell(trace: Trace) -> str:
    """A trace as material for a judge: rules, viewer, what was done and found out, reply."""
    situation = trace.situation
    parts = {
        "主播的规矩": trace.messages[0].content if trace.messages else "",
        "房间状态": json.dumps(situation.context if situation else {}, ensure_ascii=False),
        "之前的话": "\n".join(
            f"观众：{said}\n主播：{reply}" for said, reply in (situation.history if situation else ())
        ),
        "观众": situation.message if situation else "",
        "过程": "\n".join(_steps(trace)),
        "回复": trace.reply or f"（没有回复：{trace.stop}）",
    }
    return "\n\n".join(f"【{name}】\n{text}" for name, text in parts.items() if text)


def _steps(trace: Trace) -> Iterator[str]:
    answers = {message.tool_call_id: message.content for message in trace.messages if message.role == "tool"}
    for message in trace.messages:
        for call in message.tool_calls:
            given = json.dumps(call.arguments, ensure_ascii=False)
            yield f"{call.name}({given}) → {answers.get(call.id, '')[:LONGEST]}"


def judge_all(judge: Judge, traces: Iterable[Trace], out: Path) -> list[Judgement]:
    """Judge every trace, each kept in `out` (JSON lines) as it is judged; those that are there are not judged again.

    Raises:
        JudgeError: fewer than `config.floor` of the traces came to a decision.
        ValueError: a line of `out` is no judgement; names it.
    """
    traces, known = list(traces), read_judgements(out) if out.exists() else {}
    out.parent.mkdir(parents=True, exist_ok=True)
    judged = []
    with Progress("judge", total=len(traces), unit="traces") as progress, out.open("a", encoding="utf-8") as file:
        for number, trace in enumerate(traces, 1):
            found = known.get(key_of(trace)) or judge.judge(trace)
            if found.trace not in known and found.accuracy is not None:
                file.write(found.model_dump_json() + "\n")
                file.flush()
            judged.append(found)
            progress.update(number, undecided=float(sum(one.accuracy is None for one in judged)))
    _require(judge.config, judged)
    return judged


def read_judgements(path: Path) -> Mapping[str, Judgement]:
    """Judgements by trace; a last line that was cut off is left out. Raises ValueError for any other broken line."""
    found, lines = {}, path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        try:
            judgement = Judgement.model_validate_json(line) if line else None
        except ValueError as error:
            if number == len(lines):
                path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
                break
            raise ValueError(
                f"{path}:{number}: no judgement; remove the line, its trace is then judged again"
            ) from error
        if judgement:
            found[judgement.trace] = judgement
    return found


def _require(config: JudgeConfig, judged: list[Judgement]) -> None:
    undecided = [one for one in judged if one.accuracy is None]
    if len(judged) - len(undecided) < config.floor * len(judged):
        reasons = [vote.reason for one in undecided for vote in one.votes if not vote.counts]
        commonest = max(set(reasons), key=reasons.count)
        raise JudgeError(
            f"{len(judged) - len(undecided)} of {len(judged)} traces came to a decision, the floor is "
            f"{config.floor:.0%}; commonest reason: {commonest}. Mend the endpoint or the judge's harness; what was "
            "decided is kept"
        )
