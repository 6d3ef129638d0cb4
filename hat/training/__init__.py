"""Training: traces, SFT, general OPD, HSA-RL. Each stage is a function of a configuration, inputs and a directory."""

from pathlib import Path

from hat.training.config import Inputs, OpdConfig, RlConfig, SftConfig, StageConfig, StageResult, TraceConfig

__all__ = [
    "Inputs",
    "OpdConfig",
    "RlConfig",
    "SftConfig",
    "StageConfig",
    "StageResult",
    "TraceConfig",
    "synthesize",
    "train",
]


def train(config: SftConfig | OpdConfig | RlConfig, inputs: Inputs, out: Path) -> StageResult:
    """Run a training stage; `out/model` is a safetensors model directory when it returns.

    Finished before with the same settings and inputs, it returns at once; interrupted, it goes on from its checkpoint.
    """
    match config:
        case SftConfig():
            from hat.training.sft import train_sft

            return train_sft(config, inputs, out)
        case OpdConfig():
            from hat.training.opd import train_opd

            return train_opd(config, inputs, out)
        case RlConfig():
            from hat.training.rl import train_rl

            return train_rl(config, inputs, out)


def synthesize(config: TraceConfig, inputs: Inputs, out: Path) -> StageResult:
    """Write training traces; see `hat.training.traces.synthesize`."""
    from hat.training.traces import synthesize as make

    return make(config, inputs, out)
