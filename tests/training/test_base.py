"""The tiny base before training: wired to copy; its corpus: seeded, and apart from the livestream."""

from random import Random
from typing import Any

import pytest
import torch

from hat.domains.assistant import sample_room
from hat.domains.livestream import Livestream
from hat.domains.oracle import Oracle
from hat.domains.verify import verify
from hat.episode import run_episode
from hat.training.base.corpus import Corpus, play
from hat.training.base.model import build_model
from hat.training.base.muon import orthogonalise
from hat.training.encoding import collate, flatten
from hat.training.loss import next_token_loss


@torch.no_grad()
def test_initial_weights__copy_what_was_said_before(tokenizer: Any) -> None:
    model = build_model(len(tokenizer))
    rows = Corpus(tokenizer, seed=5).copies(40)
    batch = collate([flatten(row) for row in rows], pad=0)
    _, copied = next_token_loss(model, batch)
    torch.manual_seed(0)
    for parameter in model.parameters():
        if parameter.dim() == 2:
            parameter.normal_(std=0.05)
    _, chance = next_token_loss(model, batch)
    assert copied > 0.4
    assert chance < 0.05


def test_model__fits_the_size_that_is_shipped(tokenizer: Any) -> None:
    assert sum(p.numel() for p in build_model(len(tokenizer)).parameters()) * 4 < 8 * 2**20


def test_orthogonalise__brings_singular_values_near_one() -> None:
    torch.manual_seed(1)
    values = torch.linalg.svdvals(orthogonalise(torch.randn(3, 64, 24)))
    assert values.min() > 0.6
    assert values.max() < 1.3


def test_corpus__is_the_same_for_the_same_seed(tokenizer: Any) -> None:
    first, second = Corpus(tokenizer, 7), Corpus(tokenizer, 7)
    for kind in ("copies", "lookups", "calls", "general"):
        assert [flatten(r) for r in getattr(first, kind)(3)] == [flatten(r) for r in getattr(second, kind)(3)]


def test_rooms__are_played_right_by_the_oracle_and_carelessly_by_the_demonstrator() -> None:
    rng, careless = Random(2), 0
    for _ in range(20):
        room = sample_room(rng)
        for task in room.tasks:
            trace = run_episode(room.harness, task.situation, room, Oracle(room.harness, task))
            assert verify(task, trace, room.harness).score == 1
            careless += verify(task, play(room, task, rng), room.harness).effectiveness < 1
    assert 15 < careless < 50


@pytest.mark.parametrize("most", [3, 9])
def test_room__holds_no_livestream_harness(most: int) -> None:
    original = Livestream().harness()
    room = sample_room(Random(3), most_topics=most)
    assert not {tool.name for tool in room.harness.tools} & {tool.name for tool in original.tools}
    assert not {skill.body for skill in room.harness.skills} & {skill.body for skill in original.skills}
