"""Processes that play parts side by side, one thread each; every one makes the plan anew from the same seeds."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from hat.domains.task import Domain
from hat.episode import Policy
from hat.evaluation.config import EvalConfig
from hat.evaluation.general import GeneralSource
from hat.evaluation.parts import Part, parts_of, play_part
from hat.evaluation.suites import plan


@dataclass(frozen=True)
class Work:
    """All that a process needs to know; picklable if model is a path."""

    config: EvalConfig
    model: Policy | Path
    name: str
    domain: Domain
    edits: Path | None
    general: GeneralSource | None
    folder: Path

    def parts(self) -> list[Part]:
        """The plan, in parts."""
        return parts_of(self.config, plan(self.config, self.domain, self.edits, self.general))

    def policy(self) -> Policy:
        """The policy; a model directory is loaded to be played in this process.

        Raises:
            ModelDirectoryError: the path is no model.
        """
        if not isinstance(self.model, Path):
            return self.model
        from hat.episode.policies.transformers_policy import TransformersPolicy

        return TransformersPolicy.load(
            self.model, max_new_tokens=self.config.max_new_tokens, max_batch=self.config.max_batch, name=self.name
        )


def play_all(work: Work, parts: Sequence[Part], todo: Sequence[int]) -> Iterator[int]:
    """Play the parts whose numbers are in `todo`; yields each as it is done."""
    processes = min(work.config.workers, len(todo))
    if processes < 2 or not isinstance(work.model, Path):
        policy = work.policy() if todo else None
        for number in todo:
            assert policy is not None
            play_part(parts[number], policy, work.domain, work.folder)
            yield number
        return
    pool = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(work,)
    )
    try:
        yield from (future.result() for future in as_completed([pool.submit(_play, number) for number in todo]))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Process:
    """What a process keeps between parts."""

    work: Work
    parts: list[Part]
    policy: Policy


def _begin(work: Work) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    import torch

    torch.set_num_threads(1)
    _Process.work = replace(work)
    _Process.parts = work.parts()
    _Process.policy = work.policy()


def _play(number: int) -> int:
    play_part(_Process.parts[number], _Process.policy, _Process.work.domain, _Process.work.folder)
    return number
