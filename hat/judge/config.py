"""Who judges, and that the judge of rewards is not the judge of results."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from hat.harness import Frozen

HARNESS = Path(__file__).parents[2] / "examples" / "judge" / "harness"


class Member(Frozen):
    """One model behind an OpenAI-compatible endpoint."""

    url: str
    """Up to and with the version, such as `http://127.0.0.1:8000/v1`."""
    model: str
    key_env: str = ""
    """Name of the environment variable that holds the key; no key if empty."""


class JudgeConfig(Frozen):
    """A panel of models, each asked `votes` times."""

    members: Annotated[tuple[Member, ...], Field(min_length=1)]
    votes: Annotated[int, Field(ge=1)] = 3
    """Of each member; all together an odd number. Three members with a vote each are the paper's panel."""
    temperature: Annotated[float, Field(ge=0)] = 0.7
    """Above 0 where a member votes more than once, or its votes are one vote."""
    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds for one answer."""
    harness: Path = HARNESS
    floor: Annotated[float, Field(ge=0, le=1)] = 0.9
    """Share of traces that must come to a decision; with fewer `judge_all` stops."""

    @model_validator(mode="after")
    def _decides(self) -> Self:
        count = self.votes * len(self.members)
        if count % 2 == 0:
            raise ValueError(
                f"{len(self.members)} members with {self.votes} votes each make {count}: give an odd number"
            )
        if self.votes > 1 and self.temperature == 0:
            raise ValueError(f"{self.votes} votes at temperature 0 are one vote said {self.votes} times: raise it")
        return self


def require_apart(reward: JudgeConfig, final: JudgeConfig) -> None:
    """See to it that no model judges both: a policy learns what its reward's judge likes.

    Raises:
        ValueError: a model is in both panels; names it.
    """
    both = {(m.url.rstrip("/"), m.model) for m in reward.members} & {
        (m.url.rstrip("/"), m.model) for m in final.members
    }
    same = {m.model for m in reward.members} & {m.model for m in final.members}
    if both or same:
        names = ", ".join(sorted({model for _, model in both} | same))
        raise ValueError(f"{names} judges rewards and results: take another model for one of them")
