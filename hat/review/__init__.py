"""Blind review by people: two replies, whose they are not said; who is preferred, how far people agree."""

from hat.review.data import Choice, Item, ReviewError, Vote, load_items, load_key, load_votes
from hat.review.export import export
from hat.review.report import ReviewReport, build_report
from hat.review.statistics import bradley_terry, krippendorff_alpha

__all__ = [
    "Choice",
    "Item",
    "ReviewError",
    "ReviewReport",
    "Vote",
    "bradley_terry",
    "build_report",
    "export",
    "krippendorff_alpha",
    "load_items",
    "load_key",
    "load_votes",
]
