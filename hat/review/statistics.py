"""Bradley-Terry strengths and Krippendorff's alpha."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import exp, log

PRIOR = 0.1
"""Ties added to each pair that met, so that a system that won all has a finite strength."""


def bradley_terry(wins: Mapping[tuple[str, str], float], steps: int = 500) -> dict[str, float]:
    """Log-strengths with mean 0: P(a preferred to b) = 1 / (1 + exp(s_b - s_a)).

    The minorisation-maximisation of Hunter (Annals of Statistics 32, 2004). `wins[a, b]`: how often a was preferred to
    b, a tie being half a win for each.

    Raises:
        ValueError: no comparison.
    """
    names = sorted({name for pair in wins for name in pair})
    if not names:
        raise ValueError("no comparisons: nobody has voted")
    met = {
        (a, b): wins.get((a, b), 0.0) + wins.get((b, a), 0.0) + PRIOR for pair in wins for a, b in (pair, pair[::-1])
    }
    won = {a: sum(wins.get((a, b), 0.0) + PRIOR / 2 for b in names if (a, b) in met) for a in names}
    strength = dict.fromkeys(names, 1.0)
    for _ in range(steps):
        new = {a: won[a] / sum(met[a, b] / (strength[a] + strength[b]) for b in names if (a, b) in met) for a in names}
        middle = sum(map(log, new.values())) / len(names)
        new = {name: value / exp(middle) for name, value in new.items()}
        close = max(abs(log(new[name] / strength[name])) for name in names) < 1e-9
        strength = new
        if close:
            break
    return {name: log(value) for name, value in strength.items()}


def krippendorff_alpha(units: Sequence[Sequence[Hashable]]) -> float | None:
    """Nominal alpha (Krippendorff, Content Analysis, 2004, ch. 11): 1 is full agreement, 0 chance.

    `units`: for each item the values that reviewers gave; those with fewer than two say nothing. None where there are
    none with two, or one value only.
    """
    paired = [unit for unit in units if len(unit) > 1]
    total = sum(map(len, paired))
    values = Counter(value for unit in paired for value in unit)
    if total == 0 or len(values) < 2:
        return None
    observed = 0.0
    for unit in paired:
        counts = Counter(unit)
        observed += sum(count * (len(unit) - count) for count in counts.values()) / (len(unit) - 1)
    expected = sum(count * (total - count) for count in values.values()) / (total - 1)
    return 1 - observed / expected
