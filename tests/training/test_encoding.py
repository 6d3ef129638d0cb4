"""Rows: what a branch sees is what it would see alone, and only the assistant's words are learnt."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from hat.episode import Trace
from hat.harness import tool_schemas
from hat.training.attention import attend, layout_of
from hat.training.dataset import load_rows
from hat.training.encoding import Branch, Row, collate, encode_branch, encode_prefix, flatten, visible
from hat.training.files import read_harnesses, read_lines
from hat.training.logprobs import completion_logprobs
from hat.training.loss import hidden_at, next_token_loss


def _row(rng: Random, branches: int) -> Row:
    def ids(low: int, high: int) -> list[int]:
        return [rng.randrange(300, 4000) for _ in range(rng.randint(low, high))]

    made = []
    for _ in range(branches):
        branch = ids(3, 12)
        made.append(Branch(branch, [False, *(rng.random() < 0.5 for _ in branch[1:])]))
    return Row(ids(4, 9), made)


@pytest.mark.parametrize("ours", [True, False], ids=["shared prompt", "dense mask"])
def test_packed_branches__give_the_states_of_separate_sequences(
    toy: Any, ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hat.training.loss.pluggable", lambda _: ours)
    rows = [_row(Random(seed), branches=3) for seed in range(3)]
    batch = collate([flatten(row) for row in rows], pad=0)
    places = (batch["segments"] > 0).nonzero(as_tuple=True)
    packed = hidden_at(toy, batch, *places)
    alone = [
        toy.model(input_ids=torch.tensor([row.prefix + branch.ids])).last_hidden_state[0, len(row.prefix) :]
        for row in rows
        for branch in row.branches
    ]
    torch.testing.assert_close(packed, torch.cat(alone), atol=1e-5, rtol=1e-4)
    assert toy.config._attn_implementation == "sdpa"


def test_a_batch_at_once__is_rows_one_by_one(toy: Any) -> None:
    segments = torch.tensor([[0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 2, -1, -1, -1, -1]])
    torch.manual_seed(0)
    query, key, value = (torch.randn(2, 2, 8, 4) for _ in range(3))
    got = attend(query, key, value, layout_of(segments))
    wanted = scaled_dot_product_attention(query, key, value, attn_mask=visible(segments))
    real = (segments >= 0)[:, None, :, None].expand_as(got)
    torch.testing.assert_close(got[real], wanted[real])


def test_loss__is_that_of_separate_sequences(toy: Any) -> None:
    row = _row(Random(9), branches=4)
    loss, _ = next_token_loss(toy, collate([flatten(row)], pad=0))
    total, count = 0.0, 0
    for branch in row.branches:
        ids = row.prefix + branch.ids
        logps = toy(input_ids=torch.tensor([ids])).logits[0].log_softmax(-1)
        for place, said in enumerate(branch.trained, len(row.prefix)):
            if said:
                total -= logps[place - 1, ids[place]].item()
                count += 1
    assert loss.item() == pytest.approx(total / count, rel=1e-4)


def test_completion_logprobs__equal_a_forward_of_each_sequence(toy: Any) -> None:
    rng = Random(1)
    prompts = [[rng.randrange(300, 4000) for _ in range(6)] for _ in range(2)]
    order = [prompts[0], prompts[1], prompts[0], prompts[0], prompts[1]]
    completions = [[rng.randrange(300, 4000) for _ in range(rng.randint(1, 7))] for _ in order]
    logps, entropies = completion_logprobs(toy, order, completions, temperature=0.7, most_tokens=18)
    for prompt, completion, got, entropy in zip(order, completions, logps, entropies, strict=True):
        logits = toy(input_ids=torch.tensor([prompt + completion])).logits[0, len(prompt) - 1 : -1] / 0.7
        wanted = torch.distributions.Categorical(logits=logits)
        torch.testing.assert_close(got, wanted.log_prob(torch.tensor(completion)), atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(entropy, wanted.entropy(), atol=1e-4, rtol=1e-4)


def test_branch__follows_the_prefix_exactly_as_the_template_writes_both(tokenizer: Any, traces: Path) -> None:
    harnesses = read_harnesses(traces / "harnesses.jsonl")
    for data in read_lines(traces / "traces.jsonl"):
        trace = Trace.model_validate(data)
        tools = tool_schemas(harnesses[trace.harness])
        whole = tokenizer.apply_chat_template(
            [_parsed(m) for m in trace.messages], tools=tools, tokenize=True, return_dict=True
        )["input_ids"]
        branch = encode_branch(tokenizer, trace.messages[1:])
        assert encode_prefix(tokenizer, trace.messages[0], tools) + branch.ids == list(whole)


def test_learnt_tokens__are_the_assistants_words_and_nothing_else(tokenizer: Any, traces: Path) -> None:
    trace = Trace.model_validate(next(read_lines(traces / "traces.jsonl")))
    branch = encode_branch(tokenizer, trace.messages[1:])
    learnt = tokenizer.decode([token for token, said in zip(branch.ids, branch.trained, strict=True) if said])
    spoken = [m for m in trace.messages if m.role == "assistant"]
    assert learnt.count("<|im_end|>") == len(spoken)
    assert trace.reply is not None
    assert trace.reply in learnt
    assert "tool_response" not in learnt
    assert "current_link_id=" not in learnt


def test_rows__share_the_prompt_of_their_harness(tokenizer: Any, traces: Path) -> None:
    rows = load_rows(traces, tokenizer, branches=2)
    assert sum(max(row["segments"]) for row in rows) == 16
    assert all(row["labels"][:5] == [-100] * 5 for row in rows)


def _parsed(message: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        data["tool_calls"] = [{"function": {"name": c.name, "arguments": c.arguments}} for c in message.tool_calls]
    return data
