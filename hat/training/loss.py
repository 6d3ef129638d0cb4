"""A forward over a batch of rows, and the next-token loss; logits are computed only where something is learnt."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from hat.training.attention import layout_of, pluggable, shared_prompt
from hat.training.encoding import visible


def hidden_at(model: Any, batch: dict[str, Tensor], row_N: Tensor, place_N: Tensor) -> Tensor:
    """The model's last hidden states at some places, (N, D).

    On a CPU rows are run one by one: they are long enough to fill it, and none is padded to another's length.

    Args:
        model: a causal language model.
        batch: from `hat.training.encoding.collate`.
        row_N: rows of the places, ascending.
        place_N: positions in the rows.
    """
    if batch["input_ids"].device.type != "cpu":
        return _forward(model, batch)[row_N, place_N]
    states = []
    for b in sorted(set(row_N.tolist())):
        size = int((batch["segments"][b] >= 0).sum())
        row = {key: value[b : b + 1, :size] for key, value in batch.items()}
        states.append(_forward(model, row)[0, place_N[row_N == b]])
    return torch.cat(states)


def _forward(model: Any, batch: dict[str, Tensor]) -> Tensor:
    """Last hidden states, (B, T, D)."""
    inputs = {"input_ids": batch["input_ids"], "position_ids": batch["position_ids"], "use_cache": False}
    if not pluggable(model):
        masked: Tensor = model.base_model(**inputs, attention_mask=visible(batch["segments"])).last_hidden_state
        return masked
    with shared_prompt(model):
        shared: Tensor = model.base_model(**inputs, layout=layout_of(batch["segments"])).last_hidden_state
        return shared


def next_token_loss(model: Any, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Mean negative log-likelihood of the labelled tokens, in nats, and the share of them that is the likeliest.

    `batch` comes from `hat.training.encoding.collate`; no branch starts with a labelled token, so the usual shift by
    one never crosses from one branch to the next.
    """
    next_BT = batch["labels"][:, 1:]
    row_N, place_N = (next_BT >= 0).nonzero(as_tuple=True)
    logits_NV = model.get_output_embeddings()(hidden_at(model, batch, row_N, place_N))
    wanted_N = next_BT[row_N, place_N]
    with torch.no_grad():
        accuracy = (logits_NV.argmax(-1) == wanted_N).float().mean()
    return cross_entropy(logits_NV, wanted_N), accuracy
