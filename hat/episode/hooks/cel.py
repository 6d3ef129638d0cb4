"""CEL hooks: evaluated in this process, because CEL always ends, has no side effects and sees only the payload.

`Hook.timeout` does not bind them. A walk over a list takes microseconds; three nested over 400 numbers a minute.
"""

from functools import lru_cache

import cel

from hat.episode.hooks.outcome import ALLOWED, Blocked, Failed, Outcome
from hat.episode.hooks.payload import NAMES, Payload
from hat.harness import Hook

BLOCKED = Blocked()


@lru_cache(maxsize=1024)
def compiled(expression: str) -> tuple[cel.Program, tuple[str, ...]]:
    """The program and the payload names that it reads.

    Raises:
        ValueError: it does not parse.
    """
    program = cel.compile(expression)
    used = set(program.variables())
    return program, tuple(name for name in NAMES if name in used)


def check(hook: Hook, payload: Payload) -> Outcome:
    """Blocks if the expression is true; fails if it does not evaluate to a boolean."""
    if hook.when is None:
        return Failed("no expression: give `when`")
    try:
        program, names = compiled(hook.when)
        verdict = program.execute({name: NAMES[name](payload) for name in names})
    except Exception as error:  # the boundary "hook": whatever an author's expression does wrong
        return Failed(f"{type(error).__name__}: {error}")
    if verdict is True:
        return BLOCKED
    return ALLOWED if verdict is False else Failed(f"`when` gives {verdict!r}, not true or false")
