"""A Qwen3 model's weights as the engine multiplies by them, read from the transformers module itself.

Small models are packed: query, key and value become one matrix, so do gate and up, and the norms' weights are folded
into the matrices that follow. That is a copy, made anew for every batch of episodes, so that a model in training is
always played as it stands. Larger models are read in place, without a copy.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

PACKED_LIMIT = 64_000_000
"""Parameters up to which a model is packed."""

Parts = tuple[tuple[Tensor, Tensor | None], ...]
"""Matrices (and biases) that are applied to the same input, their outputs side by side."""


@dataclass(frozen=True, slots=True)
class LayerWeights:
    """One decoder layer. H query heads, K key heads, D their width."""

    norm: Tensor | None
    """None: folded into `qkv`."""
    qkv: Parts
    heads_HKD: Tensor  # noqa: N815
    """Norm weights of the query heads (times 1/sqrt(D)) and of the key heads, (H+K, D)."""
    out: Parts
    mlp_norm: Tensor | None
    gate_up: Parts
    down: Parts


@dataclass(frozen=True, slots=True)
class Weights:
    """A whole model."""

    embedding_VC: Tensor  # noqa: N815
    layers: tuple[LayerWeights, ...]
    norm: Tensor | None
    head: Parts
    heads: int
    key_heads: int
    head_width: int
    epsilon: float


def supported(model: nn.Module) -> bool:
    """Whether the fast path computes exactly what this model's own forward does."""
    config: Any = getattr(model, "config", None)
    if type(model).__name__ != "Qwen3ForCausalLM" or config is None:
        return False
    return (
        config.hidden_act == "silu"
        and config.rope_parameters.get("rope_type") == "default"
        and all(kind == "full_attention" for kind in config.layer_types)
        and all(type(m) is nn.Linear for m in model.modules() if hasattr(m, "in_features"))
    )


def read_weights(model: Any) -> Weights:
    """The weights as they stand now. `model` is a `Qwen3ForCausalLM` for which `supported` holds."""
    config = model.config
    packed = model.dtype == torch.float32 and sum(p.numel() for p in model.parameters()) <= PACKED_LIMIT
    norm, head = _fold(model.model.norm.weight, [model.lm_head], packed)
    return Weights(
        embedding_VC=model.model.embed_tokens.weight,
        layers=tuple(_layer(layer, config, packed) for layer in model.model.layers),
        norm=norm,
        head=head,
        heads=config.num_attention_heads,
        key_heads=config.num_key_value_heads,
        head_width=model.model.layers[0].self_attn.head_dim,
        epsilon=config.rms_norm_eps,
    )


def _layer(layer: Any, config: Any, packed: bool) -> LayerWeights:
    attention, mlp = layer.self_attn, layer.mlp
    query = (attention.q_norm.weight * attention.scaling).expand(config.num_attention_heads, -1)
    key = attention.k_norm.weight.expand(config.num_key_value_heads, -1)
    norm, qkv = _fold(layer.input_layernorm.weight, [attention.q_proj, attention.k_proj, attention.v_proj], packed)
    mlp_norm, gate_up = _fold(layer.post_attention_layernorm.weight, [mlp.gate_proj, mlp.up_proj], packed)
    return LayerWeights(
        norm=norm,
        qkv=qkv,
        heads_HKD=torch.cat([query, key]),
        out=_parts([attention.o_proj]),
        mlp_norm=mlp_norm,
        gate_up=gate_up,
        down=_parts([mlp.down_proj]),
    )


def _parts(linears: list[Any]) -> Parts:
    return tuple((linear.weight, linear.bias) for linear in linears)


def _fold(norm: Tensor, linears: list[Any], packed: bool) -> tuple[Tensor | None, Parts]:
    """The norm's weight multiplied into the matrices, and these stacked, if `packed`; both as they are, if not."""
    if not packed:
        return norm, _parts(linears)
    weight = torch.cat([linear.weight for linear in linears]) * norm
    biases = [linear.bias for linear in linears]
    return None, ((weight, None if biases[0] is None else torch.cat(biases)),)
