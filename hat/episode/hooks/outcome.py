"""What one hook says of one event: pass, block, or that it failed itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowed:
    """Nothing against it."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """The act must not happen."""

    message: str = ""
    """What the hook itself says; empty: the harness's `Hook.message` is told."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The hook could not judge; `Hook.on_error` decides."""

    cause: str


Outcome = Allowed | Blocked | Failed

ALLOWED = Allowed()
