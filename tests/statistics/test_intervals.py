from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from hat.statistics import difference_of, mean_of, t_quantile, wilson


@pytest.mark.parametrize(("hits", "n"), [(0, 12), (1, 20), (37, 40), (300, 1000), (50, 50)])
def test_wilson__is_scipys(hits: int, n: int) -> None:
    interval = scipy_stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits / n, n) == pytest.approx((interval.low, interval.high), abs=1e-12)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 5, 7, 12, 19, 60, 1000])
def test_t_quantile__is_scipys(df: float) -> None:
    assert t_quantile(df) == pytest.approx(scipy_stats.t.ppf(0.975, df), abs=5e-6)


@pytest.mark.parametrize("df", [2.3, 2.5, 3.3, 8.8])
def test_t_quantile__between_whole_degrees__is_scipys(df: float) -> None:
    assert t_quantile(df) == pytest.approx(scipy_stats.t.ppf(0.975, df), rel=0.02)


def test_mean_of__yes_no_scores_without_groups__is_wilsons() -> None:
    values = [1.0] * 30 + [0.0] * 10
    found = mean_of(values)
    assert (found.low, found.high) == pytest.approx(wilson(0.75, 40))
    assert (found.n, found.groups, found.mean) == (40, 40, 0.75)


def test_mean_of__in_the_middle__agrees_with_a_t_interval() -> None:
    rng = Random(3)
    values = [rng.choice([0.0, 0.5, 0.75, 1.0]) for _ in range(400)]
    low, high = scipy_stats.t.interval(0.95, 399, fmean(values), scipy_stats.sem(values))
    found = mean_of(values)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.002)


def test_mean_of__groups__agrees_with_a_cluster_bootstrap() -> None:
    rng = Random(4)
    sizes = [rng.randint(8, 14) for _ in range(60)]
    rows = [
        (g, float(rng.random() < p))
        for g, size in enumerate(sizes)
        for p in [rng.uniform(0.2, 0.9)]
        for _ in range(size)
    ]
    by_group = [[value for group, value in rows if group == g] for g in range(60)]
    means = []
    for _ in range(3000):
        drawn = rng.choices(by_group, k=60)
        means.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    means.sort()
    found = mean_of([value for _, value in rows], [group for group, _ in rows])
    assert (found.low, found.high) == pytest.approx((means[75], means[2924]), abs=0.02)
    assert found.high - found.low > 1.2 * (
        mean_of([value for _, value in rows]).high - mean_of([v for _, v in rows]).low
    )


def test_mean_of__clustered_scores__interval_covers_the_truth() -> None:
    rng = Random(5)
    covered = 0
    for _ in range(600):
        groups = [(group, rng.betavariate(9, 1)) for group in range(20)]
        rows = [(group, float(rng.random() < p)) for group, p in groups for _ in range(15)]
        found = mean_of([value for _, value in rows], [group for group, _ in rows])
        covered += found.low <= 0.9 <= found.high
    assert 0.93 <= covered / 600 <= 0.98


def test_mean_of__all_right__interval_is_no_point() -> None:
    alone, grouped = mean_of([1.0] * 40), mean_of([1.0] * 40, [number // 10 for number in range(40)])
    one_wrong = mean_of([0.0] + [1.0] * 39, [number // 10 for number in range(40)])
    assert alone.low == pytest.approx(wilson(1, 40)[0])
    assert one_wrong.low < grouped.low < alone.low
    assert (grouped.mean, grouped.high) == (1.0, 1.0)


def test_difference_of__pairs_without_groups__is_scipys_paired_t() -> None:
    rng = Random(6)
    left = [rng.choice([0.0, 0.5, 1.0]) for _ in range(50)]
    right = [rng.choice([0.0, 0.5, 1.0]) for _ in range(50)]
    interval = scipy_stats.ttest_rel(left, right).confidence_interval(0.95)
    found = difference_of(left, right)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-5)


def test_difference_of__one_group__knows_nothing() -> None:
    found = difference_of([1.0, 1.0], [0.0, 0.5], ["a", "a"])
    assert (found.low, found.high) == (-1.0, 1.0)


def test_mean_of__no_scores_or_not_scores__refused() -> None:
    with pytest.raises(ValueError, match="0 scores"):
        mean_of([])
    with pytest.raises(ValueError, match=r"1\.5"):
        mean_of([1.5])
    with pytest.raises(ValueError, match="no pairs"):
        difference_of([], [])


SCORES = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 6)), min_size=1, max_size=60)


@given(SCORES)
def test_mean_of__interval_holds_the_mean_and_stays_within_bounds(rows: list[tuple[float, int]]) -> None:
    found = mean_of([value for value, _ in rows], [group for _, group in rows])
    assert 0 <= found.low <= found.mean + 1e-12
    assert found.mean - 1e-12 <= found.high <= 1


@given(SCORES)
def test_difference_of__is_antisymmetric(rows: list[tuple[float, int]]) -> None:
    left, groups = [value for value, _ in rows], [group for _, group in rows]
    right = left[::-1]
    one, other = difference_of(left, right, groups), difference_of(right, left, groups)
    assert (one.mean, one.low, one.high) == pytest.approx((-other.mean, -other.high, -other.low))
