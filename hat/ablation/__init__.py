"""What each operator of augmentation is worth: SFT without it, and with it alone."""

from hat.ablation.run import AblationConfig, AblationReport, Cell, cells_of, run_ablation

__all__ = ["AblationConfig", "AblationReport", "Cell", "cells_of", "run_ablation"]
