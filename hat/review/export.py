"""Turn evaluations of several systems into a blind review."""

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from random import Random

from hat.episode import Trace, read_traces
from hat.evaluation import Outcome, load_report
from hat.evaluation.parts import write_whole
from hat.review.data import ITEMS, KEY, Item, Key, ReviewError, Whose


def export(
    systems: Mapping[str, Path], out: Path, count: int = 50, suites: tuple[str, ...] = ("T1", "T2"), seed: int = 0
) -> Key:
    """Write items and key of a review to `out`; returns the key.

    Args:
        systems: name to folder of an evaluation; all on the same episodes.
        out: folder of the review; must not hold one yet.
        count: items for each pair of systems, at most.
        suites: of which turns are taken.
        seed: of which turns and which side.

    Raises:
        ReviewError: fewer than two systems, other episodes, nothing to compare, or a review there already.
    """
    if (out / ITEMS).exists():
        raise ReviewError(f"{out} holds a review already; give another folder")
    if len(systems) < 2:
        raise ReviewError(f"{len(systems)} system(s): a review compares two at least, give NAME=FOLDER for each")
    replies = {name: _replies(folder, suites) for name, folder in systems.items()}
    if len({tuple(sorted(found)) for found in replies.values()}) != 1:
        raise ReviewError(f"{', '.join(systems)} were not measured on the same episodes; evaluate them alike")
    rng, items, whose, same = Random(seed), list[Item](), dict[str, Whose](), dict[str, int]()
    for one, other in combinations(systems, 2):
        pairs = {key: (replies[one][key], replies[other][key]) for key in sorted(replies[one])}
        differing = [key for key, (a, b) in pairs.items() if _said(a) != _said(b)]
        same[f"{one} | {other}"] = len(pairs) - len(differing)
        for key in rng.sample(differing, min(count, len(differing))):
            turned = rng.random() < 0.5
            left, right = (other, one) if turned else (one, other)
            item = _item(f"i{len(items):04d}", replies[left][key], replies[right][key])
            items.append(item)
            whose[item.id] = Whose(left=left, right=right)
    if not items:
        raise ReviewError(f"{', '.join(systems)} answered every turn of {', '.join(suites)} in the same words")
    rng.shuffle(items)
    found = Key(items=whose, same=same)
    write_whole(out / KEY, found.model_dump_json(indent=1))
    write_whole(out / ITEMS, json.dumps([item.model_dump() for item in items], ensure_ascii=False, indent=1))
    return found


def _replies(folder: Path, suites: tuple[str, ...]) -> dict[tuple[str, str, str], Trace]:
    try:
        pairs: list[tuple[Outcome, Trace]] = list(
            zip(load_report(folder).outcomes, read_traces(folder / "traces.jsonl"), strict=True)
        )
    except (OSError, ValueError) as error:
        raise ReviewError(f"{folder} is no evaluation: {error}") from error
    return {outcome.key: trace for outcome, trace in pairs if outcome.suite in suites and trace.situation}


def _said(trace: Trace) -> str:
    return trace.reply or ""


def _item(name: str, left: Trace, right: Trace) -> Item:
    situation = left.situation
    assert situation is not None
    return Item(
        id=name,
        message=situation.message,
        context=situation.context,
        history=situation.history,
        replies=(_said(left), _said(right)),
    )
