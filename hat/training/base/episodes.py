"""Whole episodes for the tiny base, shown by a careless demonstrator: rooms of other assistants, and live rooms.

The live rooms are of the train split, under harnesses in which every name and wording is another; like any real base
ours has met such work, never the example's own harness, and never a question of the dev or test split.
"""

from random import Random
from typing import Any

from hat.domains.assistant import sample_room
from hat.domains.assistant.rooms import Room
from hat.domains.livestream import Livestream
from hat.domains.oracle import Oracle
from hat.domains.task import Task
from hat.episode import Trace, run_episode
from hat.harness import Harness, tool_schemas
from hat.hsa import augment, needs
from hat.training.base.language import held_out
from hat.training.encoding import Row, encode_branch, encode_prefix

FORGETS_OPENING, FORGETS_CLOSING = 0.6, 0.15
"""How often the careless demonstrator leaves out a phrase that the skill asks for."""
QUESTIONS_OF_A_ROOM, QUESTIONS_OF_A_STREAM = 3, 4
"""Episodes of a row."""


def careless(harness: Harness, rng: Random) -> Harness:
    """The harness as a careless demonstrator reads it: some phrases overlooked."""
    skills = []
    for skill in harness.skills:
        gone = {"opening"} if (draw := rng.random()) < FORGETS_OPENING else set()
        gone |= {"closing"} if FORGETS_OPENING <= draw < FORGETS_OPENING + FORGETS_CLOSING else set()
        kept = {key: text for key, text in skill.metadata.items() if key not in gone}
        skills.append(skill.model_copy(update={"metadata": kept}))
    return harness.model_copy(update={"skills": tuple(skills)})


def play(room: Room, task: Task, rng: Random) -> Trace:
    """One careless demonstration."""
    return run_episode(room.harness, task.situation, room, Oracle(careless(room.harness, rng), task))


def room_row(tokenizer: Any, rng: Random, most_topics: int, known: tuple[str, ...] = ()) -> Row:
    """A room of another assistant with a few demonstrations."""
    tasks: list[Task] = []
    while not tasks:
        room = sample_room(rng, 3 * QUESTIONS_OF_A_ROOM, most_topics, known)
        tasks = [task for task in room.tasks if not held_out(task.situation.message)][:QUESTIONS_OF_A_ROOM]
    return _row(tokenizer, room.harness, [play(room, task, rng) for task in tasks])


def stream_row(tokenizer: Any, domain: Livestream, rng: Random) -> Row:
    """A live room under a variant in which every operator was at work, with a few demonstrations."""
    kinds = domain.generator.kinds
    drawn = [rng.choice(kinds) if rng.random() < 0.5 else None for _ in range(QUESTIONS_OF_A_STREAM)]
    tasks = [domain.sample(rng, kind) for kind in drawn]
    keep = needs(tasks) if rng.random() < 0.5 else None
    harness = augment(domain.harness(), rng, 1.0, keep=keep).harness
    policies = [Oracle(careless(harness, rng), task) for task in tasks]
    traces = [run_episode(harness, t.situation, domain.environment(t), p) for t, p in zip(tasks, policies, strict=True)]
    return _row(tokenizer, harness, traces)


def _row(tokenizer: Any, harness: Harness, traces: list[Trace]) -> Row:
    prefix = encode_prefix(tokenizer, traces[0].messages[0], tool_schemas(harness))
    return Row(prefix, [encode_branch(tokenizer, trace.messages[1:]) for trace in traces])
