"""The report of a pipeline run: one self-contained HTML page, and the table that a terminal shows."""

from hat.report.data import Call, Chart, Example, Family, Number, ReportData, Side
from hat.report.page import render_page

__all__ = ["Call", "Chart", "Example", "Family", "Number", "ReportData", "Side", "render_page"]
