"""Qwen3's forward over flat tokens: every call takes N tokens of any rows side by side; only attention knows rows.

Logits equal the transformers forward to rounding. Axes: N tokens, C the model's width, H query heads, K key heads,
D head width, V vocabulary.
"""

from typing import Any, Protocol

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from hat.episode.engine.weights import LayerWeights, Parts, read_weights


class Queries(Protocol):
    """Where the tokens of one call stand: what they attend to, and where their keys and values are kept."""

    picked: Tensor | None
    """Tokens whose logits are wanted; None: all. The last layer computes no others."""

    def store(self, layer: int, key_NKD: Tensor, value_NKD: Tensor) -> None:
        """Keep the tokens' keys and values."""
        ...

    def attend(self, q_NHD: Tensor, layer: int, *, picked: bool) -> Tensor:
        """Attention of all tokens, or of the picked ones, to what is stored; same shape."""
        ...


class Forward:
    """A `Qwen3ForCausalLM`'s weights as they stand when this is made, and the computation."""

    def __init__(self, model: Any) -> None:
        self.weights = read_weights(model)
        self.device, self.dtype = model.device, model.dtype
        self._rotary = model.model.rotary_emb
        self._cos_T1D = self._sin_T1D = torch.empty(0, device=model.device)

    def __call__(self, tokens_N: Tensor, positions_N: Tensor, reach: int, queries: Queries) -> Tensor:
        """Logits of the picked tokens, (picked, V), float32. All positions are below `reach`."""
        cos_N1D, sin_N1D = self._turns(positions_N, reach)
        x_NC = F.embedding(tokens_N, self.weights.embedding_VC)
        heads, last = self.weights.heads, len(self.weights.layers) - 1
        for index, layer in enumerate(self.weights.layers):
            qk_NHD, value_NKD = self._qkv(layer, x_NC, cos_N1D, sin_N1D)
            queries.store(index, qk_NHD[:, heads:], value_NKD)
            q_NHD, narrow = qk_NHD[:, :heads].contiguous(), index == last and queries.picked is not None
            if narrow:
                x_NC, q_NHD = x_NC[queries.picked], q_NHD[queries.picked]
                if not len(x_NC):
                    break
            x_NC = self._rest(layer, x_NC, queries.attend(q_NHD, index, picked=narrow))
        return _project(self._norm(x_NC, self.weights.norm), self.weights.head).float()

    def _qkv(self, layer: LayerWeights, x_NC: Tensor, cos_N1D: Tensor, sin_N1D: Tensor) -> tuple[Tensor, Tensor]:
        """Queries and keys, normed and turned (N, H + K, D), and values (N, K, D)."""
        weights = self.weights
        both, width = weights.heads + weights.key_heads, weights.head_width
        qkv_NHD = _project(self._norm(x_NC, layer.norm), layer.qkv).view(len(x_NC), -1, width)
        qk_NHD = F.rms_norm(qkv_NHD[:, :both], (width,), None, weights.epsilon) * layer.heads_HKD
        return torch.addcmul(qk_NHD * cos_N1D, qk_NHD.roll(width // 2, -1), sin_N1D), qkv_NHD[:, both:]

    def _rest(self, layer: LayerWeights, x_NC: Tensor, attended_NHD: Tensor) -> Tensor:
        """The layer after attention."""
        x_NC = _project(attended_NHD.flatten(1).to(self.dtype), layer.out).add_(x_NC)
        gate, up = _project(self._norm(x_NC, layer.mlp_norm), layer.gate_up).chunk(2, -1)
        return _project(F.silu(gate).mul_(up), layer.down).add_(x_NC)

    def _norm(self, x_NC: Tensor, weight: Tensor | None) -> Tensor:
        return F.rms_norm(x_NC, x_NC.shape[-1:], weight, self.weights.epsilon)

    def _turns(self, positions_N: Tensor, reach: int) -> tuple[Tensor, Tensor]:
        """RoPE's cosines, and its sines signed so that a roll by D / 2 does the rotation; (N, 1, D)."""
        if len(self._cos_T1D) < reach:
            everywhere = torch.arange(max(reach * 3 // 2, 1024), device=self.device)[None]
            cos, sin = self._rotary(torch.empty(0, dtype=self.dtype, device=self.device), everywhere)
            half = self.weights.head_width // 2
            self._cos_T1D = cos[0][:, None]
            self._sin_T1D = torch.cat([-sin[0, :, :half], sin[0, :, half:]], -1)[:, None]
        return self._cos_T1D[positions_N], self._sin_T1D[positions_N]


def _project(x: Tensor, parts: Parts) -> Tensor:
    if len(parts) == 1:
        return F.linear(x, *parts[0])
    return torch.cat([F.linear(x, weight, bias) for weight, bias in parts], -1)
