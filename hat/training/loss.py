"""Next-token loss over a batch of rows, with logits only where something is learnt."""

from typing import Any

import torch.nn.functional as F
from torch import Tensor


def next_token_loss(model: Any, batch: dict[str, Tensor]) -> Tensor:
    """Mean negative log-likelihood of the labelled tokens, in nats.

    `batch` comes from `hat.training.encoding.collate`; no branch starts with a labelled token, so the usual shift by one
    never crosses from one branch to the next.
    """
    hidden_BTD = model.model(
        input_ids=batch["input_ids"],
        position_ids=batch["position_ids"],
        attention_mask=batch["attention_mask"],
        use_cache=False,
    ).last_hidden_state
    next_BT = batch["labels"][:, 1:]
    learnt_BT = next_BT >= 0
    logits_NV = model.lm_head(hidden_BTD[:, :-1][learnt_BT])
    return F.cross_entropy(logits_NV, next_BT[learnt_BT])
