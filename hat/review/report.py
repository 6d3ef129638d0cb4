"""What a review came to."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from hat.harness import Frozen
from hat.review.data import Item, Key, Vote, require_known
from hat.review.statistics import bradley_terry, krippendorff_alpha
from hat.statistics import mean_of

DRAWS = 1000


class WinRate(Frozen):
    """One system against another, on turns that they answered in different words."""

    system: str
    against: str
    n: int
    """Votes."""
    items: int
    mean: float
    """Share of votes for the system, ties as halves."""
    low: float
    """Of the 95 % interval, clustered by item."""
    high: float
    ties: int
    same: int
    """Turns that both answered in the same words; they are not among the votes."""


class Strength(Frozen):
    """Bradley-Terry log-strength, mean 0 over systems; interval by bootstrap over items."""

    system: str
    value: float
    low: float
    high: float


class ReviewReport(Frozen):
    """The figures of a review."""

    reviewers: dict[str, int]
    """Name to votes."""
    items: int
    win_rates: tuple[WinRate, ...]
    strengths: tuple[Strength, ...]
    alpha: float | None
    """Krippendorff's, nominal, over items that two reviewers saw at least; None if there are none."""
    shared: int
    """Those items."""


def build_report(items: Sequence[Item], key: Key, votes: Sequence[Vote]) -> ReviewReport:
    """Count votes.

    Raises:
        ReviewError: a vote on an item that there is not.
        ValueError: no votes.
    """
    require_known(votes, items)
    if not votes:
        raise ValueError("no votes: start with `hat review serve`")
    said: defaultdict[str, list[str]] = defaultdict(list)
    reviewers: defaultdict[str, int] = defaultdict(int)
    for vote in votes:
        whose = key.items[vote.item]
        said[vote.item].append({"left": whose.left, "right": whose.right, "tie": ""}[vote.choice])
        reviewers[vote.reviewer] += 1
    return ReviewReport(
        reviewers=dict(reviewers),
        items=len(said),
        win_rates=tuple(_win_rates(key, said)),
        strengths=tuple(_strengths(key, said)),
        alpha=krippendorff_alpha(list(said.values())),
        shared=sum(len(choices) > 1 for choices in said.values()),
    )


def _win_rates(key: Key, said: dict[str, list[str]]) -> list[WinRate]:
    rates = []
    for pair, same in key.same.items():
        system, against = pair.split(" | ")
        rows = [
            (item, 0.5 if not choice else float(choice == system))
            for item, choices in said.items()
            for choice in choices
            if {key.items[item].left, key.items[item].right} == {system, against}
        ]
        if rows:
            groups = [item for item, _ in rows]
            values = [value for _, value in rows]
            estimate = mean_of(values, groups if len(set(groups)) < len(groups) else None)
            rates.append(
                WinRate(
                    system=system,
                    against=against,
                    n=len(rows),
                    items=len(set(groups)),
                    mean=estimate.mean,
                    low=estimate.low,
                    high=estimate.high,
                    ties=values.count(0.5),
                    same=same,
                )
            )
    return rates


def _strengths(key: Key, said: dict[str, list[str]]) -> list[Strength]:
    rng, names = Random(0), list(said)
    values = _fit(key, said, names)
    draws = [_fit(key, said, rng.choices(names, k=len(names))) for _ in range(DRAWS if len(values) > 1 else 0)]
    found = []
    for system, value in sorted(values.items(), key=lambda one: -one[1]):
        drawn = sorted(draw[system] for draw in draws if system in draw)
        low, high = (
            (drawn[round(0.025 * len(drawn))], drawn[round(0.975 * len(drawn)) - 1]) if drawn else (value, value)
        )
        found.append(Strength(system=system, value=value, low=low, high=high))
    return found


def _fit(key: Key, said: dict[str, list[str]], items: Sequence[str]) -> dict[str, float]:
    wins: defaultdict[tuple[str, str], float] = defaultdict(float)
    for item in items:
        left, right = key.items[item].left, key.items[item].right
        for choice in said[item]:
            wins[left, right] += 0.5 if not choice else float(choice == left)
            wins[right, left] += 0.5 if not choice else float(choice == right)
    return bradley_terry(wins, steps=60)
