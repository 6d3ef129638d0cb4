"""Checks of hooks: what each kind needs, regular expressions, CEL expressions, messages."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from hat.harness.checks.payload import FUNCTIONS, PAYLOAD, TEXTS, TYPES
from hat.harness.checks.words import ALIAS, PHRASES, PLACEHOLDER
from hat.harness.findings import Finding
from hat.harness.model import Event, Hook
from hat.harness.reading import Reading, Source

if TYPE_CHECKING:
    import cel

TOOL_EVENTS = frozenset(event for event in get_args(Event) if "ToolUse" in event)
NEEDS = {"cel": "when", "command": "command", "http": "url"}
BOUND = re.compile(r"\.(?:exists|exists_one|all|map|filter)\(\s*([A-Za-z_]\w*)\s*,")
PATTERN = re.compile(r"""matches\(\s*(?:[\w.]+\s*,\s*)?(r?"(?:[^"\\]|\\.)*"|r?'(?:[^'\\]|\\.)*')\s*\)""")


def check_hooks(reading: Reading) -> Iterator[Finding]:
    """Findings of all hooks."""
    limits = {name for section in reading.sections.values() for name in section.limits}
    seen: dict[str, str] = {}
    for name, hook in reading.hooks.items():
        source = reading.sources["hooks"][name]
        yield from check_hook(hook, source, limits)
        for key in hook.rules:
            if (other := seen.setdefault(key, name)) != name:
                message = f"rule {key!r} also stands in hook {other!r}: keep one"
                yield source.at(("rules", key), "duplicate_name", message)


def check_hook(hook: Hook, source: Source, limits: set[str]) -> Iterator[Finding]:
    """Findings of one hook."""
    if not ALIAS.fullmatch(hook.name):
        yield source.at((), "bad_name", f"hook name {hook.name!r}: use 1-64 of a-z A-Z 0-9 _ - as the file's name")
    yield from _fields(hook, source)
    yield from _matcher(hook, source)
    yield from _rules(hook, source)
    for key in PLACEHOLDER.findall(hook.message):
        if key not in PAYLOAD and key not in limits:
            known = ", ".join([*PAYLOAD, *sorted(limits)])
            message = f"{{{key}}} is no key of the payload and no limit: use {known}"
            yield source.at(("message",), "unknown_placeholder", message)
    if hook.kind == "cel" and hook.when:
        yield from check_expression(hook.when, source, limits)


def _fields(hook: Hook, source: Source) -> Iterator[Finding]:
    needed = NEEDS[hook.kind]
    if not getattr(hook, needed):
        yield source.at(("kind",), "missing_key", f"a {hook.kind} hook needs {needed!r}: add it")
    for kind, key in NEEDS.items():
        if key != needed and getattr(hook, key) is not None:
            yield source.at((key,), "unused_key", f"{key!r} is for {kind} hooks, this one is {hook.kind}: remove it")
    if hook.kind == "cel" and not hook.message.strip():
        yield source.at(("message",), "missing_key", "a cel hook needs 'message': say what the model is to do")
    if hook.url is not None and not re.match(r"https?://[^\s/]", hook.url):
        yield source.at(("url",), "bad_value", f"url {hook.url!r}: must begin with http:// or https://")


def _rules(hook: Hook, source: Source) -> Iterator[Finding]:
    if hook.rules and hook.event != "Stop":
        yield source.at(("rules",), "unused_key", f"'rules' is for Stop, this is {hook.event}: remove it")
    for key, phrase in hook.rules.items():
        if key not in PHRASES:
            yield source.at(("rules", key), "unknown_key", f"unknown rule {key!r}: use {' or '.join(PHRASES)}")
        elif not phrase.strip() or phrase not in hook.message:
            message = f"{key} {phrase!r} does not stand in the message: quote it there, so that the model is told"
            yield source.at(("rules", key), "phrase_not_in_message", message)


def _matcher(hook: Hook, source: Source) -> Iterator[Finding]:
    if not hook.matcher:
        return
    if hook.event not in TOOL_EVENTS:
        names = ", ".join(sorted(TOOL_EVENTS))
        yield source.at(("matcher",), "unused_key", f"'matcher' is for {names}, this is {hook.event}: remove it")
    try:
        re.compile(hook.matcher)
    except re.error as error:
        yield source.at(("matcher",), "bad_regex", f"matcher {hook.matcher!r} is no regular expression: {error}")


def check_expression(when: str, source: Source, limits: set[str]) -> Iterator[Finding]:
    """Findings of a CEL expression: syntax, names, functions, patterns, limits, and that it gives true or false."""
    import cel  # a tenth of a second, and only validation needs it

    try:
        program = cel.compile(when)
    except ValueError as error:
        yield source.at(("when",), "bad_cel", f"no CEL: {_reason(error)}")
        return
    bound = set(BOUND.findall(when))
    for name in program.variables():
        if name not in PAYLOAD and name not in TYPES and name not in bound:
            known = ", ".join(PAYLOAD)
            yield source.at(("when",), "unknown_variable", f"unknown variable {name!r}: the payload has {known}")
    for name in program.functions():
        if name not in FUNCTIONS and name not in TYPES and not re.match(r"[_@!-]", name):
            known = ", ".join(sorted(FUNCTIONS))
            yield source.at(("when",), "unknown_function", f"unknown function {name!r}: there are {known}")
    for name in re.findall(r"\blimits\.(\w+)|\blimits\[[\"'](\w+)[\"']\]", when):
        limit = name[0] or name[1]
        if limit not in limits:
            known = ", ".join(sorted(limits))
            yield source.at(("when",), "unknown_limit", f"no prompt section has a limit {limit!r}: there are {known}")
    for name in re.findall(r"\bsize\((\w+)\)|\b(\w+)\.size\(\)", when):
        if (name[0] or name[1]) in TEXTS:
            yield source.at(("when",), "size_of_text", "size() of text counts bytes: use reply_chars for characters")
    yield from _patterns(when, source)
    yield from _result(program, source)


def _reason(error: ValueError) -> str:
    match = re.search(r"ERROR: <input>:(\d+):(\d+): (.*)", str(error))
    return f"column {match[2]}: {match[3]}" if match else str(error).splitlines()[0]


def _patterns(when: str, source: Source) -> Iterator[Finding]:
    import cel

    for literal in PATTERN.findall(when):
        try:
            cel.compile(f'"".matches({literal})').execute({})
        except (ValueError, RuntimeError, TypeError) as error:
            reason = str(error).splitlines()[-1].strip()
            yield source.at(("when",), "bad_regex", f"{literal} is no regular expression: {reason}")


def _result(program: "cel.Program", source: Source) -> Iterator[Finding]:
    """A trial on the neutral payload; one that needs more than that tells nothing."""
    try:
        result = program.execute(PAYLOAD)
    except (ValueError, RuntimeError, TypeError, KeyError):
        return
    if not isinstance(result, bool):
        message = f"gives {type(result).__name__}, not true or false: write a comparison"
        yield source.at(("when",), "not_boolean", message)
