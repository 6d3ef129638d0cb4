"""A frozen snapshot of the room for one task: some linked products, the time, the lottery, as plain JSON data.

A redrawn snapshot keeps what a product is and draws anew what a tool tells about it (link number, price, stock,
material, coupon, delivery, ...), so a model that remembers instead of asking is wrong. It is all that the tools need: a
task carries it, and the environment is rebuilt from the task alone.
"""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

from hat.domains.livestream.product import Product
from hat.domains.livestream.split import Split, ranked

Row = dict[str, Any]
LEAST, MOST = 5, 9
"""Products in a redrawn snapshot."""
ENDS = ("21:30", "22:00", "22:30", "23:00", "23:30")


def localised(product: Product, locale: str) -> Row:
    """A product as the tools tell it in one language."""
    english = not locale.lower().startswith("zh")
    row = {key: _whole(value) for key, value in product.model_dump(mode="json").items()}
    names = row.pop("variants_en")
    if english and names:
        row["variants"] = dict(zip(names, row["variants"].values(), strict=True))
    for key in [key for key in row if key.endswith("_en")]:
        text = row.pop(key)
        if english and text:
            row[key.removesuffix("_en")] = text
    return row


def _whole(value: Any) -> Any:
    """Whole amounts of money as they are said, without `.0`."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def products_of(products: Sequence[Product], split: Split) -> tuple[Product, ...]:
    """A split's products: about a sixth each for dev and test, spread over the categories, the rest train.

    Raises:
        ValueError: fewer than four products, which cannot be told apart by split.
    """
    if len(products) < 4:
        raise ValueError(f"{len(products)} product(s) in the catalogue; tasks in three splits need 4 at least")
    by_title = {product.title: product for product in products}
    categories = sorted({product.category for product in products})
    order = [
        title
        for category in categories
        for title in ranked((p.title for p in products if p.category == category), salt="product")
    ]
    place = {"test": (0,), "dev": (3,), "train": (1, 2, 4, 5)}[split]
    return tuple(by_title[title] for index, title in enumerate(order) if index % 6 in place)


class Redraw:
    """Draws snapshots from a split's products; values come from what the whole catalogue knows."""

    def __init__(self, rows: Sequence[Row], everything: Sequence[Row], prizes: Sequence[str]) -> None:
        self.rows, self.prizes = rows, prizes
        self.materials: defaultdict[str, list[str]] = defaultdict(list)
        self.colors: defaultdict[str, list[str]] = defaultdict(list)
        for row in everything:
            self.materials[row["category"]].append(row["material"])
            self.colors[row["category"]].append(row["color"])
        self.promotions, self.cities, self.carriers = (
            sorted({row[key] for row in everything}) for key in ("promotion", "ship_from", "carrier")
        )

    def __call__(self, rng: Random) -> dict[str, Any]:
        """One snapshot."""
        count = min(len(self.rows), rng.randint(LEAST, MOST))
        links = rng.sample(range(1, 61), count)
        rows = rng.sample(self.rows, count)
        return {
            "time": f"{rng.randint(19, 21)}:{rng.randrange(60):02d}",
            "lottery": {"time": f"22:{rng.randrange(0, 60, 5):02d}", "prize": rng.choice(self.prizes)},
            "products": [self._row(rng, row, link) for row, link in zip(rows, links, strict=True)],
        }

    def _row(self, rng: Random, row: Row, link: int) -> Row:
        price = max(10, int(row["price"] * rng.uniform(0.6, 1.5)))
        off = rng.choice((5, 8, 10, 15, 20, 30, 50))
        category = row["category"]
        return row | {
            "link_id": link,
            "price": round(price - 0.1, 1) if rng.random() < 0.15 else price,
            "original_price": price + rng.randint(10, 90),
            "promotion_price": price - rng.randint(1, 9),
            "material": rng.choice(self.materials[category]),
            "color": rng.choice(self.colors[category]),
            "weight_g": max(20, int(row["weight_g"] * rng.uniform(0.7, 1.4)) // 10 * 10),
            "variants": {name: rng.randint(2, 99) for name in row["variants"]},
            "coupon_amount": off,
            "coupon_threshold": off * rng.randint(3, 9),
            "promotion": rng.choice(self.promotions),
            "ends_at": rng.choice(ENDS),
            "ship_from": rng.choice(self.cities),
            "days": rng.randint(1, 7),
            "carrier": rng.choice(self.carriers),
            "return_days": rng.choice((7, 10, 15, 30)),
            "warranty_months": rng.choice((3, 6, 12, 18, 24)),
            "freight_insurance": rng.random() < 0.6,
        }
