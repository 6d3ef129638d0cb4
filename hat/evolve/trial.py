"""A trial: the same tasks under the harness as it is and as proposed; the verdict is a pure function of the scores."""

from pathlib import Path
from random import Random
from typing import Annotated

from pydantic import Field

from hat.domains.task import Domain, Task
from hat.episode import Policy, episode, run_episodes
from hat.evaluation.outcome import verdict_scores
from hat.evaluation.parts import write_whole
from hat.evolve.diagnose import Cluster
from hat.evolve.propose import Proposal
from hat.harness import Frozen, Harness, digest, save_harness
from hat.statistics import Estimate, difference_of
from hat.tracking.progress import Progress

RECORD = "evolution.json"


class TrialConfig(Frozen):
    """How much is tried; tasks of a split that no final figure is taken on."""

    aimed: Annotated[int, Field(ge=2)] = 60
    """Tasks of the cluster's kinds."""
    others: Annotated[int, Field(ge=2)] = 120
    """Tasks of all kinds, for regressions."""
    seed: int = 0
    margin: Annotated[float, Field(ge=0, le=1)] = 0.05
    """Share of a point that the others may lose at most: the interval's lower end must be above its negative."""


class Trial(Frozen):
    """What a proposal did."""

    aimed: Estimate
    """Score under the proposal minus under the original, task by task, on the cluster's kinds."""
    others: Estimate
    """The same on tasks of all kinds."""
    before: float
    """Score of the aimed tasks under the original."""
    after: float
    broken: tuple[str, ...]
    """Tasks that were right and are wrong now, as `kind: the viewer's words`."""
    passed: bool
    reason: str


def run_trial(
    config: TrialConfig, original: Harness, proposal: Proposal, cluster: Cluster, domain: Domain, policy: Policy
) -> Trial:
    """Play the same tasks under both harnesses."""
    rng = Random(f"evolve/{config.seed}")
    kinds = list(cluster.kinds)
    aimed = [domain.sample(rng, rng.choice(kinds)) for _ in range(config.aimed)]
    others = [domain.sample(rng) for _ in range(config.others)]
    with Progress("trial", total=2 * (len(aimed) + len(others)), unit="episodes") as progress:
        scores = {}
        for number, (name, harness) in enumerate((("before", original), ("after", proposal.harness)), 1):
            scores[name] = _scores(harness, [*aimed, *others], domain, policy)
            progress.update(number * (len(aimed) + len(others)))
    cut = len(aimed)
    gained = difference_of(scores["after"][:cut], scores["before"][:cut])
    kept = difference_of(scores["after"][cut:], scores["before"][cut:])
    rows = zip([*aimed, *others], scores["before"], scores["after"], strict=True)
    broken = tuple(f"{task.kind}: {task.situation.message}" for task, was, now in rows if was == 1 > now)
    passed, reason = decide(gained, kept, config.margin)
    return Trial(
        aimed=gained,
        others=kept,
        before=sum(scores["before"][:cut]) / cut,
        after=sum(scores["after"][:cut]) / cut,
        broken=broken,
        passed=passed,
        reason=reason,
    )


def decide(aimed: Estimate, others: Estimate, margin: float) -> tuple[bool, str]:
    """Whether a proposal may be published, and why: better where it aims, and no worse elsewhere."""
    told = f"aimed {_points(aimed)}, all kinds {_points(others)}"
    if aimed.low <= 0:
        return False, f"no gain that chance does not explain: {told}"
    if others.low < -margin:
        return False, f"a loss of more than {100 * margin:g} points on all kinds cannot be ruled out: {told}"
    return True, told


def publish(
    original: Harness, proposal: Proposal, cluster: Cluster, trial: Trial, out: Path, confirmed_by: str
) -> Path:
    """Write the new harness to `out`, and beside it what led to it (`<out>.evolution.json`); returns that record.

    Raises:
        ValueError: the trial did not pass, or nobody confirmed it.
        OSError: the folder cannot be written; nothing half-written stays.
    """
    if not trial.passed:
        raise ValueError(f"not published: {trial.reason}")
    if not confirmed_by.strip():
        raise ValueError("not published: a person must confirm it, by name")
    record = Record(
        was=digest(original),
        now=digest(proposal.harness),
        why=proposal.why,
        files=tuple(proposal.files),
        confirmed_by=confirmed_by,
        cluster=cluster,
        trial=trial,
    )
    save_harness(proposal.harness, out)
    path = out.with_name(f"{out.name}.{RECORD}")
    write_whole(path, record.model_dump_json(indent=1) + "\n")
    return path


class Record(Frozen):
    """How a harness came to be."""

    was: str
    """Digest."""
    now: str
    why: str
    files: tuple[str, ...]
    confirmed_by: str
    cluster: Cluster
    trial: Trial


def _scores(harness: Harness, tasks: list[Task], domain: Domain, policy: Policy) -> list[float]:
    turns = [episode(harness, task.situation, domain.environment(task), policy.name) for task in tasks]
    traces = run_episodes(policy, turns)
    verdicts = [domain.verify(task, trace, harness) for task, trace in zip(tasks, traces, strict=True)]
    return [verdict_scores(verdict)["score"] for verdict in verdicts]


def _points(found: Estimate) -> str:
    return f"{100 * found.mean:+.1f} points ({100 * found.low:+.1f} to {100 * found.high:+.1f}, n {found.n})"
