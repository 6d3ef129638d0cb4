"""Log-probabilities of completions, computed with each prompt once however many completions follow it."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from hat.training.encoding import Branch, Ids, Row, collate, flatten
from hat.training.loss import hidden_at


def completion_logprobs(
    model: Any, prompts: Sequence[Ids], completions: Sequence[Ids], *, temperature: float = 1.0, most_tokens: int = 4096
) -> tuple[list[Tensor], list[Tensor]]:
    """Log-probability and entropy, in nats, of every completion token.

    Args:
        model: a causal language model; gradients flow if they are on.
        prompts: token ids before each completion; equal ones are computed once.
        completions: token ids of each completion.
        temperature: logits are divided by it.
        most_tokens: tokens of one row at most; a prompt with more completions than fit takes several rows.

    Returns:
        Two lists of tensors (T_i,), one a completion.
    """
    rows = _pack(prompts, completions, most_tokens)
    batch = collate(
        [flatten(Row(list(prompt), [Branch(completions[i], []) for i in who])) for prompt, who in rows], pad=0
    )
    row_N, place_N, token_N = _predictors(rows, completions)
    logits_NV = (model.get_output_embeddings()(hidden_at(model, batch, row_N, place_N)) / temperature).log_softmax(-1)
    logps_N = logits_NV.gather(1, token_N[:, None]).squeeze(1)
    with torch.no_grad():
        entropy_N = -(logits_NV.exp() * logits_NV).sum(-1)
    order = [i for _, who in rows for i in who]
    sizes = [len(completions[i]) for i in order]
    back = sorted(range(len(order)), key=order.__getitem__)
    logps, entropies = logps_N.split(sizes), entropy_N.split(sizes)
    return [logps[k] for k in back], [entropies[k] for k in back]


Packed = list[tuple[Ids, list[int]]]
"""Rows: a prompt and which completions follow it."""


def _pack(prompts: Sequence[Ids], completions: Sequence[Ids], most_tokens: int) -> Packed:
    by_prompt: dict[tuple[int, ...], list[int]] = {}
    for i, prompt in enumerate(prompts):
        by_prompt.setdefault(tuple(prompt), []).append(i)
    rows: Packed = []
    for shared, members in by_prompt.items():
        size = most_tokens + 1
        for i in members:
            if size + len(completions[i]) > most_tokens:
                rows.append((list(shared), []))
                size = len(shared)
            rows[-1][1].append(i)
            size += len(completions[i])
    return rows


def _predictors(rows: Packed, completions: Sequence[Ids]) -> tuple[Tensor, Tensor, Tensor]:
    """Of every completion token: its row, the place that predicts it (for a first one the prompt's last), itself."""
    row_N, place_N, token_N = [], [], []
    for b, (prompt, members) in enumerate(rows):
        start = len(prompt)
        for i in members:
            ids = completions[i]
            row_N += [b] * len(ids)
            place_N += [len(prompt) - 1, *range(start, start + len(ids) - 1)]
            token_N += ids
            start += len(ids)
    return torch.tensor(row_N), torch.tensor(place_N), torch.tensor(token_N)
