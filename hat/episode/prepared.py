"""What the loop derives from a harness, worked out once for each harness object and forgotten with it.

Thousands of variants a second pass through augmentation, so nothing here outlives its harness and every part is made on
first use.
"""

import re
import weakref
from functools import cached_property
from typing import Any

import jsonschema_rs

from hat.harness import LOAD_SKILL, Event, Harness, Hook, digest, render_system, tool_schemas

TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
"""Events at which a hook's matcher is looked at."""
NAME_CHARS = 64
"""Characters of a tool's name that a matcher sees; a model may invent longer ones."""


class Prepared:
    """Rendered prompt, tool schemas, digest, argument validators and sorted hooks of one harness."""

    def __init__(self, harness: Harness) -> None:
        self._harness = weakref.ref(harness)
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self._matched: dict[tuple[Event, str], tuple[Hook, ...]] = {}

    @property
    def harness(self) -> Harness:
        """The harness; whoever plays an episode holds it."""
        harness = self._harness()
        if harness is None:
            raise ReferenceError("the harness of this preparation is gone: prepare(harness) again")
        return harness

    @cached_property
    def system(self) -> str:
        """The system prompt."""
        return render_system(self.harness)

    @cached_property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """OpenAI function tools; not to be changed."""
        return tuple(tool_schemas(self.harness))

    @cached_property
    def digest(self) -> str:
        """The harness's digest."""
        return digest(self.harness)

    def objection(self, name: str, arguments: dict[str, Any]) -> str | None:
        """Why these arguments don't fit the named tool's input schema, in a few words; None if they do.

        Raises:
            ValueError: the schema itself is broken; names the tool.
        """
        validator = self._validators.get(name) or self._compile(name)
        try:
            if validator.is_valid(arguments):
                return None
            first = next(iter(validator.iter_errors(arguments)))
        except (ValueError, RecursionError) as error:
            return f"not JSON: {error}"[:120]
        path = ".".join(str(step) for step in first.instance_path)
        return f"{path}: {first.message}"[:120] if path else first.message[:120]

    def hooks(self, event: Event, tool: str = "") -> tuple[Hook, ...]:
        """Hooks of an event in order; at tool events those whose matcher is empty, `*`, or fits the whole name."""
        key = event, tool
        if (found := self._matched.get(key)) is None:
            found = tuple(hook for hook in self.harness.hooks if hook.event == event and _matches(hook, tool))
            if not tool or tool == LOAD_SKILL or tool in self.harness.tool_by_name:
                self._matched[key] = found
        return found

    def _compile(self, name: str) -> jsonschema_rs.Draft202012Validator:
        schema = next(tool["function"]["parameters"] for tool in self.tools if tool["function"]["name"] == name)
        try:
            validator = jsonschema_rs.Draft202012Validator(schema, offline=True)
        except ValueError as error:
            raise ValueError(f"tool {name!r}: its input schema is no JSON Schema 2020-12: {error}") from error
        self._validators[name] = validator
        return validator


def _matches(hook: Hook, tool: str) -> bool:
    if hook.event not in TOOL_EVENTS or hook.matcher in ("", "*"):
        return True
    try:
        return re.fullmatch(hook.matcher, tool[:NAME_CHARS]) is not None
    except re.error as error:
        raise ValueError(f"hook {hook.name!r}: matcher {hook.matcher!r} is no regular expression: {error}") from error


_CACHE: dict[int, tuple["weakref.ref[Harness]", Prepared]] = {}


def prepare(harness: Harness) -> Prepared:
    """The preparation of this very object; equal harnesses that are different objects are prepared apart."""
    key = id(harness)
    entry = _CACHE.get(key)
    if entry is not None and entry[0]() is harness:
        return entry[1]
    prepared = Prepared(harness)

    def forget(gone: "weakref.ref[Harness]") -> None:
        if (held := _CACHE.get(key)) is not None and held[0] is gone:
            del _CACHE[key]

    _CACHE[key] = weakref.ref(harness, forget), prepared
    return prepared
