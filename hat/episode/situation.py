"""What a viewer's turn starts from, and the messages that say it to the model."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from hat.episode.chat import Message
from hat.harness import Frozen, Harness, render_system


class Situation(Frozen):
    """One viewer turn before anything happened."""

    id: str
    message: str
    """The viewer's words."""
    context: dict[str, Any] = Field(default_factory=dict)
    """Room state that the model is shown, such as current_link_id and time; in this order."""
    history: tuple[tuple[str, str], ...] = ()
    """Earlier turns: the viewer's words, the spoken reply."""


def user_message(context: Mapping[str, Any], message: str) -> Message:
    """Room state on the first line, the viewer's words after it."""
    state = " ".join(f"{key}={value}" for key, value in context.items())
    return Message(role="user", content=f"{state}\n{message}" if state else message)


def opening_messages(harness: Harness, situation: Situation, system: str | None = None) -> list[Message]:
    """System prompt (rendered unless given), earlier turns, and the viewer's message."""
    messages = [Message(role="system", content=render_system(harness) if system is None else system)]
    for viewer, reply in situation.history:
        messages += [Message(role="user", content=viewer), Message(role="assistant", content=reply)]
    return [*messages, user_message(situation.context, situation.message)]
