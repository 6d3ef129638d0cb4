from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hat.domains.livestream.split import SPLITS, Split
from hat.harness import Harness
from hat.hsa import ALL, BY_NAME, Change, Context, Operator, TaskNotPreserved, augment, check_preserved, needs
from tests.hsa.harnesses import livestream, played

OPERATORS = st.lists(st.sampled_from(ALL), min_size=1, max_size=len(ALL), unique=True).map(tuple)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    strength=st.sampled_from([0.3, 0.7, 1.0]),
    operators=OPERATORS,
    split=st.sampled_from(SPLITS),
    locale=st.sampled_from(["zh-CN", "en"]),
    masked=st.booleans(),
)
def test_augment__oracle_earns_the_same_verdict(
    seed: int, strength: float, operators: tuple[Operator, ...], split: Split, locale: str, masked: bool
) -> None:
    domain, (tasks, known) = livestream(locale), played(locale)
    rng = Random(seed)
    drawn = rng.sample(tasks, 4)
    keep = needs(drawn) if masked else None
    variant = augment(domain.harness(), rng, strength, operators, split=split, keep=keep)
    check_preserved(variant, drawn, domain, known=known)


@pytest.mark.parametrize("operator", ALL, ids=lambda operator: operator.name)
def test_operator__alone_at_full_strength__every_task_preserved(operator: Operator) -> None:
    domain, (tasks, known) = livestream(), played()
    rng = Random(5)
    applied = 0
    for task in tasks[:40]:
        variant = augment(domain.harness(), rng, 1.0, (operator,), split="test", keep=needs([task]))
        applied += len(variant.trail)
        check_preserved(variant, [task], domain, known=known)
    assert applied >= 30


def without_stock(harness: Harness, rng: Random, context: Context) -> Change:
    tools = tuple(tool for tool in harness.tools if tool.bound.tool != "get_stock")
    return Change(harness.model_copy(update={"tools": tools}), {})


def with_lying_body(harness: Harness, rng: Random, context: Context) -> Change:
    """Every skill asks for a closing that makes the shortest reply too long."""
    skills = tuple(s.model_copy(update={"metadata": s.metadata | {"closing": "好" * 60}}) for s in harness.skills)
    return Change(harness.model_copy(update={"skills": skills}), {})


@pytest.mark.parametrize("apply", [without_stock, with_lying_body])
def test_check_preserved__broken_operator__names_task_operators_and_seed(apply: object) -> None:
    domain, (tasks, known) = livestream(), played()
    task = next(task for task in tasks if any(call.tool == "get_stock" for call in task.expected.calls))
    broken = Operator("broken", "tools", "takes away what is needed", apply)  # type: ignore[arg-type]
    variant = augment(domain.harness(), Random(1), 1.0, (broken, BY_NAME["reorder_tools"]))
    with pytest.raises(TaskNotPreserved) as caught:
        check_preserved(variant, [task], domain, known=known)
    for word in (task.id, "broken", "reorder_tools", str(variant.seed)):
        assert word in str(caught.value)
