"""Small reports of three policies, right in known places."""

from hat.evaluation import EvalConfig, Outcome, Report
from hat.evaluation.report import build_report
from hat.results import Cost, Played, Point

CONFIG = EvalConfig()


def outcome(suite: str, group: str, task: str, score: float) -> Outcome:
    scores = {"score": score, "accuracy": float(score == 1)}
    operators = ("rename_tools",) if suite == "T2" else ()
    return Outcome(
        suite=suite,  # type: ignore[arg-type]
        group=group,
        task=task,
        kind="price",
        harness="sha256:1",
        operators=operators,
        scores=scores,
        stop="reply",
    )


def report(policy: str, t1: list[float], t2: list[float], edits: list[float], seed: int = 0) -> Report:
    """Scores of tasks; two variants and two edits with half of them each."""
    outcomes = [outcome("T1", f"t{n}", f"t{n}", score) for n, score in enumerate(t1)]
    outcomes += [outcome("T2", f"v{n % 2}", f"t{n}", score) for n, score in enumerate(t2)]
    outcomes += [outcome("edits", f"e{n % 2}", f"e{n}", score) for n, score in enumerate(edits)]
    return build_report(policy, CONFIG, f"sha256:{seed}", outcomes)


def played(seed: int = 0) -> Played:
    reports = {
        "base": report("base", [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], seed),
        "fixed-sft": report("fixed-sft", [1, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 1], seed),
        "hat": report("hat", [1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 1], seed),
    }
    points = [Point(lane="hat", seed=seed, step=40, suite="T1", n=4, mean=0.5, low=0.1, high=0.9)]
    return Played(
        seed, reports, points, [Cost(stage="sft-hat", seed=seed, steps=8, tokens=9000, seconds=2, peak_memory_mib=300)]
    )
