"""The agent loop, its records and its policies."""

from hat.episode.chat import ChatRequest, ChatResponse, Message, Policy, PolicyError, ToolCall, Usage
from hat.episode.drive import run_episodes
from hat.episode.environment import Environment, Fault, ToolError
from hat.episode.loop import Episode, episode, play, run_episode
from hat.episode.replay import replay
from hat.episode.situation import Situation, opening_messages, user_message
from hat.episode.trace import CallRecord, HookRecord, Trace
from hat.episode.trace_file import TraceFileError, read_traces, write_traces

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
    "TraceFileError",
    "Usage",
    "episode",
    "opening_messages",
    "play",
    "read_traces",
    "replay",
    "run_episode",
    "run_episodes",
    "user_message",
    "write_traces",
]
