"""Task preservation, checked by playing: the oracle earns the same verdict under a variant as under the original.

All four scores must be equal, for every task; so a variant that hides a tool, states a limit that no right answer fits,
or sends a call to the wrong place is caught before anything is trained on it.
"""

from collections.abc import Iterable, Mapping

from hat.domains.oracle import Oracle
from hat.domains.task import Domain, Task
from hat.domains.verdict import Verdict
from hat.episode import run_episode
from hat.harness import Harness
from hat.hsa.augment import Variant

SCORES = ("accuracy", "effectiveness", "tool_rationality", "skill_selection")


class TaskNotPreserved(Exception):  # noqa: N818  the contract's word
    """The oracle does not play a task under a variant as it does under the original."""

    def __init__(self, task: Task, variant: Variant, reason: str) -> None:
        trail = " > ".join(applied.operator for applied in variant.trail) or "nothing applied"
        super().__init__(
            f"task {task.id} ({task.kind}) is not preserved by the variant of seed {variant.seed} "
            f"(strength {variant.strength}, split {variant.split}; {trail}): {reason}. "
            f"Replay it with hat.hsa.replay(harness, {variant.seed}, {variant.strength}, split={variant.split!r})"
        )
        self.task, self.variant, self.reason = task, variant, reason


def play_oracle(harness: Harness, task: Task, domain: Domain) -> Verdict:
    """The verdict on the oracle's play of a task. Raises LookupError if the harness lacks what the task needs."""
    trace = run_episode(harness, task.situation, domain.environment(task), Oracle(harness, task))
    return domain.verify(task, trace, harness)


def check_preserved(
    variant: Variant,
    tasks: Iterable[Task],
    domain: Domain,
    original: Harness | None = None,
    known: Mapping[str, Verdict] | None = None,
) -> None:
    """Raise `TaskNotPreserved` for the first task whose verdict under `variant` differs from the original's.

    Args:
        variant: what is checked.
        tasks: the tasks at hand, such as those that training will play under the variant.
        domain: where the tasks are from.
        original: what the variant was made from; the domain's harness by default.
        known: verdicts under the original by task id, where they are known already.
    """
    original = original or domain.harness()
    for task in tasks:
        before = (known or {}).get(task.id) or play_oracle(original, task, domain)
        try:
            after = play_oracle(variant.harness, task, domain)
        except LookupError as error:
            raise TaskNotPreserved(task, variant, str(error)) from error
        changed = [
            f"{score} {getattr(before, score)} to {getattr(after, score)}"
            for score in SCORES
            if getattr(before, score) != getattr(after, score)
        ]
        if changed:
            raise TaskNotPreserved(task, variant, ", ".join([*changed, *after.problems]))
