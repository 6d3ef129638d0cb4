"""How much is evaluated."""

from typing import Annotated, Literal

from pydantic import Field

from hat.domains.livestream.split import Split
from hat.harness import Frozen

Suite = Literal["T1", "T2", "T3-tools", "T3-prompts", "families", "edits", "T4"]
SUITES: tuple[Suite, ...] = ("T1", "T2", "T3-tools", "T3-prompts", "families", "edits", "T4")
"""T1: original harness. T2: composed variants. T3: robustness, all operators on tools at full strength with every
second task meeting a tool that fails, or all on skills and prompt. families: variants of one operator family each.
edits: edits by hand. T4: general instructions."""

Count = Annotated[int, Field(ge=1)]


class EvalConfig(Frozen):
    """Sizes and seeds of an evaluation; the same configuration gives every policy the same episodes."""

    suites: tuple[Suite, ...] = SUITES
    seed: int = 0
    t1_tasks: Count = 300
    """Tasks under the original harness."""
    t2_variants: Count = 20
    t2_tasks: Count = 15
    """Tasks a variant, drawn from T1's, so that the two can be held against each other task by task."""
    t3_variants: Count = 20
    """Variants of each T3 suite."""
    t3_tasks: Count = 15
    """Tasks a variant of T3."""
    family_variants: Count = 3
    """Variants an operator family."""
    family_tasks: Count = 10
    """Tasks a variant of one family, drawn from T1's."""
    edit_tasks: Count = 25
    """Tasks an edit."""
    t4_tasks: Count = 200
    """General prompts."""
    strength: Annotated[float, Field(gt=0, le=1)] = 0.7
    """Of the variants."""
    split: Split = "test"
    """Whose made-up names and wordings the variants draw; `dev` while settings are still being chosen."""
    max_new_tokens: Count = 96
    """Bound of one answer, for models played in this process."""
    max_batch: Count = 64
    """Rows played at once, in this process."""
    part: Count = 100
    """Episodes that are played, and kept on disk, together."""
    workers: Count = 1
    """Processes, one thread each; for model directories."""
