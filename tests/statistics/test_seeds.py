"""Intervals over training seeds: held against plain intervals where those are right, and against drawn worlds."""

from random import Random
from statistics import fmean

import pytest
from scipy import stats as scipy_stats

from hat.statistics import Sample, difference_over_seeds, mean_of, mean_over_seeds


def test_one_seed__is_the_plain_mean() -> None:
    values = [1.0] * 30 + [0.0] * 10
    found, plain = mean_over_seeds([Sample(values)]), mean_of(values)
    assert (found.n, found.groups, found.mean) == (40, 40, 0.75)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.01)


def test_seeds_far_apart__a_t_interval_of_the_seed_means() -> None:
    means = [0.2, 0.5, 0.6]
    samples = [Sample([1.0] * round(1000 * mean) + [0.0] * round(1000 * (1 - mean))) for mean in means]
    found = difference_over_seeds(samples)
    low, high = scipy_stats.t.interval(0.95, 2, fmean(means), scipy_stats.sem(means))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)


def test_seeds_alike__the_interval_of_all_episodes_together() -> None:
    values = [1.0, 0.0, 1.0, 1.0] * 100
    found, plain = mean_over_seeds([Sample(values)] * 3), mean_of(values * 3)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.002)


@pytest.mark.parametrize("spread", [0.0, 0.03, 0.1])
def test_over_drawn_worlds__covers_the_truth_in_about_95_of_100(spread: float) -> None:
    rng, truth, worlds = Random(11), 0.7, 400
    covered = 0
    for _ in range(worlds):
        samples = []
        for _ in range(3):
            policy = min(1.0, max(0.0, rng.gauss(truth, spread)))
            shares = [min(1.0, max(0.0, rng.gauss(policy, 0.15))) for _ in range(30)]
            values = [float(rng.random() < share) for share in shares for _ in range(8)]
            samples.append(Sample(values, [group for group in range(30) for _ in range(8)]))
        found = mean_over_seeds(samples)
        covered += found.low <= truth <= found.high
    assert 0.92 <= covered / worlds <= 0.995


def test_nothing_varied__no_point() -> None:
    found = mean_over_seeds([Sample([1.0] * 50)] * 3)
    assert found.mean == found.high == 1.0
    assert 0.95 < found.low < 1.0


def test_no_scores__refused() -> None:
    with pytest.raises(ValueError, match="seeds"):
        difference_over_seeds([Sample([])])
