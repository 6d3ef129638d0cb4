"""Batched play of episodes by an in-process model: continuous batching, key-value cache, shared prefixes."""

from hat.episode.engine.loading import ModelDirectoryError, load_model
from hat.episode.engine.rows import Rollout, Row
from hat.episode.engine.sampling import Sampler, TemperatureSampler
from hat.episode.engine.scheduler import Limits, Scheduler

__all__ = [
    "Limits",
    "ModelDirectoryError",
    "Rollout",
    "Row",
    "Sampler",
    "Scheduler",
    "TemperatureSampler",
    "load_model",
]
