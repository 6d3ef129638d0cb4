"""Bradley-Terry and Krippendorff's alpha, against known values."""

from math import log
from random import Random

import pytest

from hat.review import bradley_terry, krippendorff_alpha


def test_bradley_terry__two_systems__is_the_log_odds() -> None:
    strength = bradley_terry({("a", "b"): 750.0, ("b", "a"): 250.0})
    assert strength["a"] - strength["b"] == pytest.approx(log(3), abs=0.001)
    assert sum(strength.values()) == pytest.approx(0, abs=1e-9)


def test_bradley_terry__drawn_from_known_strengths__finds_them() -> None:
    rng, true = Random(3), {"a": 1.0, "b": 0.2, "c": -1.2}
    wins = {(x, y): 0.0 for x in true for y in true if x != y}
    for x, y in [("a", "b"), ("b", "c"), ("a", "c")] * 3000:
        a_wins = rng.random() < 1 / (1 + 2.718281828 ** (true[y] - true[x]))
        wins[(x, y) if a_wins else (y, x)] += 1
    found = bradley_terry(wins)
    assert found == pytest.approx(true, abs=0.1)


def test_bradley_terry__wins_all__stays_finite() -> None:
    strength = bradley_terry({("a", "b"): 10.0})
    assert 2 < strength["a"] - strength["b"] < 8


def test_bradley_terry__nothing__refused() -> None:
    with pytest.raises(ValueError, match="nobody has voted"):
        bradley_terry({})


def test_alpha__of_krippendorffs_own_table() -> None:
    """Two coders, ten units, nominal: alpha 0.095 (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011)."""
    one, two = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha(list(zip(one, two, strict=True))) == pytest.approx(0.095, abs=0.001)


def test_alpha__of_four_coders_with_gaps() -> None:
    """The same paper's table with missing values: alpha 0.743."""
    units = [
        (1, 1, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
        (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (5, 5, 5), (1, 1), (3,),
    ]  # fmt: skip
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=0.001)


def test_alpha__full_agreement_and_nothing_to_compare() -> None:
    assert krippendorff_alpha([("a", "a"), ("b", "b")]) == 1.0
    assert krippendorff_alpha([("a",), ("b",)]) is None
    assert krippendorff_alpha([("a", "a"), ("a", "a")]) is None
