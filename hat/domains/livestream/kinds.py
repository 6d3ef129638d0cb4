"""Kinds of viewers' turns, their share of the traffic, and what a simple fact needs. Plain data.

Shares follow the paper: product about 46 %, chat 19 %, clarification 16 %, the rest 19 %.
"""

from typing import NamedTuple

MIX: dict[str, dict[str, float]] = {
    "product": {
        "price": 13, "material": 6, "color": 4, "weight": 3, "stock": 7, "variant": 4,
        "where": 3, "price_by_name": 2, "follow": 4,
    },
    "chat": {"greet": 8, "thanks": 4, "farewell": 3, "clock": 4},
    "clarification": {
        "missing_link": 5, "missing_body": 2.5, "missing_weight": 1.5, "unknown_link": 4, "unknown_product": 3,
    },
    "other": {
        "promotion": 3, "coupon": 1.5, "deal": 1.5, "deal_end": 1, "lottery_time": 1.5, "lottery_prize": 1,
        "delivery": 2, "carrier": 0.5, "returns": 1, "warranty": 1, "insurance": 0.5, "size": 2.5,
        "compare_price": 1.5, "compare_weight": 0.5,
    },
}  # fmt: skip
"""Group to its kinds and their shares, in per cent of all turns."""
SHARES = {kind: share for kinds in MIX.values() for kind, share in kinds.items()}
GROUP = {kind: group for group, kinds in MIX.items() for kind in kinds}
SIZED = ("missing_body", "missing_weight", "size")
"""Kinds that need a product with a size table."""


class Fact(NamedTuple):
    """A question about one link that one tool answers."""

    tool: str
    value: str
    """Key of the output that the reply must say."""
    skill: str = "item_qa"
    also: tuple[str, ...] = ()
    """Further keys that the full answer says."""


INFO = "get_product_info_by_link_id"
FACTS = {
    "price": Fact(INFO, "price"),
    "material": Fact(INFO, "material"),
    "color": Fact(INFO, "color"),
    "weight": Fact(INFO, "weight_g"),
    "stock": Fact("get_stock", "stock"),
    "variant": Fact("get_stock", "variants"),
    "coupon": Fact("get_coupons", "coupon_amount", also=("coupon_threshold",)),
    "deal": Fact("get_promotion", "promotion_price", also=("promotion",)),
    "deal_end": Fact("get_promotion", "ends_at"),
    "delivery": Fact("get_delivery", "days", "after_sales", also=("ship_from",)),
    "carrier": Fact("get_delivery", "carrier", "after_sales"),
    "returns": Fact("get_after_sales_policy", "return_days", "after_sales"),
    "warranty": Fact("get_after_sales_policy", "warranty_months", "after_sales"),
    "insurance": Fact("get_after_sales_policy", "freight_insurance", "after_sales"),
}
EXCLUSIVE = ("material", "color")
"""Facts in words, where saying another product's word too is wrong."""
FOLLOWED = ("price", "material", "color", "stock", "coupon", "delivery")
"""Facts that viewers ask of one link after another."""
COMPARED = {"compare_price": "price", "compare_weight": "weight_g"}
FAULTY = 0.13
"""Share of the simple facts whose tool fails; about 6 % of all turns."""
FAULTS = ("timeout", "malformed", "permission_denied")
EXPLICIT = 0.6
"""Share of questions that name their link by number."""
CHATTED = 0.05
"""Share of turns that come after a word of chat."""
