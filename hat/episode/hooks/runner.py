"""Fires the hooks of an event in the harness's order; the first that blocks decides, the rest are not asked.

A hook that has blocked `max_triggers` times in the episode is passed over and recorded as exhausted. A hook that fails
itself is recorded as an error and, if `on_error` is closed, blocks: that does not use up its triggers, so a closed
check that is broken stays closed.
"""

from collections.abc import Callable

from hat.episode.hooks import cel, command, http
from hat.episode.hooks.outcome import Allowed, Blocked, Failed, Outcome
from hat.episode.hooks.payload import Payload
from hat.episode.trace import HookRecord
from hat.harness import Hook

CHECKS: dict[str, Callable[[Hook, Payload], Outcome]] = {
    "cel": cel.check,
    "command": command.check,
    "http": http.check,
}
MESSAGE_CHARS = 2000
"""What a hook says is cut to so many characters."""


def fire(payload: Payload) -> str | None:
    """The message of the first hook that blocks (it may be empty), or None if all let pass."""
    for hook in payload.state.prepared.hooks(payload.event, payload.tool_name):
        message = _ask(hook, payload)
        if message is not None:
            return message
    return None


def _ask(hook: Hook, payload: Payload) -> str | None:
    state = payload.state
    if state.triggers.get(hook.name, 0) >= hook.max_triggers:
        state.records.append(HookRecord(hook=hook.name, event=payload.event, outcome="exhausted"))
        return None
    outcome = CHECKS[hook.kind](hook, payload)
    if isinstance(outcome, Allowed):
        return None
    if isinstance(outcome, Failed):
        cause = outcome.cause[:MESSAGE_CHARS]
        state.records.append(HookRecord(hook=hook.name, event=payload.event, outcome="error", message=cause))
        return payload.text(hook.message) if hook.on_error == "closed" else None
    message = _said(hook, payload, outcome)
    state.triggers[hook.name] = state.triggers.get(hook.name, 0) + 1
    state.records.append(HookRecord(hook=hook.name, event=payload.event, outcome="blocked", message=message))
    return message


def _said(hook: Hook, payload: Payload, outcome: Blocked) -> str:
    return (outcome.message or payload.text(hook.message))[:MESSAGE_CHARS]
