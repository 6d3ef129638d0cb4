from collections.abc import Mapping
from random import Random

import pytest

from hat.evaluation import EvalConfig, GatePolicy, Hold, Outcome, Promote, Report, gate
from hat.evaluation.report import build_report

SUITES = ("T1", "T2", "T4")


def report(
    name: str, shares: Mapping[str, float], *, seed: int = 1, fingerprint: str = "same", stop: str = "reply"
) -> Report:
    outcomes = []
    for suite, share in shares.items():
        rng = Random(f"{seed} {suite}")
        for number in range(200):
            score = float(rng.random() < share)
            outcomes.append(
                Outcome(
                    suite=suite,  # type: ignore[arg-type]
                    group=f"v{number // 10}" if suite == "T2" else f"t{number}",
                    task=f"t{number}",
                    kind="price",
                    harness="",
                    scores={"score": score},
                    stop=stop,
                )
            )
    return build_report(name, EvalConfig(), fingerprint, outcomes)


BASE = report("base", {"T1": 0.5, "T2": 0.4, "T4": 0.8})
GOOD = report("result", {"T1": 0.95, "T2": 0.95, "T4": 0.82})


def test_gate__better_everywhere__promotes_with_figures() -> None:
    decision = gate(GatePolicy(), BASE, GOOD)
    assert isinstance(decision, Promote)
    assert [figure[:2] for figure in decision.figures] == ["T1", "T2", "T4", "T1"]


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ({"T1": 0.5, "T2": 0.95, "T4": 0.82}, ["T1: result minus base", "above +0.000"]),
        ({"T1": 0.95, "T2": 0.95, "T4": 0.6}, ["T4: result minus base", "above -0.030"]),
        ({"T1": 0.95, "T2": 0.7, "T4": 0.82}, ["T1 minus T2", "at most 0.100"]),
        ({"T1": 0.95, "T4": 0.82}, ["T2 was not evaluated"]),
    ],
)
def test_gate__one_thing_wrong__holds_and_names_figure_and_bound(shares: dict[str, float], words: list[str]) -> None:
    decision = gate(GatePolicy(), BASE, report("result", shares))
    assert isinstance(decision, Hold)
    assert all(any(word in reason for reason in decision.reasons) for word in words)


def test_gate__several_things_wrong__all_are_said() -> None:
    decision = gate(GatePolicy(floors={"T1": 0.9}), BASE, report("result", {"T1": 0.4, "T2": 0.2, "T4": 0.5}))
    assert isinstance(decision, Hold)
    assert len(decision.reasons) == 5


def test_gate__other_episodes__not_comparable() -> None:
    decision = gate(GatePolicy(), BASE, report("result", {"T1": 1.0, "T2": 1.0, "T4": 1.0}, fingerprint="other"))
    assert isinstance(decision, Hold)
    assert "not evaluated on the same episodes" in decision.reasons[0]


def test_gate__endpoint_down__holds() -> None:
    broken = report("result", {"T1": 0.95, "T2": 0.95, "T4": 0.82}, stop="policy_error")
    decision = gate(GatePolicy(), BASE, broken)
    assert isinstance(decision, Hold)
    assert "100.0% of the episodes ended by the policy's failure" in decision.reasons[0]


def test_gate__a_hair_better_by_luck__holds() -> None:
    decision = gate(
        GatePolicy(better_on=("T1",), not_worse_on=(), max_gap=None), BASE, report("r", {"T1": 0.51}, seed=2)
    )
    assert isinstance(decision, Hold)


def test_gate__checks_left_out__are_not_made() -> None:
    decision = gate(GatePolicy(better_on=(), not_worse_on=(), max_gap=None), BASE, report("r", {"T1": 0.0}))
    assert isinstance(decision, Promote)
