"""Rules on names and words that several checks share."""

import re

ALIAS = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Names that a model sees: OpenAI's rule, inside MCP's."""
SKILL_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""The Agent Skills specification's rule; 64 characters at most."""
PLACEHOLDER = re.compile(r"\{([a-zA-Z_]\w*)\}", re.ASCII)
"""A number or a payload's value in a text."""
PHRASES = ("opening", "closing")
"""Rules on replies that programs check."""


def one_line(text: str) -> bool:
    """Whether a text fits the line of an index."""
    return len(text.splitlines()) <= 1
