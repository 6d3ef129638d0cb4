"""Evaluation: suites, statistics, reports and the gate."""

from hat.evaluation.config import SUITES, EvalConfig, Suite
from hat.evaluation.edits import Edit, EditError, load_edit, load_edits
from hat.evaluation.evaluate import evaluate, load_report
from hat.evaluation.gate import GatePolicy, Hold, Promote, gate
from hat.evaluation.outcome import METRICS, Outcome
from hat.evaluation.report import Report, Row, Slice, compare, errors_removed, gap
from hat.statistics import Estimate, difference_of, mean_of

__all__ = [
    "METRICS",
    "SUITES",
    "Edit",
    "EditError",
    "Estimate",
    "EvalConfig",
    "GatePolicy",
    "Hold",
    "Outcome",
    "Promote",
    "Report",
    "Row",
    "Slice",
    "Suite",
    "compare",
    "difference_of",
    "errors_removed",
    "evaluate",
    "gap",
    "gate",
    "load_edit",
    "load_edits",
    "load_report",
    "mean_of",
]
