"""How far a judge agrees with labels: agreement, Cohen's kappa, and who it favours.

Labels come from people or from program verifiers, on traces that no policy is tested on.
"""

from collections.abc import Mapping, Sequence
from random import Random

from sklearn.metrics import cohen_kappa_score, confusion_matrix

from hat.harness import Frozen
from hat.judge.judge import Judgement
from hat.statistics import Estimate, mean_of

DRAWS = 2000
GRADES = {"accuracy": (0.0, 1.0), "effectiveness": (0.0, 0.5, 1.0)}


class Label(Frozen):
    """What is right for a trace."""

    accuracy: float
    effectiveness: float


class Agreement(Frozen):
    """Of one rubric."""

    rubric: str
    agreement: Estimate
    """Share of traces with the label's grade."""
    kappa: float | None
    """Cohen's kappa, for effectiveness with quadratic weights; None where judge and labels know one grade only."""
    low: float | None
    """Of its 95 % interval, by bootstrap over traces."""
    high: float | None
    confusion: tuple[tuple[int, ...], ...]
    """Rows: label, columns: judge, grades rising."""
    bias: float
    """Judge's mean less the labels'; above 0 it is lenient."""


class Calibration(Frozen):
    """A judge against labels."""

    n: int
    undecided: int
    """Traces without a decision; they are in no other figure."""
    unanimous: float
    """Share of traces on which all votes were the same."""
    rubrics: tuple[Agreement, ...]


def calibrate(judgements: Sequence[Judgement], labels: Mapping[str, Label], seed: int = 0) -> Calibration:
    """Hold judgements against labels of the same traces.

    Raises:
        ValueError: no trace is both judged and labelled.
    """
    pairs = [(one, labels[one.trace]) for one in judgements if one.trace in labels]
    decided = [(one, label) for one, label in pairs if one.accuracy is not None]
    if not decided:
        raise ValueError(f"{len(judgements)} judgements and {len(labels)} labels have no decided trace in common")
    return Calibration(
        n=len(pairs),
        undecided=len(pairs) - len(decided),
        unanimous=sum(one.unanimous for one, _ in pairs) / len(pairs),
        rubrics=tuple(
            _agreement(
                rubric,
                [getattr(label, rubric) for _, label in decided],
                [float(getattr(one, rubric)) for one, _ in decided],
                Random(seed),
            )
            for rubric in GRADES
        ),
    )


def _agreement(rubric: str, right: Sequence[float], given: Sequence[float], rng: Random) -> Agreement:
    n, draws = len(right), []
    for _ in range(DRAWS):
        places = rng.choices(range(n), k=n)
        if (drawn := _kappa(rubric, [right[p] for p in places], [given[p] for p in places])) is not None:
            draws.append(drawn)
    draws.sort()
    kappa = _kappa(rubric, right, given)
    known = kappa is not None and draws
    confusion = confusion_matrix(_grades(right), _grades(given), labels=_grades(GRADES[rubric]))
    return Agreement(
        rubric=rubric,
        agreement=mean_of([float(a == b) for a, b in zip(right, given, strict=True)]),
        kappa=kappa,
        low=draws[round(0.025 * len(draws))] if known else None,
        high=draws[round(0.975 * len(draws)) - 1] if known else None,
        confusion=tuple(tuple(int(cell) for cell in row) for row in confusion),
        bias=(sum(given) - sum(right)) / n,
    )


def _kappa(rubric: str, right: Sequence[float], given: Sequence[float]) -> float | None:
    if len({*right, *given}) < 2:
        return None
    weights = "quadratic" if rubric == "effectiveness" else None
    return float(cohen_kappa_score(_grades(right), _grades(given), weights=weights, labels=_grades(GRADES[rubric])))


def _grades(values: Sequence[float]) -> list[int]:
    """Grades as whole numbers, halves of a point."""
    return [round(2 * value) for value in values]
