"""A step's gradient from several shards of its rows, one process each: the mean, the same in every process.

Gradients meet in shared memory at a barrier, so nothing listens on a port. Every process then takes the same step, and
the weights stay equal without being sent.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

PATIENCE = 900.0
"""Seconds that a process waits for the others before it gives up."""


@dataclass
class Exchange:
    """Where the shards' gradients meet."""

    sums_SN: Tensor  # noqa: N815  its shape
    """A shard's flattened gradient a row, in shared memory."""
    barrier: Any

    def average(self, parameters: Iterable[torch.nn.Parameter], shard: int) -> None:
        """Replace the gradients by their mean over the shards.

        Raises:
            threading.BrokenBarrierError: another shard's process ended.
        """
        there = list(parameters)
        flat = [(p.grad if p.grad is not None else torch.zeros_like(p)).reshape(-1) for p in there]
        torch.cat(flat, out=self.sums_SN[shard])
        self.barrier.wait(PATIENCE)
        mean_N = self.sums_SN.mean(0)
        self.barrier.wait(PATIENCE)
        start = 0
        for p in there:
            p.grad = mean_N[start : start + p.numel()].view_as(p).clone()
            start += p.numel()


def run_shards(work: Callable[..., None], shards: int, size: int, arguments: tuple[Any, ...]) -> None:
    """Run `work(shard, exchange, *arguments)` for every shard: the first here, the others in processes of their own.

    Args:
        work: takes the shard's number, what it exchanges gradients by, and the arguments.
        shards: how many.
        size: number of parameters.
        arguments: of `work`; they can be pickled.
    """
    context = multiprocessing.get_context("spawn")
    sums_SN: Any = torch.zeros(shards, size)
    exchange = Exchange(sums_SN.share_memory_(), context.Barrier(shards))
    others = [
        context.Process(target=_other, args=(work, shard, exchange, os.getpid(), arguments), daemon=True)
        for shard in range(1, shards)
    ]
    for process in others:
        process.start()
    try:
        work(0, exchange, *arguments)
    finally:
        exchange.barrier.abort()
        for process in others:
            process.join()


def _other(work: Callable[..., None], shard: int, exchange: Exchange, owner: int, arguments: tuple[Any, ...]) -> None:
    import signal
    from threading import BrokenBarrierError

    from hat.tracking.owner import VARIABLE, end_with_owner

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ[VARIABLE] = str(owner)
    end_with_owner()
    try:
        work(shard, exchange, *arguments)
    except BrokenBarrierError:
        os._exit(1)
    finally:
        exchange.barrier.abort()
