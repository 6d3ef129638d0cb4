"""Command hooks: a program gets the payload as JSON on stdin; exit 0 lets pass, 2 blocks with stderr as the message.

The convention is the one that agent tools share, so a hook written for another agent runs here; a JSON verdict on
stdout (`{"decision": "block", "reason": ...}` or `hookSpecificOutput.permissionDecision: deny`) is understood as well.
Any other exit code, and a timeout, is a failure of the hook. The program runs in the sandbox of
`hat.episode.hooks.sandbox`.
"""

import json
from typing import Any

from hat.episode.hooks import sandbox
from hat.episode.hooks.outcome import ALLOWED, Blocked, Failed, Outcome
from hat.episode.hooks.payload import Payload
from hat.harness import Hook

BLOCK = 2
"""Exit code that blocks."""


def check(hook: Hook, payload: Payload) -> Outcome:
    """Runs the program once and reads its verdict."""
    if not hook.command:
        return Failed("no program: give `command`")
    try:
        done = sandbox.run(hook.command, payload.to_json().encode(errors="replace"), hook.timeout)
    except OSError as error:
        return Failed(f"{hook.command[0]}: {error}")
    if done.timed_out:
        return Failed(f"{hook.command[0]}: killed after {hook.timeout} s")
    if done.code == BLOCK:
        return Blocked(done.stderr.strip())
    if done.code != 0:
        return Failed(f"{hook.command[0]}: exit code {done.code}: {done.stderr.strip()[-500:]}")
    reason = _denial(done.stdout)
    return ALLOWED if reason is None else Blocked(reason)


def _denial(stdout: str) -> str | None:
    """The reason of a JSON verdict that blocks; None if there is none, other output being just talk."""
    if not stdout.lstrip().startswith("{"):
        return None
    try:
        answer: Any = json.loads(stdout)
    except (ValueError, RecursionError):
        return None
    if answer.get("decision") in ("block", "deny"):
        return str(answer.get("reason") or "")
    special = answer.get("hookSpecificOutput")
    if isinstance(special, dict) and special.get("permissionDecision") == "deny":
        return str(special.get("permissionDecisionReason") or "")
    return None
