"""Next-token loss over a batch of rows, with logits only where something is learnt."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy


def next_token_loss(model: Any, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Mean negative log-likelihood of the labelled tokens, in nats, and the share of them that is the likeliest.

    `batch` comes from `hat.training.encoding.collate`; no branch starts with a labelled token, so the usual shift by
    one never crosses from one branch to the next.
    """
    hidden_BTD = model.base_model(
        input_ids=batch["input_ids"],
        position_ids=batch["position_ids"],
        attention_mask=batch["attention_mask"],
        use_cache=False,
    ).last_hidden_state
    next_BT = batch["labels"][:, 1:]
    learnt_BT = next_BT >= 0
    logits_NV = model.get_output_embeddings()(hidden_BTD[:, :-1][learnt_BT])
    wanted_N = next_BT[learnt_BT]
    with torch.no_grad():
        accuracy = (logits_NV.argmax(-1) == wanted_N).float().mean()
    return cross_entropy(logits_NV, wanted_N), accuracy
