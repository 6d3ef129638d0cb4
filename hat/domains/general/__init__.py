"""General instructions without tools (T4), checked by program."""

from random import Random

from hat.domains.general.tasks import GeneralTask
from hat.domains.general.tasks import sample as _sample
from hat.domains.livestream.split import Split

__all__ = ["GeneralTask", "GeneralTasks"]


class GeneralTasks:
    """Seeded general prompts of one split."""

    def __init__(self, split: Split = "train") -> None:
        self.split = split

    def sample(self, rng: Random) -> GeneralTask:
        """One prompt."""
        return _sample(rng, self.split)
