"""Parts: episodes that are played and kept together, so that an evaluation killed anywhere goes on from what was done.

A part is two files, outcomes and traces; the outcomes are written last, whole or not at all, so a part with outcomes is
done.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hat.domains.task import Domain
from hat.episode import Policy
from hat.episode.drive import run_episodes
from hat.evaluation.config import EvalConfig, Suite
from hat.evaluation.outcome import Outcome
from hat.evaluation.suites import GeneralPlay, Play, Plays


class Part(NamedTuple):
    """Consecutive episodes of one suite; a variant's are never torn apart."""

    name: str
    plays: Sequence[Play | GeneralPlay]


def parts_of(config: EvalConfig, plays: dict[Suite, Plays]) -> list[Part]:
    """The plan cut into parts of about `config.part` episodes."""
    parts: list[Part] = []
    for suite, members in plays.items():
        current: list[Play | GeneralPlay] = []
        for number, play in enumerate(members):
            current.append(play)
            last = number + 1 == len(members)
            if last or (len(current) >= config.part and members[number + 1].group != play.group):
                parts.append(Part(f"{suite}-{len(parts):03d}", current))
                current = []
    return parts


def play_part(part: Part, policy: Policy, domain: Domain, folder: Path) -> list[Outcome]:
    """Play a part and keep it. Raises OSError where the disk is full; nothing half-written counts as done."""
    traces = run_episodes(policy, [play.start(domain, policy.name) for play in part.plays])
    outcomes = [play.judge(trace, domain) for play, trace in zip(part.plays, traces, strict=True)]
    write_whole(_traces(folder, part), "".join(trace.model_dump_json(exclude_defaults=True) + "\n" for trace in traces))
    write_whole(_outcomes(folder, part), json.dumps([outcome.model_dump(mode="json") for outcome in outcomes]))
    return outcomes


def kept(part: Part, folder: Path) -> list[Outcome] | None:
    """The outcomes of a part played earlier; None if it was not."""
    path = _outcomes(folder, part)
    if not path.exists():
        return None
    return [Outcome.model_validate(data) for data in json.loads(path.read_text(encoding="utf-8"))]


def stands(part: Part, folder: Path) -> bool:
    """Whether a part need not be played again: it was played, and no failure of the policy ended any of it."""
    outcomes = kept(part, folder)
    return outcomes is not None and all(outcome.stop != "policy_error" for outcome in outcomes)


def traces_text(parts: Sequence[Part], folder: Path) -> str:
    """The traces of all parts as JSON lines, in order."""
    return "".join(_traces(folder, part).read_text(encoding="utf-8") for part in parts)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _outcomes(folder: Path, part: Part) -> Path:
    return folder / f"{part.name}.outcomes.json"


def _traces(folder: Path, part: Part) -> Path:
    return folder / f"{part.name}.traces.jsonl"
