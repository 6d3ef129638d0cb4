"""What changed between two harnesses, in their own terms: parts, limits, words, and whether calls stay valid."""

from hat.harness.diff.changes import (
    HarnessDiff,
    LimitChange,
    PartChange,
    ProseChange,
    SchemaChange,
    Span,
    ValueChange,
)
from hat.harness.diff.compare import diff
from hat.harness.diff.report import render_text

__all__ = [
    "HarnessDiff",
    "LimitChange",
    "PartChange",
    "ProseChange",
    "SchemaChange",
    "Span",
    "ValueChange",
    "diff",
    "render_text",
]
