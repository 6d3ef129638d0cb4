"""Files as data with lines: YAML, front matter and JSON, read strictly, every value knowing where it stands.

YAML scalars are kept as written (`no`, `1.10` and `2026-11-30` are text) and take their type from the field that they
fill; only a plain `null`, `~` or nothing is None. Anchors, tags and keys given twice are refused.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from hat.harness.text import normal

Path = tuple[str | int, ...]
NULLS = ("", "~", "null", "Null", "NULL")


class DocumentError(Exception):
    """Text that is no document of its kind."""

    def __init__(self, line: int, code: str, message: str) -> None:
        super().__init__(message)
        self.line, self.code, self.message = line, code, message


@dataclass
class Document:
    """Parsed data, the line of every value by path, and the body after the front matter."""

    data: Any
    lines: dict[Path, int] = field(default_factory=dict)
    body: str = ""
    body_line: int = 1
    """Line of the body's first character."""

    def line(self, path: Path) -> int:
        """Line of a value, or of the nearest thing around it that stands in the file."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def body_at(self, text: str) -> int:
        """Line in the file where `text` first stands in the body; the body's first line if nowhere."""
        return self.body_line + self.body.count("\n", 0, max(0, self.body.find(text)))


def parse_yaml(text: str, first_line: int = 1) -> Document:
    """A YAML document whose text starts at `first_line` of its file.

    Raises:
        DocumentError: no YAML, a key given twice, an anchor or a tag.
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False  # aliases are refused below
    try:
        root = yaml.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or "cannot be read"
        raise DocumentError(first_line + (mark.line if mark else 0), "bad_yaml", f"no YAML: {problem}") from error
    except (YAMLError, RecursionError) as error:
        raise DocumentError(first_line, "bad_yaml", f"no YAML: {str(error).splitlines()[0]}") from error
    document = Document(None, {(): first_line})
    if root is not None:
        document.data = _value(root, (), document.lines, first_line, set())
    return document


def _value(node: Node, path: Path, lines: dict[Path, int], first: int, seen: set[int]) -> Any:
    line = first + node.start_mark.line
    lines.setdefault(path, line)
    if id(node) in seen:
        raise DocumentError(line, "bad_yaml", "aliases (*name) are not read here: write the value out")
    seen.add(id(node))
    if not str(node.tag).startswith("tag:yaml.org,2002:") or str(node.tag).startswith("tag:yaml.org,2002:python"):
        raise DocumentError(line, "bad_yaml", f"tag {node.tag} is not read here: remove it")
    if isinstance(node, ScalarNode):
        return None if not node.style and node.value in NULLS else _text(node.value, line)
    if isinstance(node, SequenceNode):
        return [_value(item, (*path, i), lines, first, seen) for i, item in enumerate(node.value)]
    assert isinstance(node, MappingNode)
    return _mapping(node, path, lines, first, seen)


def _mapping(node: MappingNode, path: Path, lines: dict[Path, int], first: int, seen: set[int]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in node.value:
        line = first + key.start_mark.line
        if not isinstance(key, ScalarNode):
            raise DocumentError(line, "bad_yaml", "a key must be text")
        name = _text(key.value, line)
        if name in data:
            raise DocumentError(line, "duplicate_key", f"key {name!r} is given twice: keep one")
        lines[(*path, name)] = line
        data[name] = _value(value, (*path, name), lines, first, seen)
    return data


def _text(value: str, line: int) -> str:
    """Text in normal form, since escapes can undo what was done to the file."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise DocumentError(line, "bad_encoding", f"{value!r} holds half a character: write the whole one")
    return normal(value)


def parse_front_matter(text: str, required: bool) -> Document:
    """Front matter between `---` lines, and the body after it.

    Raises:
        DocumentError: as `parse_yaml`; front matter that is missing though required, or not closed.
    """
    match = re.match(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", text, re.DOTALL | re.MULTILINE)
    if match is None:
        if text.startswith("---") or required:
            raise DocumentError(1, "no_front_matter", "front matter is missing: start with a line ---, end it with ---")
        document, end = Document({}, {(): 1}), 0
    else:
        document, end = parse_yaml(match[1], 2), match.end()
        document.data = {} if document.data is None else document.data
    rest = text[end:]
    start = end + len(rest) - len(rest.lstrip())
    document.body = rest.strip()
    document.body_line = text.count("\n", 0, start) + 1
    return document


TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def parse_json(text: str) -> Document:
    """A JSON document.

    Raises:
        DocumentError: no JSON, or a key given twice.
    """
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise DocumentError(error.lineno, "bad_json", f"no JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(1, "bad_json", f"no JSON: {error}") from error
    lines: dict[Path, int] = {}
    _walk(list(_tokens(text)), 0, (), lines)
    return Document(_normal(data), lines)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line, end = 1, 0
    for match in TOKEN.finditer(text):
        line, end = line + text.count("\n", end, match.start()), match.start()
        yield match[0], line


def _normal(value: Any) -> Any:
    if isinstance(value, dict):
        return {normal(key): _normal(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_normal(item) for item in value]
    return normal(value) if isinstance(value, str) else value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _walk(tokens: list[tuple[str, int]], at: int, path: Path, lines: dict[Path, int]) -> int:
    """Note the lines of the value that starts at token `at` of valid JSON; the index after it."""
    opening, line = tokens[at]
    lines.setdefault(path, line)
    if opening not in "{[":
        if opening.startswith('"'):
            _text(json.loads(opening), line)
        return at + 1
    at, index = at + 1, 0
    while tokens[at][0] not in "}]":
        key: str | int = index
        if opening == "{":
            line = tokens[at][1]
            key, at = _text(json.loads(tokens[at][0]), line), at + 2
            if (*path, key) in lines:
                raise DocumentError(line, "duplicate_key", f"key {key!r} is given twice: keep one")
            lines[(*path, key)] = line
        at = _walk(tokens, at, (*path, key), lines)
        at, index = at + (tokens[at][0] == ","), index + 1
    return at + 1
