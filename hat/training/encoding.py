"""From conversations to token rows: the prompt of a harness once, then the episodes played under it as branches.

Many episodes share one long prefix (system prompt and tool schemas). A row holds that prefix once and several branches after
it; each branch sees the prefix and itself, at the positions it would have alone, so losses and log-probabilities are those
of separate sequences at a fraction of the cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import torch
from torch import Tensor

from hat.episode import Message

Ids = list[int]


@dataclass
class Branch:
    """One episode after the shared prefix."""

    ids: Ids
    trained: list[bool]
    """Which tokens the model said itself."""


@dataclass
class Row:
    """A prefix and its branches."""

    prefix: Ids
    branches: list[Branch] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.prefix) + sum(len(branch.ids) for branch in self.branches)


@cache
def training_template() -> str:
    """TRL's `qwen3_instruct_2507` template with the marks that tell which tokens the assistant said."""
    return (files("trl") / "chat_templates" / "qwen3_instruct_2507_training.jinja").read_text(encoding="utf-8")


def encode_prefix(tokenizer: Any, system: Message, tools: Sequence[dict[str, Any]]) -> Ids:
    """Token ids of the system prompt with its tools."""
    text = tokenizer.apply_chat_template([system.to_openai()], tools=list(tools) or None, tokenize=False)
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def encode_branch(tokenizer: Any, messages: Sequence[Message]) -> Branch:
    """Token ids of what follows the system prompt, and which of them the assistant said."""
    encoded = tokenizer.apply_chat_template(
        [_template_form(message) for message in messages],
        chat_template=training_template(),
        return_assistant_tokens_mask=True,
        return_dict=True,
    )
    return Branch(list(encoded["input_ids"]), [bool(flag) for flag in encoded["assistant_masks"]])


def _template_form(message: Message) -> dict[str, Any]:
    """A message with parsed arguments, as the template writes them."""
    data: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        data["tool_calls"] = [
            {"type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in message.tool_calls
        ]
    return data


def collate(rows: Sequence[Row], pad: int) -> dict[str, Tensor]:
    """Tensors of a batch of rows.

    Returns:
        input_ids_BT, position_ids_BT, labels_BT (-100 where nothing is learnt) and attention_mask_B1TT (boolean, True: sees).
    """
    length = max(len(row) for row in rows)
    ids_BT = torch.full((len(rows), length), pad)
    positions_BT = torch.zeros((len(rows), length), dtype=torch.long)
    labels_BT = torch.full((len(rows), length), -100)
    owner_BT = torch.full((len(rows), length), -1)
    for b, row in enumerate(rows):
        start = len(row.prefix)
        ids_BT[b, :start] = torch.tensor(row.prefix)
        positions_BT[b, :start] = torch.arange(start)
        owner_BT[b, :start] = 0
        for number, branch in enumerate(row.branches, 1):
            stop = start + len(branch.ids)
            ids_T, trained_T = torch.tensor(branch.ids), torch.tensor(branch.trained)
            ids_BT[b, start:stop] = ids_T
            positions_BT[b, start:stop] = len(row.prefix) + torch.arange(len(branch.ids))
            labels_BT[b, start:stop] = torch.where(trained_T, ids_T, -100)
            owner_BT[b, start:stop] = number
            start = stop
    return {
        "input_ids": ids_BT,
        "position_ids": positions_BT,
        "labels": labels_BT,
        "attention_mask": _visible(owner_BT),
    }


def _visible(owner_BT: Tensor) -> Tensor:
    """Causal, and only within the prefix or the token's own branch; padding sees itself."""
    length = owner_BT.shape[1]
    same_BTT = owner_BT[:, :, None] == owner_BT[:, None, :]
    shared_BTT = (owner_BT == 0)[:, None, :] & (owner_BT >= 0)[:, :, None]
    causal_TT = torch.ones(length, length, dtype=torch.bool).tril()
    return ((same_BTT | shared_BTT) & causal_TT)[:, None]
