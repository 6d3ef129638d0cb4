"""What both sides of a training benchmark start from: one model, the same traces; made once, kept under build/bench."""

from pathlib import Path

from hat.domains.livestream import Livestream
from hat.training import Inputs, SftConfig, TraceConfig, synthesize, train
from hat.training.base.corpus import identifiers, texts
from hat.training.base.model import build_model
from hat.training.base.tokenizer import build_tokenizer
from hat.training.trainer import save_model

SHIPPED, KEPT = Path("models/tiny-base"), Path("build/bench")


def base() -> Path:
    """The tiny base; where it is not shipped, one of its shape with its initial weights."""
    if SHIPPED.is_dir():
        return SHIPPED
    if not (KEPT / "base").is_dir():
        tokenizer = build_tokenizer(identifiers(Livestream().harness()), texts())
        save_model(build_model(len(tokenizer)), tokenizer, KEPT / "base")
    return KEPT / "base"


def traces(harnesses: int, original: float = 0.25) -> Path:
    """Traces of the oracle, four tasks under each of `harnesses` states, a share of them the original harness."""
    out = KEPT / f"traces-{harnesses}-{original}"
    synthesize(TraceConfig(harnesses=harnesses, tasks=4, original=original), Inputs(), out)
    return out


def learnt() -> Path:
    """The base after a short SFT: it calls tools and loads skills, so that episodes are as long as they should be."""
    inputs = Inputs(model=base(), traces=traces(80, original=0.5))
    return train(SftConfig(steps=60, rows=6, threads=1), inputs, KEPT / "learnt").model
