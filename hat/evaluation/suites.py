"""What is played: suites of tasks under harnesses, the same for every policy that is evaluated with one configuration.

Every suite has a random stream of its own, so leaving one out changes no other.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from hat.domains.task import Domain, Task
from hat.episode import Episode, Trace, episode
from hat.evaluation.config import EvalConfig, Suite
from hat.evaluation.edits import load_edits
from hat.evaluation.general import GeneralSource, GeneralTask, general_episode, general_scores
from hat.evaluation.outcome import Outcome, verdict_scores
from hat.harness import Harness, digest
from hat.hsa import ALL, FAMILIES, Family, Operator, Variant, augment, needs


class Play(NamedTuple):
    """One episode to play under a harness."""

    suite: Suite
    group: str
    task: Task
    harness: Harness
    operators: tuple[str, ...] = ()
    families: tuple[str, ...] = ()

    def start(self, domain: Domain, policy: str) -> Episode:
        """The episode, not begun."""
        return episode(self.harness, self.task.situation, domain.environment(self.task), policy)

    def judge(self, trace: Trace, domain: Domain) -> Outcome:
        """The outcome of its trace."""
        verdict = domain.verify(self.task, trace, self.harness)
        return Outcome(
            suite=self.suite,
            group=self.group,
            task=self.task.id,
            kind=self.task.kind,
            harness=trace.harness,
            operators=self.operators,
            families=self.families,
            scores=verdict_scores(verdict),
            stop=trace.stop,
            problems=verdict.problems,
        )

    def identity(self) -> str:
        """What is played, by content."""
        return f"{self.suite} {self.group} {digest(self.harness)} {self.task.model_dump_json()}"


class GeneralPlay(NamedTuple):
    """One general prompt to answer."""

    suite: Suite
    task: GeneralTask

    @property
    def group(self) -> str:
        """The task itself."""
        return self.task.id

    def start(self, domain: Domain, policy: str) -> Episode:
        """The episode, not begun."""
        return general_episode(self.task, policy)

    def judge(self, trace: Trace, domain: Domain) -> Outcome:
        """The outcome of its trace."""
        return Outcome(
            suite=self.suite,
            group=self.group,
            task=self.task.id,
            kind=str(getattr(self.task, "operation", "general")),
            harness="",
            scores=general_scores(self.task, trace),
            stop=trace.stop,
        )

    def identity(self) -> str:
        """What is asked."""
        return f"{self.suite} {self.task.id} {self.task.prompt}"


Plays = Sequence[Play | GeneralPlay]


def plan(config: EvalConfig, domain: Domain, edits: Path | None, general: GeneralSource | None) -> dict[Suite, Plays]:
    """The episodes of each suite that the configuration names; edits and T4 only where they are given."""
    tasks = _tasks(config, domain)
    plays: dict[Suite, Plays] = {}
    for suite in config.suites:
        if suite == "T1":
            plays[suite] = [Play(suite, task.id, task, domain.harness()) for task in tasks]
        elif suite == "T2":
            plays[suite] = list(_variants(config, domain.harness(), tasks))
        elif suite in {"T3-tools", "T3-prompts"}:
            plays[suite] = list(_robustness(config, suite, domain, tasks))
        elif suite == "families":
            plays[suite] = list(_families(config, domain.harness(), tasks))
        elif suite == "edits" and edits is not None:
            plays[suite] = list(_edits(config, domain, edits))
        elif suite == "T4" and general is not None:
            rng = _rng(config, suite)
            plays[suite] = [GeneralPlay(suite, general.sample(rng)) for _ in range(config.t4_tasks)]
    return plays


def _rng(config: EvalConfig, stream: str) -> Random:
    return Random(f"{config.seed} {stream}")


def _tasks(config: EvalConfig, domain: Domain) -> list[Task]:
    """T1's tasks, each id once."""
    rng = _rng(config, "T1")
    tasks: dict[str, Task] = {}
    while len(tasks) < config.t1_tasks:
        task = domain.sample(rng)
        tasks.setdefault(task.id, task)
    return list(tasks.values())


def _variants(config: EvalConfig, original: Harness, tasks: Sequence[Task]) -> Iterator[Play]:
    rng = _rng(config, "T2")
    for number in range(config.t2_variants):
        drawn = rng.sample(tasks, min(config.t2_tasks, len(tasks)))
        variant = augment(original, rng, config.strength, ALL, split=config.split, keep=needs(drawn))
        yield from _under("T2", f"variant-{number:03d}", variant, drawn)


ROBUSTNESS: Mapping[Suite, tuple[Family, ...]] = {
    "T3-tools": ("tools",),
    "T3-prompts": ("skill_ids", "skill_content", "prompt"),
}
"""Operator families of the T3 suites."""


def _robustness(config: EvalConfig, suite: Suite, domain: Domain, tasks: Sequence[Task]) -> Iterator[Play]:
    rng = _rng(config, suite)
    operators = tuple(operator for operator in ALL if operator.family in ROBUSTNESS[suite])
    for number in range(config.t3_variants):
        if suite == "T3-tools":
            drawn = [_calling(domain, rng, failing=place % 2 == 1) for place in range(config.t3_tasks)]
        else:
            drawn = rng.sample(tasks, min(config.t3_tasks, len(tasks)))
        variant = augment(domain.harness(), rng, 1.0, operators, split=config.split, keep=needs(drawn))
        yield from _under(suite, f"variant-{number:03d}", variant, drawn)


def _calling(domain: Domain, rng: Random, failing: bool) -> Task:
    """A task whose right play calls a tool; `failing`: one that meets a fault."""
    while True:
        task = domain.sample(rng)
        if task.expected.calls and bool(task.faults) == failing:
            return task


def _families(config: EvalConfig, original: Harness, tasks: Sequence[Task]) -> Iterator[Play]:
    rng = _rng(config, "families")
    for family in FAMILIES:
        operators: tuple[Operator, ...] = tuple(operator for operator in ALL if operator.family == family)
        for number in range(config.family_variants):
            drawn = rng.sample(tasks, min(config.family_tasks, len(tasks)))
            variant = augment(original, rng, 1.0, operators, split=config.split, keep=needs(drawn))
            yield from _under("families", f"{family}-{number:03d}", variant, drawn)


def _under(suite: Suite, group: str, variant: Variant, tasks: Sequence[Task]) -> Iterator[Play]:
    operators = tuple(applied.operator for applied in variant.trail)
    for task in tasks:
        yield Play(suite, group, task, variant.harness, operators, variant.families)


def _edits(config: EvalConfig, domain: Domain, folder: Path) -> Iterator[Play]:
    for edit in load_edits(folder, domain.harness()):
        rng = _rng(config, f"edits {edit.name}")
        for _ in range(config.edit_tasks):
            yield Play("edits", edit.name, edit.sample(domain, rng), edit.harness)
