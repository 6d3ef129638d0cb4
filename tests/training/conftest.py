"""A model of a few thousand parameters with the tiny base's tokenizer, and traces for it."""

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from hat.domains.livestream import Livestream
from hat.training import Inputs, TraceConfig, synthesize
from hat.training.base.corpus import identifiers, texts
from hat.training.base.tokenizer import build_tokenizer


@pytest.fixture(scope="session")
def tokenizer() -> Any:
    """The tiny base's tokenizer."""
    return build_tokenizer(identifiers(Livestream().harness()), texts())


@pytest.fixture(scope="session")
def toy(tokenizer: Any) -> Qwen3ForCausalLM:
    """A random Qwen3 of one narrow layer."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        intermediate_size=16,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return Qwen3ForCausalLM(config).eval()


@pytest.fixture(scope="session")
def toy_path(toy: Qwen3ForCausalLM, tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy as a model directory."""
    path = tmp_path_factory.mktemp("toy")
    toy.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Traces of the oracle under eight harness states, two tasks each."""
    out = tmp_path_factory.mktemp("traces")
    synthesize(TraceConfig(harnesses=8, tasks=2, seed=3, original=0.4), Inputs(), out)
    return out
