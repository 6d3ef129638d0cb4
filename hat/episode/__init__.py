"""The agent loop, its records and its policies."""

from hat.episode.chat import ChatRequest, ChatResponse, Message, Policy, PolicyError, ToolCall, Usage
from hat.episode.environment import Environment, Fault, ToolError
from hat.episode.loop import Episode, Situation, episode, opening_messages, run_episode, user_message
from hat.episode.trace import CallRecord, HookRecord, Trace

__all__ = [
    "CallRecord",
    "ChatRequest",
    "ChatResponse",
    "Environment",
    "Episode",
    "Fault",
    "HookRecord",
    "Message",
    "Policy",
    "PolicyError",
    "Situation",
    "ToolCall",
    "ToolError",
    "Trace",
    "Usage",
    "episode",
    "opening_messages",
    "run_episode",
    "user_message",
]
