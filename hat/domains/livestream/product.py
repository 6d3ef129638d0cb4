"""One linked product of a livestream catalogue, checked on its own: types, ranges, and numbers that must agree."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from hat.harness import Frozen

Money = Annotated[float, Field(ge=0, le=10_000_000, allow_inf_nan=False)]
"""Yuan."""
Count = Annotated[int, Field(ge=0, le=10_000_000)]
Text = Annotated[str, Field(min_length=1, max_length=80)]
Clock = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
"""Time of day, `21:30`."""
SizeRow = tuple[Text, Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]]
"""A size, the greatest height (cm) and the greatest weight (kg) that it fits."""


class Product(Frozen):
    """A row of the catalogue. Texts with `_en` are the English ones; left out, the main text serves."""

    link_id: Annotated[int, Field(gt=0, le=9999)]
    """Number of the link in the room."""
    title: Text
    keyword: Text
    """The word by which viewers ask for it; part of the title."""
    category: Text
    price: Money
    original_price: Money
    material: Text
    color: Text
    weight_g: Count
    variants: Annotated[dict[Text, Count], Field(min_length=1)]
    """Colour or size to pieces in stock."""
    size_table: tuple[SizeRow, ...] = ()
    """From small to large; empty where there is nothing to fit."""
    coupon_amount: Money
    coupon_threshold: Money
    promotion: Text
    promotion_price: Money
    ends_at: Clock
    ship_from: Text
    days: Count
    """Days to deliver."""
    carrier: Text
    return_days: Count
    warranty_months: Count
    freight_insurance: bool
    title_en: str = ""
    keyword_en: str = ""
    category_en: str = ""
    material_en: str = ""
    color_en: str = ""
    variants_en: tuple[str, ...] = ()
    """English names of the variants, in their order."""
    promotion_en: str = ""
    ship_from_en: str = ""
    carrier_en: str = ""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        wrong = []
        if self.price > self.original_price:
            wrong.append(f"price {self.price:g} is above original_price {self.original_price:g}")
        if self.promotion_price > self.price:
            wrong.append(f"promotion_price {self.promotion_price:g} is above price {self.price:g}")
        if self.coupon_amount > self.coupon_threshold:
            wrong.append(f"coupon_amount {self.coupon_amount:g} is above coupon_threshold {self.coupon_threshold:g}")
        if self.keyword not in self.title:
            wrong.append(f"keyword {self.keyword!r} is no part of title {self.title!r}")
        if self.variants_en and len(self.variants_en) != len(self.variants):
            wrong.append(f"variants_en names {len(self.variants_en)} of {len(self.variants)} variants")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self
