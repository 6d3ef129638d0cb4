"""The tiny base before training: wired to copy; its corpus: seeded, one step a drill, episodes of the train split."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from hat.domains.assistant import sample_room
from hat.domains.livestream import Livestream
from hat.domains.livestream.split import SPLITS
from hat.domains.livestream.wordings import wordings
from hat.domains.oracle import Oracle
from hat.domains.verify import verify
from hat.episode import run_episode
from hat.harness import Harness
from hat.training.base import build
from hat.training.base.answers import draw_rules
from hat.training.base.build import BaseConfig, Mix, build_base
from hat.training.base.corpus import Corpus
from hat.training.base.dictionary import dictionaries
from hat.training.base.drills import first_step, index
from hat.training.base.episodes import play
from hat.training.base.goods import with_other_goods
from hat.training.base.language import every_question, every_wording, held_out
from hat.training.base.model import build_model
from hat.training.base.muon import orthogonalise
from hat.training.encoding import Row, collate, flatten
from hat.training.loss import next_token_loss

KINDS = ("copies", "lookups", "calls", "choices", "records", "rules", "general", "rooms", "streams")


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
    for kind in KINDS:
        assert [flatten(r) for r in getattr(first, kind)(3)] == [flatten(r) for r in getattr(second, kind)(3)]


def test_rooms__are_played_right_by_the_oracle_and_carelessly_by_the_demonstrator() -> None:
    rng, careless = Random(2), 0
    for _ in range(20):
        room = sample_room(rng)
        for task in room.tasks:
            trace = run_episode(room.harness, task.situation, room, Oracle(room.harness, task))
            assert verify(task, trace, room.harness).score == 1
            careless += verify(task, play(room, task, rng), room.harness).effectiveness < 1
    assert 25 < careless < 58


@pytest.mark.parametrize("most", [3, 9])
def test_room__holds_no_livestream_harness(most: int) -> None:
    original = Livestream().harness()
    room = sample_room(Random(3), most_topics=most)
    assert not {tool.name for tool in room.harness.tools} & {tool.name for tool in original.tools}
    assert not {skill.body for skill in room.harness.skills} & {skill.body for skill in original.skills}


def said(tokenizer: Any, row: Row) -> list[str]:
    """What is learnt of each branch."""
    return [
        tokenizer.decode([i for i, t in zip(branch.ids, branch.trained, strict=True) if t]) for branch in row.branches
    ]


@pytest.mark.parametrize("kind", ["calls", "choices", "records", "rules", "general"])
def test_drill__one_message_is_learnt_of_each_branch(kind: str, tokenizer: Any) -> None:
    for row in getattr(Corpus(tokenizer, 4), kind)(3):
        learnt = said(tokenizer, row)
        assert len(learnt) >= 1
        assert all(text.count("<|im_end|>") == 1 and text.strip().endswith("<|im_end|>") for text in learnt)


def test_dictionary__no_text_means_two_things_within_a_way() -> None:
    for groups in dictionaries():
        texts = [text for group in groups for text in group]
        assert len(texts) == len(set(texts))
        assert not [text for text in texts if "{" in text]
        assert min(len(group) for group in groups) >= 8


@pytest.mark.parametrize("kind", ["lookups", "calls"])
def test_dictionary__asks_by_the_other_names_of_what_the_index_shows(kind: str, tokenizer: Any) -> None:
    for row in getattr(Corpus(tokenizer, 3), kind)(8):
        names = [line.rsplit("：", 1)[1] for line in tokenizer.decode(row.prefix).splitlines() if line.startswith("- ")]
        names = [name.split("<|im_end|>")[0] for name in names]
        learnt = "\n".join(said(tokenizer, row))
        assert 2 <= len(names) <= 9
        assert all(name in learnt for name in names)


def test_choice__is_a_call_that_the_index_names_or_a_reply(tokenizer: Any) -> None:
    replies = calls = 0
    for row in Corpus(tokenizer, 6, {"get_stock", "item_qa"}).choices(6):
        shown = tokenizer.decode(row.prefix)
        for text in said(tokenizer, row):
            if "<tool_call>" not in text:
                replies += 1
                continue
            calls += 1
            name = text.split('"name": "')[1].split('"')[0]
            chosen = text.split('"skill": "')[1].split('"')[0] if name == "load_skill" else name
            assert f"：{chosen}" in shown
    assert calls > replies > 0


def test_refused_call_or_reply__is_made_again(tokenizer: Any) -> None:
    corpus, again = Corpus(tokenizer, 2), 0
    messages = every_wording().retry
    for row in [*corpus.choices(4), *corpus.rules(4), *corpus.records(4)]:
        for branch, learnt in zip(row.branches, said(tokenizer, row), strict=True):
            text = tokenizer.decode(branch.ids)
            if any(message in text for message in messages):
                again += 1
                assert text.count(learnt) == 2
    assert again > 8


def test_index__holds_neither_the_examples_names_nor_its_descriptions() -> None:
    original = Livestream().harness()
    described = {part.description for part in (*original.tools, *original.skills)}
    named = {tool.name for tool in original.tools} | {skill.alias for skill in original.skills}
    for seed in range(20):
        harness = index(Random(seed), (), params=True)
        assert not described & {part.description for part in (*harness.tools, *harness.skills)}
        assert not named & ({tool.name for tool in harness.tools} | {skill.alias for skill in harness.skills})


def test_other_goods__are_asked_searched_and_answered() -> None:
    task = every_question().sample(Random(4), "price_by_name")
    sold = task.expected.calls[0].arguments["keyword"]
    other, renamed = with_other_goods(task, Livestream().environment(task), Random(1))
    asked = other.expected.calls[0].arguments["keyword"]
    assert asked != sold
    assert asked in other.situation.message
    assert sold not in other.model_dump_json()
    found = renamed.call("search_products", {"keyword": asked})
    assert asked in found["titles"][0]
    trace = run_episode(Livestream().harness(), other.situation, renamed, Oracle(Livestream().harness(), other))
    assert verify(other, trace, Livestream().harness()).score == 1
    chat, environment = every_question().sample(Random(4), "greet"), Livestream().environment(task)
    assert with_other_goods(chat, environment, Random(1)) == (chat, environment)


def test_first_step__is_the_oracles_first_call() -> None:
    harness, rng = Livestream().harness(), Random(8)
    for _ in range(40):
        task = every_question().sample(rng)
        trace = run_episode(harness, task.situation, Livestream().environment(task), Oracle(harness, task))
        call = trace.messages[2 + 2 * len(task.situation.history)].tool_calls[0]
        assert first_step(harness, task.expected) == (call.name, call.arguments)


def test_rules__body_asks_for_just_the_phrases_of_the_reply() -> None:
    for seed in range(30):
        rules, body = draw_rules(Random(seed))
        assert all(f"“{phrase}”" in body for phrase in rules.values())
        assert body.count("“") == len(rules)


def test_language__holds_every_split_and_episodes_hold_train_only(tokenizer: Any) -> None:
    every = every_question().sample(Random(0), "price")
    assert every.kind == "price"
    for split in SPLITS:
        texts = wordings("zh-CN", split).questions["material"]
        assert all(held_out(text.format(ref="3号")) is (split != "train") for text in texts)
    corpus = Corpus(tokenizer, 9)
    for row in [*corpus.rooms(12), *corpus.streams(4)]:
        for branch in row.branches:
            asked = tokenizer.decode(branch.ids).split("<|im_start|>user\n")[1].split("<|im_end|>")[0]
            assert not held_out(asked.rsplit("\n", 1)[-1])


def test_language__names_every_wording_of_a_harness() -> None:
    words = every_wording()
    assert len(words.tools) == 9
    assert all(len(texts) >= 20 for texts in words.tools.values())
    assert all(len(texts) >= 20 for texts in words.skills.values())


SMALL = Mix(start=0, copies=2, choices=1)


def small_base(harness: Harness, out: Path, steps: int = 2) -> dict[str, bytes]:
    build_base(BaseConfig(steps=steps, shards=2, mixes=(SMALL,)), harness, out)
    return {file.name: file.read_bytes() for file in out.iterdir()}


@pytest.mark.slow
def test_build__goes_on_from_the_weights_of_another(tmp_path: Path, tokenizer: Any) -> None:
    before = build_model(len(tokenizer), seed=5)
    before.save_pretrained(tmp_path / "first")
    config = BaseConfig(steps=1000, shards=1, mixes=(SMALL,), weights=tmp_path / "first", first_step=999)
    build_base(config, Livestream().harness(), tmp_path / "next")
    name = "model.embed_tokens.weight"
    after = load_file(tmp_path / "next" / "model.safetensors")[name]
    assert (after - before.state_dict()[name]).abs().max() < 0.01
    assert (after - build_model(len(tokenizer), seed=0).state_dict()[name]).abs().max() > 0.1


@pytest.mark.slow
def test_build__two_processes_make_the_same_base_each_time_and_go_on_where_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = Livestream().harness()
    whole = small_base(harness, tmp_path / "whole")
    assert {"model.safetensors", "base.json", "tokenizer.json"} <= whole.keys()
    assert small_base(harness, tmp_path / "again") == whole

    save = build._save_checkpoint

    def save_and_stop(*arguments: Any) -> None:
        save(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "SAVE_EVERY", 1)
    monkeypatch.setattr(build, "_save_checkpoint", save_and_stop)
    with pytest.raises(KeyboardInterrupt):
        small_base(harness, tmp_path / "cut")
    monkeypatch.undo()
    assert not (tmp_path / "cut" / "model.safetensors").exists()
    assert small_base(harness, tmp_path / "cut") == whole
