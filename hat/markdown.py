"""Markdown tables, for reports that people read in MLflow, in the KFP UI and in docs."""

from collections.abc import Sequence
from typing import Any


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table; bars inside cells are escaped."""
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in [head, *rows]]
    return "\n".join([lines[0], "|" + " --- |" * len(head), *lines[1:]])
