"""What a run leaves behind while it goes: progress lines for whoever watches, and runs in MLflow."""

from hat.tracking.lock import BusyError, exclusive
from hat.tracking.progress import Progress, ProgressEvent, listening, read_progress
from hat.tracking.runs import StageRun, parent_run, read_curves, stage_run

__all__ = [
    "BusyError",
    "Progress",
    "ProgressEvent",
    "StageRun",
    "exclusive",
    "listening",
    "parent_run",
    "read_curves",
    "read_progress",
    "stage_run",
]
