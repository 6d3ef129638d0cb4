"""Muon (Jordan et al. 2024, kellerjordan.github.io/posts/muon) in fp32 for matrices, AdamW for the rest.

torch.optim.Muon works in bfloat16, which is many times slower than fp32 on a CPU without bf16 units.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn


class MuonAdamW:
    """One optimiser for a small transformer: hidden matrices by Muon, embeddings and norms by AdamW."""

    def __init__(self, model: nn.Module, lr: float, muon_lr: float, weight_decay: float = 0.01) -> None:
        matrices = [p for name, p in model.named_parameters() if p.dim() == 2 and "embed" not in name]
        taken = {id(p) for p in matrices}
        rest = [p for p in model.parameters() if id(p) not in taken]
        self._adam = torch.optim.AdamW(rest, lr=lr, betas=(0.9, 0.98), weight_decay=weight_decay)
        self._lr, self._muon_lr, self._decay = lr, muon_lr, weight_decay
        self._groups: dict[tuple[int, ...], list[nn.Parameter]] = {}
        for matrix in matrices:
            self._groups.setdefault(tuple(matrix.shape), []).append(matrix)
        self._momentum = {shape: torch.zeros(len(group), *shape) for shape, group in self._groups.items()}
        self._parameters = list(model.parameters())

    @torch.no_grad()
    def step(self, scale: float = 1.0) -> None:
        """One update with both learning rates times `scale`; gradients are clipped to norm 1 and cleared."""
        nn.utils.clip_grad_norm_(self._parameters, 1.0)
        for group in self._adam.param_groups:
            group["lr"] = self._lr * scale
        self._adam.step()
        for shape, matrices in self._groups.items():
            gradient = torch.stack([m.grad if m.grad is not None else torch.zeros_like(m) for m in matrices])
            momentum = self._momentum[shape]
            momentum.lerp_(gradient, 0.05)
            update = orthogonalise(gradient.lerp(momentum, 0.95)) * max(1.0, shape[0] / shape[1]) ** 0.5
            rate = self._muon_lr * scale
            for matrix, change in zip(matrices, update, strict=True):
                matrix.mul_(1 - rate * self._decay).sub_(change, alpha=rate)
        _clear(self._parameters)

    def state_dict(self) -> dict[str, Any]:
        """Everything a resumed run needs."""
        return {"adam": self._adam.state_dict(), "momentum": list(self._momentum.values())}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from `state_dict`."""
        self._adam.load_state_dict(state["adam"])
        for momentum, saved in zip(self._momentum.values(), state["momentum"], strict=True):
            momentum.copy_(saved)


def orthogonalise(matrices: Tensor, steps: int = 5) -> Tensor:
    """Nearest semi-orthogonal matrices by the quintic Newton-Schulz iteration, (N, rows, columns) in and out."""
    x = matrices / (matrices.norm(dim=(1, 2), keepdim=True) + 1e-7)
    tall = x.shape[1] > x.shape[2]
    x = x.mT if tall else x
    for _ in range(steps):
        gram = x @ x.mT
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    result: Tensor = x.mT if tall else x
    return result


def _clear(parameters: Iterable[nn.Parameter]) -> None:
    for parameter in parameters:
        parameter.grad = None
