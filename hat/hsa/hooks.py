"""Family 5, hooks: how often they retry, how messages are worded and shaped, hooks that trigger once for no reason.

`UserPromptSubmit` hooks are left alone: their message is what the viewer hears.
"""

import json
from collections.abc import Callable
from random import Random

from hat.harness import Event, Harness, Hook
from hat.hsa.copies import replace
from hat.hsa.operator import Change, Context, Operator, pick

ALWAYS = "true"
"""CEL of a simulated trigger."""
_INPUT: Event = "UserPromptSubmit"
_MAX_TURNS, _MAX_RETRIES, _MAX_TRIGGERS = 64, 16, 8
_EVENTS: tuple[Event, ...] = ("Stop", "PreToolUse")
_SIMULATED = Hook(name="simulated", event="Stop", when=ALWAYS, max_triggers=1)


def vary_retries(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Other numbers of triggers and retries. Simulated triggers keep a retry of their own, and guards stay guards."""
    retries = min(_MAX_RETRIES, 1 + _certain(harness) + int(3 * rng.random()))
    hooks = tuple(
        hook
        if hook.when == ALWAYS or hook.event == _INPUT
        else replace(hook, max_triggers=_triggers(hook, harness.max_retries, retries, rng))
        for hook in harness.hooks
    )
    return Change(replace(harness, hooks=hooks, max_retries=retries), {"max_retries": retries})


def _triggers(hook: Hook, before: int, retries: int, rng: Random) -> int:
    """One to three; more than a reply can be sent back where that was so before (a guard is never passed over)."""
    guard = hook.max_triggers > before
    least = min(retries + 2, _MAX_TRIGGERS) if guard else 1
    most = _MAX_TRIGGERS if guard else 3
    return least + int((most - least + 1) * rng.random())


def reword(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Known messages in other words."""

    def other(hook: Hook) -> str:
        texts = context.wordings.sentences.get(hook.message)
        return pick(texts, rng) if texts else hook.message

    return _each_message(harness, other)


def restructure(harness: Harness, rng: Random, context: Context) -> Change | None:
    """Messages in another shape: a prefix, a bullet, JSON; all of a harness's in the same one."""
    forms = context.wordings.forms
    number = int(rng.random() * (len(forms) + 1))
    if number < len(forms):
        return _each_message(harness, lambda hook: forms[number].replace("{}", hook.message) if hook.message else "")
    return _each_message(harness, lambda hook: _json(hook) if hook.message else "")


def simulate(harness: Harness, rng: Random, context: Context) -> Change | None:
    """One more hook that blocks once with a neutral message; turns and retries grow by one."""
    names = {hook.name for hook in harness.hooks}
    event = pick(_EVENTS, rng)
    name = f"simulated_{event.lower()}"
    if name in names or not context.wordings.retry or harness.max_turns >= _MAX_TURNS:
        return None
    message = pick(context.wordings.retry, rng)
    hook = replace(_SIMULATED, name=name, event=event, message=message)
    retries = min(_MAX_RETRIES, harness.max_retries + 1)
    changed = replace(harness, hooks=(*harness.hooks, hook), max_turns=harness.max_turns + 1, max_retries=retries)
    return Change(changed, {"event": event, "message": message})


def _certain(harness: Harness) -> int:
    """Retries that simulated triggers use up."""
    return sum(hook.max_triggers for hook in harness.hooks if hook.when == ALWAYS and hook.event == "Stop")


def _json(hook: Hook) -> str:
    return json.dumps({"hook": hook.name, "reason": hook.message}, ensure_ascii=False)


def _each_message(harness: Harness, change: Callable[[Hook], str]) -> Change | None:
    hooks, changed = [], []
    for hook in harness.hooks:
        message = hook.message if hook.event == _INPUT else change(hook)
        same = message == hook.message
        hooks.append(hook if same else replace(hook, message=message))
        changed += [] if same else [hook.name]
    return Change(replace(harness, hooks=tuple(hooks)), {"hooks": changed}) if changed else None


OPERATORS = (
    Operator("vary_retries", "hooks", "max_triggers and max_retries", vary_retries),
    Operator("reword_messages", "hooks", "hook messages in other words", reword),
    Operator("restructure_messages", "hooks", "shape of hook messages", restructure),
    Operator("simulate_triggers", "hooks", "a hook that blocks once for no reason is added", simulate),
)
