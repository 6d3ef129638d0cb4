"""A catalogue of linked products from CSV or JSONL: whole and consistent, or refused with all its findings.

CSV: a header row and UTF-8; `variants`, `variants_en` and `size_table` are JSON in a cell. JSONL: one object a line
with the same keys. Unknown columns are refused, so that a misspelt one is not silently without effect.
"""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from hat.domains.livestream.product import Product
from hat.harness.findings import Finding

JSON_COLUMNS = ("variants", "variants_en", "size_table")
REQUIRED = tuple(name for name, field in Product.model_fields.items() if field.is_required())


class CatalogueError(Exception):
    """A catalogue that cannot be used. Carries every finding at once."""

    def __init__(self, path: object, findings: list[Finding]) -> None:
        self.path = str(path)
        self.findings = sorted(findings)
        super().__init__("\n".join([f"{path}: {len(findings)} finding(s)", *map(str, self.findings)]))

    def __reduce__(self) -> tuple[type["CatalogueError"], tuple[str, list[Finding]]]:
        return type(self), (self.path, self.findings)


class Row(NamedTuple):
    """A line of the file, parsed but not yet checked."""

    line: int
    data: dict[str, Any]


class Reader:
    """Collects findings on one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.findings: list[Finding] = []

    def find(self, line: int, code: str, message: str) -> None:
        """Note one thing to mend."""
        self.findings.append(Finding(self.path.name, line, code, message))

    def text(self) -> str:
        """The file's text, or `CatalogueError` if it is none."""
        try:
            raw = self.path.read_bytes()
        except OSError as error:
            raise CatalogueError(self.path, [Finding(self.path.name, 1, "unreadable", str(error))]) from error
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            message = f"byte {raw[error.start]:#04x} is not UTF-8{_guess(raw)}; save the file as UTF-8"
            raise CatalogueError(self.path, [Finding(self.path.name, line, "wrong_encoding", message)]) from error

    def csv_rows(self, text: str) -> Iterator[Row]:
        """Rows of a CSV; the header's faults are findings on line 1."""
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            header = [name.strip() for name in next(lines, [])]
            if not self._header_is_good(header):
                return
            line = lines.line_num + 1
            for cells in lines:
                if cells:
                    yield from self._csv_row(line, header, cells)
                line = lines.line_num + 1
        except csv.Error as error:
            self.find(max(1, lines.line_num), "bad_csv", f"{error}; check the quotes")

    def _header_is_good(self, header: list[str]) -> bool:
        missing = [name for name in REQUIRED if name not in header]
        unknown = [name for name in header if name not in Product.model_fields]
        doubled = sorted({name for name in header if header.count(name) > 1})
        if missing:
            self.find(1, "missing_column", f"columns missing: {', '.join(missing)}; add them to the header")
        if unknown:
            self.find(1, "unknown_column", f"unknown columns: {', '.join(map(repr, unknown))}; remove or rename them")
        if doubled:
            self.find(1, "doubled_column", f"columns twice: {', '.join(doubled)}; keep one")
        return not (missing or unknown or doubled)

    def _csv_row(self, line: int, header: list[str], cells: list[str]) -> Iterator[Row]:
        if len(cells) != len(header):
            self.find(line, "wrong_length", f"{len(cells)} cells, the header has {len(header)}")
            return
        data: dict[str, Any] = {name: cell.strip() for name, cell in zip(header, cells, strict=True) if cell.strip()}
        for name in JSON_COLUMNS:
            if name in data:
                try:
                    data[name] = json.loads(data[name])
                except json.JSONDecodeError as error:
                    self.find(line, "bad_json", f"{name} {data.pop(name)!r} is no JSON: {error.msg} at {error.pos}")
                    return
        yield Row(line, data)

    def jsonl_rows(self, text: str) -> Iterator[Row]:
        """Rows of a JSONL file."""
        for line, content in enumerate(text.split("\n"), start=1):
            if not content.strip():
                continue
            try:
                data = json.loads(content)
            except json.JSONDecodeError as error:
                self.find(line, "bad_json", f"no JSON: {error.msg} at column {error.colno}")
                continue
            if isinstance(data, dict):
                yield Row(line, data)
            else:
                self.find(line, "bad_json", f"{type(data).__name__}, want an object")

    def products(self, rows: Iterator[Row]) -> Iterator[tuple[int, Product]]:
        """The rows that are good on their own."""
        for line, data in rows:
            try:
                yield line, Product.model_validate(data)
            except ValidationError as error:
                for problem in error.errors():
                    self.find(line, _code(problem["type"]), _words(problem))

    def unique(self, rows: list[tuple[int, Product]]) -> None:
        """Note link ids and titles that stand twice."""
        for field, code in (("link_id", "doubled_link_id"), ("title", "doubled_title")):
            first: dict[Any, int] = {}
            for line, product in rows:
                value = getattr(product, field)
                if value in first:
                    self.find(line, code, f"{field} {value!r} stands on line {first[value]} already; give it its own")
                first.setdefault(value, line)


def load_catalogue(path: Path) -> tuple[Product, ...]:
    """The products of a CSV (`.csv`) or JSONL (`.jsonl`) file, in the file's order.

    Raises:
        CatalogueError: the file is no such catalogue; carries all findings with their lines.
    """
    reader = Reader(path)
    if path.suffix.lower() not in (".csv", ".jsonl"):
        raise CatalogueError(path, [Finding(path.name, 1, "wrong_kind", f"{path.suffix!r}: want .csv or .jsonl")])
    text = reader.text()
    rows = reader.csv_rows(text) if path.suffix.lower() == ".csv" else reader.jsonl_rows(text)
    products = list(reader.products(rows))
    reader.unique(products)
    if not products and not reader.findings:
        reader.find(1, "empty", "no products; add a row for each link")
    if reader.findings:
        raise CatalogueError(path, reader.findings)
    return tuple(product for _, product in products)


def _guess(raw: bytes) -> str:
    try:
        raw.decode("gb18030")
    except UnicodeDecodeError:
        return ""
    return " (it reads as GB18030)"


def _code(kind: str) -> str:
    return {"missing": "missing_column", "extra_forbidden": "unknown_column", "value_error": "inconsistent"}.get(
        kind, "bad_value"
    )


def _words(problem: Any) -> str:
    place = ".".join(str(step) for step in problem["loc"] if step not in ("int", "float"))
    if not place:
        return str(problem["msg"]).removeprefix("Value error, ")
    given = "" if problem["type"] == "missing" else f" {problem['input']!r}"
    return f"{place}{given}: {problem['msg'][0].lower()}{problem['msg'][1:]}"
