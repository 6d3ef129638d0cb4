"""The next token of every row from its logits. Each row draws from its own seeded stream: company changes nothing."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import torch
from torch import Tensor

from hat.episode.engine.rows import Row


class Sampler(Protocol):
    """Chooses tokens; the seam at which tests and benchmarks force them."""

    def __call__(self, logits_RV: Tensor, rows: Sequence[Row]) -> tuple[list[int], list[float]]:
        """A token for each row, and its log-probability under the distribution sampled from."""
        ...


class TemperatureSampler:
    """Greedy at temperature 0 (log-probabilities are then the model's own), otherwise softmax(logits / temperature)."""

    def __init__(self, temperature: float, seed: int) -> None:
        self.temperature, self.seed = temperature, seed
        self._streams: dict[int, Iterator[float]] = {}

    def __call__(self, logits_RV: Tensor, rows: Sequence[Row]) -> tuple[list[int], list[float]]:
        """See `Sampler`."""
        if self.temperature == 0:
            logps_RV = logits_RV.log_softmax(-1)
            tokens_R1 = logits_RV.argmax(-1, keepdim=True)
        else:
            logps_RV = (logits_RV / self.temperature).log_softmax(-1)
            tokens_R1 = _draw(logps_RV, torch.tensor([self._uniform(row) for row in rows], device=logits_RV.device))
        return tokens_R1[:, 0].tolist(), logps_RV.gather(1, tokens_R1)[:, 0].tolist()

    def _uniform(self, row: Row) -> float:
        if row.index not in self._streams:
            self._streams[row.index] = _uniforms(self.seed + row.index)
        return next(self._streams[row.index])


def _draw(logps_RV: Tensor, uniform_R: Tensor) -> Tensor:
    """Inverse of the cumulative distribution, (R, 1)."""
    mass_RV = logps_RV.exp().cumsum(-1)
    target_R1 = (uniform_R * (1 - 1e-6))[:, None] * mass_RV[:, -1:]
    return torch.searchsorted(mass_RV, target_R1, right=True).clamp_(max=logps_RV.shape[1] - 1)


def _uniforms(seed: int) -> Iterator[float]:
    generator = torch.Generator().manual_seed(seed % 2**63)
    while True:
        yield from torch.rand(128, generator=generator).tolist()
