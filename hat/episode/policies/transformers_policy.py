"""The in-process policy: a transformers model that plays many episodes at once. Rollouts of training and evaluation.

A `Qwen3ForCausalLM` takes the fast path (`hat.episode.engine.qwen3`); any other causal model its own forward. Weights
are read anew for every call, so a model in training is played as it stands. Threads are left to the caller
(`OMP_NUM_THREADS`).
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Self

import torch

from hat.episode.chat import ChatRequest, ChatResponse
from hat.episode.engine import Limits, Rollout, Sampler, Scheduler, TemperatureSampler, load_model
from hat.episode.engine.backend import Backend
from hat.episode.engine.fallback import GenericBackend
from hat.episode.engine.qwen3 import Qwen3Backend
from hat.episode.engine.template import ChatFormat
from hat.episode.engine.weights import supported
from hat.episode.loop import Episode

__all__ = ["Rollout", "TransformersPolicy"]


class TransformersPolicy:
    """A model and its tokenizer as a `Policy`, one request at a time (`chat`) or many episodes at once (`drive`)."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        max_new_tokens: int = 96,
        temperature: float = 0.0,
        seed: int = 0,
        max_batch: int = 64,
        max_context: int | None = None,
        name: str = "transformers",
    ) -> None:
        """Wrap a model.

        Args:
            model: a causal language model of transformers; not copied, not changed.
            tokenizer: its tokenizer, with a chat template.
            max_new_tokens: bound of one answer, tokens.
            temperature: 0 is greedy.
            seed: two policies with the same seed draw the same; each call of one policy draws anew.
            max_batch: rows played at once.
            max_context: bound of one episode, tokens; None: what the model was made for.
            name: what traces call it.

        Raises:
            ValueError: no chat template, a negative temperature, or a bound that is not positive.
        """
        longest = int(getattr(model.config, "max_position_embeddings", 0) or 2**31)
        self.limits = Limits(max_new_tokens, min(max_context or longest, longest), max_batch)
        for bound, value in (
            ("max_new_tokens", max_new_tokens),
            ("max_batch", max_batch),
            ("max_context", self.limits.max_context),
        ):
            if value < 1:
                raise ValueError(f"{bound} {value} must be 1 or more")
        if not temperature >= 0:
            raise ValueError(f"temperature {temperature} must be 0 (greedy) or more")
        self.model, self.tokenizer, self.name = model, tokenizer, name
        self.temperature = temperature
        self.format = ChatFormat(tokenizer)
        self._random = Random(seed)
        self._fast = supported(model)

    @classmethod
    def load(cls, path: str | Path, **options: Any) -> Self:
        """The model in a directory, with the constructor's options. Raises `ModelDirectoryError`."""
        model, tokenizer = load_model(path)
        return cls(model, tokenizer, **{"name": Path(path).name, **options})

    def chat(self, request: ChatRequest) -> ChatResponse:
        """One answer. Raises `PolicyError` if the conversation leaves no room for one."""

        def ask() -> Generator[ChatRequest, ChatResponse, Any]:
            return (yield request)

        response: Any = self._play([ask()])[0].trace
        assert isinstance(response, ChatResponse)
        return response

    def drive(self, episodes: Sequence[Episode]) -> list[Rollout]:
        """Play all episodes to their end, together. Rollouts are in the order of the episodes.

        Log-probabilities are those of the distribution sampled from: softmax(logits / temperature); at temperature 0,
        softmax(logits).
        """
        return self._play(episodes)

    def make_sampler(self, seed: int) -> Sampler:
        """The sampler of one call. Tests and benchmarks that must force what is said override this."""
        return TemperatureSampler(self.temperature, seed)

    def _play(self, episodes: Sequence[Any]) -> list[Rollout]:
        sampler = self.make_sampler(self._random.getrandbits(48))
        with torch.inference_mode(), _evaluating(self.model):
            return Scheduler(self._backend(), self.format, sampler, self.limits).play(episodes)

    def _backend(self) -> Backend:
        return Qwen3Backend(self.model) if self._fast else GenericBackend(self.model)


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Dropout off, and each module back as it was."""
    training = [module for module in model.modules() if module.training]
    for module in training:
        module.training = False
    try:
        yield
    finally:
        for module in training:
            module.training = True
