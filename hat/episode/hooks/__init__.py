"""Checks at five moments of an episode: CEL in this process, commands in a sandbox, HTTP services."""

from hat.episode.hooks.payload import NAMES, Payload
from hat.episode.hooks.runner import fire

__all__ = ["NAMES", "Payload", "fire"]
