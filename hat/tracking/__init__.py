"""What a run leaves behind while it goes: progress lines for whoever watches."""

from hat.tracking.progress import Progress, ProgressEvent, read_progress

__all__ = ["Progress", "ProgressEvent", "read_progress"]
