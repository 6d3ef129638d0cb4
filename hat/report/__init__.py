"""The report of a pipeline run: one self-contained HTML page, and the table that a terminal shows."""

from hat.report.data import Call, Example, Family, Number, ReportData, Side, Step
from hat.report.page import render_page

__all__ = ["Call", "Example", "Family", "Number", "ReportData", "Side", "Step", "render_page"]
