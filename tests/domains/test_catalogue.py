"""A catalogue loads whole, or is refused with every finding, each at its line."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hat.domains.livestream import CatalogueError, load_catalogue
from hat.domains.livestream.domain import EXAMPLES
from hat.domains.livestream.product import Product

EXAMPLE = EXAMPLES / "catalogue.csv"


def rows() -> list[dict[str, Any]]:
    with EXAMPLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, data: list[dict[str, Any]], encoding: str = "utf-8", end: str = "\n") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, list(data[0]), lineterminator=end)
        writer.writeheader()
        writer.writerows(data)
    return path


def findings(path: Path) -> list[tuple[int, str]]:
    with pytest.raises(CatalogueError) as refused:
        load_catalogue(path)
    return [(finding.line, finding.code) for finding in refused.value.findings]


def test_example__sixty_products_in_eight_categories() -> None:
    products = load_catalogue(EXAMPLE)
    assert len(products) == 60
    assert len(Counter(product.category for product in products)) == 8
    assert sum(bool(product.size_table) for product in products) >= 12
    assert all(product.title_en and product.variants_en for product in products)


def test_example__words_find_one_product_each() -> None:
    products = load_catalogue(EXAMPLE)
    for product in products:
        assert [p.title for p in products if product.keyword in p.title] == [product.title]
        assert [p.title_en for p in products if product.keyword_en in p.title_en] == [product.title_en]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv__byte_order_mark_and_line_ends_do_not_matter(tmp_path: Path, encoding: str, end: str) -> None:
    assert load_catalogue(write(tmp_path / "c.csv", rows(), encoding, end)) == load_catalogue(EXAMPLE)


def test_jsonl__same_products(tmp_path: Path) -> None:
    products = load_catalogue(EXAMPLE)
    lines = [product.model_dump_json(exclude_defaults=True) for product in products]
    path = tmp_path / "c.jsonl"
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    assert load_catalogue(path) == products


def test_optional_columns__may_be_left_out(tmp_path: Path) -> None:
    needed = [name for name, field in Product.model_fields.items() if field.is_required()]
    path = write(tmp_path / "c.csv", [{name: row[name] for name in needed} for row in rows()[:3]])
    assert [product.title_en for product in load_catalogue(path)] == ["", "", ""]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"price": "-1"}, "bad_value"),
        ({"price": "cheap"}, "bad_value"),
        ({"price": "inf"}, "bad_value"),
        ({"price": "nan"}, "bad_value"),
        ({"price": ""}, "missing_value"),
        ({"link_id": "0"}, "bad_value"),
        ({"link_id": "2"}, "doubled_link_id"),
        ({"link_id": "1.5"}, "bad_value"),
        ({"variants": "{M: 3}"}, "bad_json"),
        ({"variants": "[3]"}, "bad_value"),
        ({"variants": "{}"}, "bad_value"),
        ({"variants": '{"M": -3}'}, "bad_value"),
        ({"size_table": '[["M", 160]]'}, "missing_value"),
        ({"original_price": "1"}, "inconsistent"),
        ({"coupon_threshold": "1"}, "inconsistent"),
        ({"keyword": "飞机"}, "inconsistent"),
        ({"variants_en": '["one"]'}, "inconsistent"),
        ({"ends_at": "25:00"}, "bad_value"),
        ({"freight_insurance": "maybe"}, "bad_value"),
    ],
)
def test_bad_cell__one_finding_on_its_line(tmp_path: Path, change: dict[str, str], code: str) -> None:
    data = rows()[:5]
    data[2] |= change
    assert findings(write(tmp_path / "c.csv", data)) == [(4, code)]


def test_many_faults__all_at_once(tmp_path: Path) -> None:
    data = rows()[:6]
    data[0] |= {"price": "-5", "weight_g": "heavy"}
    data[1] |= {"variants": "not json", "days": "-1"}
    data[4] |= {"link_id": data[5]["link_id"]}
    data[3] |= {"link_id": f"0{data[0]['link_id']}"}
    expected = [(2, "bad_value"), (2, "bad_value"), (3, "bad_json"), (3, "bad_value")]
    expected += [(5, "doubled_link_id"), (7, "doubled_link_id")]
    assert findings(write(tmp_path / "c.csv", data)) == expected


def test_header__missing_and_unknown_columns_beside_bad_rows(tmp_path: Path) -> None:
    data = [{("cost" if key == "price" else key): value for key, value in row.items()} for row in rows()[:3]]
    data[1]["days"] = "-2"
    assert findings(write(tmp_path / "c.csv", data)) == [(1, "missing_column"), (1, "unknown_column"), (3, "bad_value")]


def test_message__names_object_value_and_fix(tmp_path: Path) -> None:
    data = rows()[:3]
    data[1]["price"] = "-3"
    with pytest.raises(CatalogueError, match=r"c\.csv:3: price '-3': input should be greater than or equal to 0"):
        load_catalogue(write(tmp_path / "c.csv", data))


def test_line__counts_line_breaks_inside_cells(tmp_path: Path) -> None:
    data = rows()[:3]
    data[0]["promotion"] = "两\n行"
    data[1]["price"] = "-3"
    assert findings(write(tmp_path / "c.csv", data)) == [(4, "bad_value")]


@pytest.mark.parametrize(("encoding", "line"), [("gb18030", 2), ("utf-16", 1)])
def test_wrong_encoding__named_with_its_line(tmp_path: Path, encoding: str, line: int) -> None:
    path = write(tmp_path / "c.csv", rows(), encoding)
    assert findings(path) == [(line, "wrong_encoding")]
    with pytest.raises(CatalogueError, match=encoding.upper()):
        load_catalogue(path)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("c.csv", "", [(1, "missing_column")]),
        ("c.csv", EXAMPLE.read_text(encoding="utf-8").split("\n")[0], [(1, "empty")]),
        ("c.csv", EXAMPLE.read_text(encoding="utf-8").split("\n")[0] + "\n1,2\n", [(2, "wrong_length")]),
        ("c.jsonl", "", [(1, "empty")]),
        ("c.jsonl", '[1]\n{"a": \n', [(1, "bad_json"), (2, "bad_json")]),
        ("c.xlsx", "PK", [(1, "wrong_kind")]),
    ],
)
def test_no_catalogue__said_so(tmp_path: Path, name: str, text: str, found: list[tuple[int, str]]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert findings(path) == found


def test_no_file__said_so(tmp_path: Path) -> None:
    assert findings(tmp_path / "none.csv") == [(1, "unreadable")]


def test_jsonl__unknown_key_and_doubled_title(tmp_path: Path) -> None:
    first, second = (product.model_dump(mode="json") for product in load_catalogue(EXAMPLE)[:2])
    second |= {"title": first["title"], "keyword": first["keyword"]}
    path = tmp_path / "c.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in (first, second, first | {"colour": 1})), encoding="utf-8")
    assert findings(path) == [(2, "doubled_title"), (3, "doubled_link_id"), (3, "doubled_title"), (3, "unknown_key")]
