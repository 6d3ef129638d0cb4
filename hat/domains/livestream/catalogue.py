"""A catalogue of linked products from CSV or JSONL: whole and consistent, or refused with all its findings.

CSV: a header row and UTF-8; `variants`, `variants_en` and `size_table` are JSON in a cell. JSONL: one object a line
with the same keys. Unknown columns are refused, so that a misspelt one is not silently without effect.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from hat.domains.livestream.errors import CatalogueError, problems, read_text
from hat.domains.livestream.product import Product
from hat.harness.findings import Finding

JSON_COLUMNS = ("variants", "variants_en", "size_table")
REQUIRED = tuple(name for name, field in Product.model_fields.items() if field.is_required())


class Row(NamedTuple):
    """A line of the file, parsed but not yet checked."""

    line: int
    data: dict[str, Any]


def load_catalogue(path: Path) -> tuple[Product, ...]:
    """The products of a CSV (`.csv`) or JSONL (`.jsonl`) file, in the file's order.

    Raises:
        CatalogueError: the file is no such catalogue; carries all findings with their lines.
    """
    kinds = {".csv": Reader.csv_rows, ".jsonl": Reader.jsonl_rows}
    kind = path.suffix.lower()
    if kind not in kinds:
        words = f"kind {kind!r} is not known; want a .csv or .jsonl file"
        raise CatalogueError(path, [Finding(path.name, 1, "wrong_kind", words)])
    reader = Reader(path)
    rows = list(kinds[kind](reader, read_text(path, CatalogueError)))
    products = list(reader.products(rows))
    reader.unique(rows)
    if not products and not reader.findings:
        reader.find(1, "empty", "no products; add a row for each link")
    if reader.findings:
        raise CatalogueError(path, reader.findings)
    return tuple(product for _, product in products)


class Reader:
    """Reads one file and collects what is wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.findings: list[Finding] = []

    def find(self, line: int, code: str, message: str) -> None:
        """Note one thing to mend."""
        self.findings.append(Finding(self.path.name, line, code, message))

    def csv_rows(self, text: str) -> Iterator[Row]:
        """Rows of a CSV; the header's faults are findings on line 1."""
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            header = [name.strip() for name in next(lines, [])]
            good = self._header_is_good(header)
            line = lines.line_num + 1
            for cells in lines:
                if cells and good:
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
            self.find(1, "unknown_column", f"columns unknown: {', '.join(map(repr, unknown))}; remove or rename them")
        if doubled:
            self.find(1, "doubled_column", f"columns twice: {', '.join(doubled)}; keep one")
        return not doubled

    def _csv_row(self, line: int, header: list[str], cells: list[str]) -> Iterator[Row]:
        if len(cells) != len(header):
            self.find(
                line, "wrong_length", f"{len(cells)} cells, the header has {len(header)}; check commas and quotes"
            )
            return
        filled = {name: cell.strip() for name, cell in zip(header, cells, strict=True) if cell.strip()}
        data: dict[str, Any] = {name: cell for name, cell in filled.items() if name in Product.model_fields}
        for name in JSON_COLUMNS:
            if name in data:
                try:
                    data[name] = json.loads(data[name])
                except json.JSONDecodeError as error:
                    words = f"{name} {data[name]!r} is no JSON: {error.msg} at character {error.pos + 1}"
                    self.find(line, "bad_json", words)
                    data[name] = None
        yield Row(line, data)

    def jsonl_rows(self, text: str) -> Iterator[Row]:
        """Rows of a JSONL file."""
        for line, content in enumerate(text.split("\n"), start=1):
            if not content.strip():
                continue
            try:
                data = json.loads(content)
            except json.JSONDecodeError as error:
                self.find(line, "bad_json", f"no JSON: {error.msg} at character {error.pos + 1}")
                continue
            if isinstance(data, dict):
                yield Row(line, data)
            else:
                self.find(line, "bad_json", f"a {type(data).__name__}; want an object")

    def products(self, rows: Sequence[Row]) -> Iterator[tuple[int, Product]]:
        """The rows that are good on their own."""
        for line, data in rows:
            broken = {finding.message.split(" ")[0] for finding in self.findings if finding.line == line}
            missing_columns = any(finding.code == "missing_column" for finding in self.findings)
            try:
                yield line, Product.model_validate(data)
            except ValidationError as error:
                for code, words in problems(error):
                    known = words.split(" ")[0] in broken or (missing_columns and code == "missing_value")
                    if not known:
                        self.find(line, code, words)

    def unique(self, rows: Sequence[Row]) -> None:
        """Note link ids and titles that stand twice, in rows with other faults too."""
        for field, code in (("link_id", "doubled_link_id"), ("title", "doubled_title")):
            first: dict[str, int] = {}
            for line, data in rows:
                if (value := data.get(field)) is None:
                    continue
                key = str(value).strip()
                key = str(int(key)) if key.isdecimal() else key
                if key in first:
                    shown = key if field == "link_id" else repr(value)
                    self.find(line, code, f"{field} {shown} stands on line {first[key]} already; give it its own")
                first.setdefault(key, line)
