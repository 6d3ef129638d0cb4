"""T4: general instructions without tools, played as one-answer episodes by whatever plays the others."""

from collections.abc import Mapping
from random import Random
from typing import Protocol

from hat.episode import ChatRequest, Episode, Message, PolicyError, Trace
from hat.episode.reasoning import split_reasoning


class GeneralTask(Protocol):
    """One prompt that a program can check."""

    @property
    def id(self) -> str:
        """Unique among the tasks."""
        ...

    @property
    def prompt(self) -> str:
        """What is asked."""
        ...

    def check(self, reply: str) -> Mapping[str, bool]:
        """Which of the prompt's instructions the reply follows."""
        ...


class GeneralSource(Protocol):
    """Seeded general tasks, such as `hat.domains.general.GeneralTasks("test")`."""

    def sample(self, rng: Random) -> GeneralTask:
        """One task."""
        ...


def general_episode(task: GeneralTask, policy: str) -> Episode:
    """Ask once; the answer is the reply."""
    asked = Message(role="user", content=task.prompt)
    try:
        response = yield ChatRequest(messages=(asked,), tools=())
    except PolicyError as error:
        return Trace(
            id=task.id,
            task=task.id,
            harness="",
            policy=policy,
            messages=(asked,),
            stop="policy_error",
            error=str(error),
        )
    spoken, thought = split_reasoning(response.message.content)
    answer = response.message.model_copy(update={"content": spoken, "reasoning": thought})
    return Trace(
        id=task.id,
        task=task.id,
        harness="",
        policy=policy,
        messages=(asked, answer),
        reply=spoken.strip(),
        stop="reply",
        usage=response.usage,
    )


def general_scores(task: GeneralTask, trace: Trace) -> dict[str, float]:
    """`score`: 1 if all instructions are followed (IFEval's prompt level); `instructions`: the share that is."""
    kept = list(task.check(trace.reply or "").values())
    return {"score": float(all(kept)), "instructions": sum(kept) / len(kept)}
