"""The reproduction's results: cells with intervals over seeds and episodes, paired differences, figures, a page."""

from hat.results.build import Played, build_results
from hat.results.data import Cell, Cost, Difference, Part, Point, Removed, Results
from hat.results.page import write_results

__all__ = [
    "Cell",
    "Cost",
    "Difference",
    "Part",
    "Played",
    "Point",
    "Removed",
    "Results",
    "build_results",
    "write_results",
]
