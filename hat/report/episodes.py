"""Example episodes side by side: the original harness left, the variant right, what differs marked."""

import difflib
import json
from collections import Counter
from html import escape

from hat.report.data import Call, Example, Side


def render_example(example: Example, *, unfolded: bool = False) -> str:
    """One example, folded to the viewer's words and the two verdicts."""
    context = " ".join(f"{key}={value}" for key, value in example.context.items())
    marks = " ".join(_mark(name, side) for name, side in (("original", example.original), ("variant", example.variant)))
    trail = "".join(f"<code>{escape(step)}</code>" for step in example.trail)
    return (
        f'<details class="card example"{" open" if unfolded else ""}><summary>'
        f'<span class="kind">{escape(example.kind)}</span><span class="say" lang="zh">{escape(example.message)}</span>'
        f'<span class="soft">{escape(context)}</span><span class="mark">{marks}</span></summary>'
        f'<div class="tags">{trail}</div><div class="sides">'
        f"{_side('Original harness', example.original, _plain(example.original.prompt))}"
        f"{_side('Variant', example.variant, _difference(example.original.prompt, example.variant.prompt))}"
        "</div></details>"
    )


def _mark(name: str, side: Side) -> str:
    right = side.accuracy == 1
    style = "" if side.effectiveness == 1 or not right else f", style {side.effectiveness:g}"
    return f'<span class="{"ok" if right else "no"}">{"✓" if right else "✗"} {name}{style}</span>'


def _side(title: str, side: Side, prompt: str) -> str:
    calls = "".join(f"<li>{_call(call)}</li>" for call in side.calls)
    listed = f'<ol class="calls">{calls}</ol>' if calls else '<p class="soft">none</p>'
    counted = Counter(side.hooks).items()
    hooks = "".join(f"<li>{escape(hook)}{f', {times} times' if times > 1 else ''}</li>" for hook, times in counted)
    problems = "".join(f"<li>{escape(problem)}</li>" for problem in side.problems)
    reply = escape(side.reply) if side.reply is not None else "(no reply)"
    return (
        f'<section class="side"><h3>{title}</h3>'
        f"<h4>Calls</h4>{listed}"
        f"{f'<h4>Hooks</h4><ul>{hooks}</ul>' if hooks else ''}"
        f'<h4>Reply</h4><div class="reply{"" if side.accuracy == 1 else " bad"}" lang="zh">{reply}</div>'
        f'<p class="soft">accuracy {side.accuracy:g}, effectiveness {side.effectiveness:g}</p>'
        f"{f'<ul class=soft>{problems}</ul>' if problems else ''}"
        f'<details><summary class="soft">System prompt</summary><pre lang="zh">{prompt}</pre></details></section>'
    )


def _call(call: Call) -> str:
    given = call.arguments
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, separators=(", ", ": "))
    error = f' <span class="no">{escape(call.error)}</span>' if call.error else ""
    return f"<code>{escape(call.name)}{escape(arguments)}</code>{error}"


def _plain(prompt: str) -> str:
    return escape(prompt)


def _difference(before: str, after: str) -> str:
    """The later text, line by line, with what is new marked and what is gone struck."""
    rows = []
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        text = escape(line[2:])
        if line.startswith("+ "):
            rows.append(f"<ins>{text}</ins>")
        elif line.startswith("- "):
            rows.append(f"<del>{text}</del>")
        elif line.startswith("  "):
            rows.append(text)
    return "\n".join(rows)
