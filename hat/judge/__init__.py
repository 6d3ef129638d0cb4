"""An LLM judge: a harness agent of its own that scores traces by vote, and how far its scores can be trusted."""

from hat.judge.calibrate import Agreement, Calibration, Label, calibrate
from hat.judge.config import JudgeConfig, Member, require_apart
from hat.judge.judge import Judge, JudgeError, Judgement, Vote, judge_all, key_of

__all__ = [
    "Agreement",
    "Calibration",
    "Judge",
    "JudgeConfig",
    "JudgeError",
    "Judgement",
    "Label",
    "Member",
    "Vote",
    "calibrate",
    "judge_all",
    "key_of",
    "require_apart",
]
