"""From conversations to token rows: the prompt of a harness once, then the episodes played under it as branches.

Many episodes share one long prefix (system prompt and tool schemas). A row holds that prefix once and several
branches after it; each branch sees the prefix and itself, at the positions it would have alone, so losses and
log-probabilities are those of separate sequences at a fraction of the cost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import zip_longest
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
    """Which tokens the model said itself; empty if nothing is learnt by label."""


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
            {"type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return data


def flatten(row: Row) -> dict[str, Ids]:
    """A row as three lists of one length: input_ids, labels (-100 where nothing is learnt) and segments.

    Segment 0 is the prefix, 1, 2, ... its branches.
    """
    flat: dict[str, Ids] = {
        "input_ids": list(row.prefix),
        "labels": [-100] * len(row.prefix),
        "segments": [0] * len(row.prefix),
    }
    for number, branch in enumerate(row.branches, 1):
        flat["input_ids"] += branch.ids
        flat["labels"] += [token if said else -100 for token, said in zip_longest(branch.ids, branch.trained)]
        flat["segments"] += [number] * len(branch.ids)
    return flat


def collate(rows: Sequence[Mapping[str, Ids]], pad: int) -> dict[str, Tensor]:
    """Tensors of a batch of flattened rows.

    Returns:
        input_ids_BT, position_ids_BT, labels_BT and segments_BT (-1 at padding).
    """
    length = max(len(row["input_ids"]) for row in rows)
    ids_BT = torch.full((len(rows), length), pad)
    labels_BT = torch.full((len(rows), length), -100)
    segments_BT = torch.full((len(rows), length), -1)
    for b, row in enumerate(rows):
        size = len(row["input_ids"])
        ids_BT[b, :size] = torch.tensor(row["input_ids"])
        labels_BT[b, :size] = torch.tensor(row["labels"])
        segments_BT[b, :size] = torch.tensor(row["segments"])
    return {
        "input_ids": ids_BT,
        "position_ids": positions(segments_BT),
        "labels": labels_BT,
        "segments": segments_BT,
    }


def positions(segments_BT: Tensor) -> Tensor:
    """Positions that each token would have alone with its prefix; (B, T) in and out."""
    index_BT = torch.arange(segments_BT.shape[1]).expand_as(segments_BT)
    prefix_B1 = (segments_BT == 0).sum(1, keepdim=True)
    starts_BT = torch.ones_like(segments_BT, dtype=torch.bool)
    starts_BT[:, 1:] = segments_BT[:, 1:] != segments_BT[:, :-1]
    start_BT = torch.where(starts_BT, index_BT, 0).cummax(1).values
    inside_BT = index_BT - start_BT
    return torch.where(segments_BT > 0, inside_BT + prefix_B1, inside_BT)


def visible(segments_BT: Tensor) -> Tensor:
    """Which keys a query sees, (B, 1, T, T): earlier ones of the prefix and of its own branch; padding sees itself."""
    length = segments_BT.shape[1]
    same_BTT = segments_BT[:, :, None] == segments_BT[:, None, :]
    shared_BTT = (segments_BT == 0)[:, None, :] & (segments_BT >= 0)[:, :, None]
    causal_TT = torch.ones(length, length, dtype=torch.bool).tril()
    return ((same_BTT | shared_BTT) & causal_TT)[:, None]
