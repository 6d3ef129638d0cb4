"""Policies: whatever answers a chat request. The in-process model is imported from `transformers_policy` itself."""

from hat.episode.policies.openai import OpenAIPolicy
from hat.episode.policies.recorded import RecordedPolicy

__all__ = ["OpenAIPolicy", "RecordedPolicy"]
