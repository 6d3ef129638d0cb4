"""What the policy samples, against transformers' own forward and generate, on random tiny models."""

import pytest
import torch
from engine_toys import VARIANTS, conversation, conversations, toy_model, toy_tokenizer
from torch import Tensor

from hat.episode.engine import Row, TemperatureSampler
from hat.episode.engine.fallback import GenericBackend
from hat.episode.engine.weights import supported
from hat.episode.policies.transformers_policy import Rollout, TransformersPolicy

TOKENIZER = toy_tokenizer()


def _logits(model: torch.nn.Module, ids: list[int]) -> Tensor:
    return model(torch.tensor([ids])).logits[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_greedy__tokens_equal_generate(variant: dict[str, int]) -> None:
    model = toy_model(len(TOKENIZER), **variant)
    rollouts = TransformersPolicy(model, TOKENIZER, max_new_tokens=20).drive(conversations(6))
    for rollout in rollouts:
        first = _first_answer(rollout)
        out = model.generate(
            torch.tensor([rollout.prompt_ids]),
            max_new_tokens=20,
            do_sample=False,
            eos_token_id=TOKENIZER.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"]),
            pad_token_id=0,
        )
        assert first == out[0, len(rollout.prompt_ids) :].tolist()


def _first_answer(rollout: Rollout) -> list[int]:
    mask = [*rollout.completion_mask, 0]
    return rollout.completion_ids[: mask.index(0)]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_batched__equals_one_by_one(temperature: float) -> None:
    model = toy_model(len(TOKENIZER))
    options = {"max_new_tokens": 16, "temperature": temperature, "seed": 3}
    together, small = (
        TransformersPolicy(model, TOKENIZER, max_batch=batch, **options).drive(conversations(9, systems=3))
        for batch in (64, 1)
    )
    assert [r.completion_ids for r in together] == [r.completion_ids for r in small]
    assert len({tuple(r.completion_ids) for r in together}) > 4


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_logps__equal_teacher_forcing(temperature: float, *, fast: bool) -> None:
    model = toy_model(len(TOKENIZER), bias=True)
    policy = TransformersPolicy(model, TOKENIZER, max_new_tokens=16, temperature=temperature, max_batch=4)
    policy._fast = fast
    for rollout in policy.drive(conversations(7)):
        ids = rollout.prompt_ids + rollout.completion_ids
        logps = (_logits(model, ids) / (temperature or 1)).log_softmax(-1)[:-1].gather(1, torch.tensor(ids)[1:, None])
        start, mask = len(rollout.prompt_ids) - 1, torch.tensor(rollout.completion_mask)
        expected = logps[start:, 0] * mask
        torch.testing.assert_close(torch.tensor(rollout.logps), expected, atol=1e-4, rtol=0)


def test_fallback__plays_the_same_greedy_episodes() -> None:
    model = toy_model(len(TOKENIZER))
    fast, slow = (TransformersPolicy(model, TOKENIZER, max_new_tokens=16, max_batch=5) for _ in range(2))
    slow._fast = False
    expected = [r.completion_ids for r in fast.drive(conversations(11))]
    assert [r.completion_ids for r in slow.drive(conversations(11))] == expected


def test_fallback__recurrent_models_are_refused() -> None:
    model = toy_model(len(TOKENIZER))
    model.config.layer_types = ["linear_attention"] * 3
    assert not supported(model)
    with pytest.raises(ValueError, match=r"recurrent state \(linear_attention"):
        GenericBackend(model)


def test_weights__are_read_anew_for_every_call() -> None:
    model = toy_model(len(TOKENIZER))
    policy = TransformersPolicy(model, TOKENIZER, max_new_tokens=12)
    before = policy.drive(conversations(3))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(-0.5)
    fresh = TransformersPolicy(model, TOKENIZER, max_new_tokens=12).drive(conversations(3))
    after = policy.drive(conversations(3))
    assert [r.completion_ids for r in after] == [r.completion_ids for r in fresh]
    assert [r.completion_ids for r in after] != [r.completion_ids for r in before]


def test_drive__leaves_a_training_model_in_training() -> None:
    model = toy_model(len(TOKENIZER)).train()
    TransformersPolicy(model, TOKENIZER, max_new_tokens=4).drive(conversations(2))
    assert model.training
    model(torch.tensor([[1, 2, 3]])).logits.sum().backward()
    assert model.model.layers[0].self_attn.q_proj.weight.grad is not None


def test_seed__repeats_a_policy_and_calls_of_one_differ() -> None:
    model = toy_model(len(TOKENIZER))

    def two_calls(seed: int) -> list[list[int]]:
        policy = TransformersPolicy(model, TOKENIZER, max_new_tokens=16, temperature=1.0, seed=seed)
        return [policy.drive(conversations(2))[1].completion_ids for _ in range(2)]

    assert two_calls(1) == two_calls(1)
    assert two_calls(1)[0] != two_calls(2)[0]
    assert two_calls(1)[0] != two_calls(1)[1]


def test_sampler__draws_as_often_as_the_probabilities_say() -> None:
    request = next(conversation("x", []))
    rows = [Row(i, conversation("x", []), request, [], 0) for i in range(4000)]
    logits_V = torch.tensor([1.0, float("-inf"), 0.0, 2.0, float("-inf")])
    tokens, logps = TemperatureSampler(0.5, seed=1)(logits_V.expand(4000, -1), rows)
    expected_V = (logits_V / 0.5).softmax(-1)
    frequency_V = torch.tensor(tokens).bincount(minlength=5) / 4000
    assert ((frequency_V - expected_V).abs() <= 4 * (expected_V * (1 - expected_V) / 4000).sqrt()).all()
    torch.testing.assert_close(torch.tensor(logps), expected_V.log()[tokens])
