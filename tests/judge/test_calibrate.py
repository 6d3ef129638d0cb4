"""Calibration: agreement and kappa of known values."""

from random import Random

import pytest

from hat.judge import Judgement, Label, Vote, calibrate


def judged(grades: list[tuple[float, float]]) -> list[Judgement]:
    return [
        Judgement(trace=f"t{n}", votes=(Vote(model="m", accuracy=a, effectiveness=e),), accuracy=a, effectiveness=e)
        for n, (a, e) in enumerate(grades)
    ]


def labels(grades: list[tuple[float, float]]) -> dict[str, Label]:
    return {f"t{n}": Label(accuracy=a, effectiveness=e) for n, (a, e) in enumerate(grades)}


def test_kappa__of_a_known_table() -> None:
    """20 both yes, 5 and 10 apart, 15 both no: agreement 0.7, kappa 0.4 (Cohen 1960, as worked in many textbooks)."""
    right = [(1.0, 1.0)] * 25 + [(0.0, 0.0)] * 25
    given = [(1.0, 1.0)] * 20 + [(0.0, 0.0)] * 5 + [(1.0, 1.0)] * 10 + [(0.0, 0.0)] * 15
    found = calibrate(judged(given), labels(right))
    accuracy = found.rubrics[0]
    assert accuracy.agreement.mean == 0.7
    assert accuracy.kappa == pytest.approx(0.4)
    assert accuracy.low is not None
    assert accuracy.high is not None
    assert accuracy.low < 0.4 < accuracy.high
    assert accuracy.confusion == ((15, 10), (5, 20))
    assert accuracy.bias == pytest.approx(0.1)


def test_kappa__judge_that_guesses__about_zero() -> None:
    rng = Random(1)
    right = [(float(rng.random() < 0.5), 1.0) for _ in range(600)]
    given = [(float(rng.random() < 0.5), 0.5) for _ in range(600)]
    kappa = calibrate(judged(given), labels(right)).rubrics[0].kappa
    assert kappa == pytest.approx(0, abs=0.12)


def test_effectiveness__a_near_miss_costs_less_than_a_far_one() -> None:
    right = [(1.0, grade) for grade in (0.0, 0.5, 1.0) * 10]
    near = calibrate(judged([(1.0, min(1.0, e + 0.5)) for _, e in right]), labels(right)).rubrics[1]
    far = calibrate(judged([(1.0, 1.0 - e) for _, e in right]), labels(right)).rubrics[1]
    assert near.kappa is not None
    assert far.kappa is not None
    assert near.kappa > 0.5 > far.kappa


def test_one_grade_only__kappa_is_not_defined() -> None:
    found = calibrate(judged([(1.0, 1.0)] * 5), labels([(1.0, 1.0)] * 5))
    assert [one.kappa for one in found.rubrics] == [None, None]
    assert found.unanimous == 1.0


def test_undecided__are_counted_apart() -> None:
    given = [*judged([(1.0, 1.0)] * 3), Judgement(trace="t3", votes=(Vote(model="m"),))]
    found = calibrate(given, labels([(1.0, 1.0)] * 4))
    assert (found.n, found.undecided, found.rubrics[0].agreement.n) == (4, 1, 3)


def test_nothing_in_common__refused() -> None:
    with pytest.raises(ValueError, match="1 judgements and 0 labels have no decided trace in common"):
        calibrate(judged([(1.0, 1.0)]), {})
