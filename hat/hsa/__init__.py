"""Harness-state augmentation: seeded, task-preserving variants of a harness."""

from hat.hsa.augment import ALL, BY_NAME, STRUCTURAL, Applied, Variant, augment, drawn_from, replay
from hat.hsa.names import made_up, split_of
from hat.hsa.operator import FAMILIES, Change, Context, Family, Keep, Operator, needs
from hat.hsa.preserve import TaskNotPreserved, check_preserved
from hat.hsa.wordings import Wordings, all_texts, wordings

__all__ = [
    "ALL",
    "BY_NAME",
    "FAMILIES",
    "STRUCTURAL",
    "Applied",
    "Change",
    "Context",
    "Family",
    "Keep",
    "Operator",
    "TaskNotPreserved",
    "Variant",
    "Wordings",
    "all_texts",
    "augment",
    "check_preserved",
    "drawn_from",
    "made_up",
    "needs",
    "replay",
    "split_of",
    "wordings",
]
