"""Stages end to end with a toy model: what they write, resume, keep, refuse."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from hat.domains.livestream import Livestream
from hat.episode.engine import ModelDirectoryError, load_model
from hat.training import Inputs, OpdConfig, RlConfig, SftConfig, TraceConfig, synthesize, train
from hat.training.rl import dull_places, make_trainer
from hat.training.trainer import TrainingDiverged, Watch

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")


class PulledPlugError(Exception):
    """The machine went down."""


def _pull_the_plug(self: Any, args: Any, state: Any, control: Any, **_: Any) -> None:
    if state.global_step == 3:
        raise PulledPlugError


def _weights(path: Path) -> dict[str, Any]:
    return load_file(path / "model.safetensors")


def _differ(a: Path, b: Path) -> bool:
    first, second = _weights(a), _weights(b)
    return any(not torch.equal(first[name], second[name]) for name in first)


def test_sft__writes_a_model_that_loads_and_has_learnt(toy_path: Path, traces: Path, tmp_path: Path) -> None:
    config = SftConfig(steps=6, rows=2, lr=0.01, threads=1)
    result = train(config, Inputs(model=toy_path, traces=traces), tmp_path / "sft")
    assert _differ(toy_path, result.model)
    assert load_model(result.model)[0].config.model_type == "qwen3"
    assert not (tmp_path / "sft" / "checkpoints").exists()
    first = train(config.model_copy(update={"steps": 1}), Inputs(model=toy_path, traces=traces), tmp_path / "one")
    assert result.metrics["loss"] < first.metrics["loss"]


def test_sft__snapshots__are_the_models_after_those_steps(toy_path: Path, traces: Path, tmp_path: Path) -> None:
    inputs = Inputs(model=toy_path, traces=traces)
    config = SftConfig(steps=4, rows=2, threads=1, snapshots=(2, 4))
    result = train(config, inputs, tmp_path)
    assert sorted(p.name for p in (tmp_path / "snapshots").iterdir()) == ["2", "4"]
    assert not _differ(result.model, tmp_path / "snapshots" / "4" / "model")
    assert _differ(result.model, tmp_path / "snapshots" / "2" / "model")
    assert result.metrics["total_tokens"] > result.metrics["tokens"] > 0
    assert result.metrics["peak_memory_mib"] > 100


def test_finished_stage__is_kept_and_made_again_for_another_config(
    toy_path: Path, traces: Path, tmp_path: Path
) -> None:
    inputs = Inputs(model=toy_path, traces=traces)
    config = SftConfig(steps=1, rows=1, threads=1)
    first = train(config, inputs, tmp_path)
    assert train(config, inputs, tmp_path) == first.model_copy(update={"kept": True})
    assert not train(config.model_copy(update={"seed": 1}), inputs, tmp_path).kept


def test_interrupted_sft__ends_where_an_uninterrupted_one_does(toy_path: Path, traces: Path, tmp_path: Path) -> None:
    inputs = Inputs(model=toy_path, traces=traces)
    config = SftConfig(steps=4, rows=2, save_every=2, threads=1)
    whole = train(config, inputs, tmp_path / "whole")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Watch, "on_log", _pull_the_plug)
        with pytest.raises(PulledPlugError):
            train(config, inputs, tmp_path / "cut")
    assert [p.name for p in (tmp_path / "cut" / "checkpoints").glob("checkpoint-*")] == ["checkpoint-2"]
    resumed = train(config, inputs, tmp_path / "cut")
    assert not _differ(whole.model, resumed.model)


def test_loss_that_is_no_number__stops_and_names_the_step(
    toy: Any, tokenizer: Any, traces: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    toy.save_pretrained(broken)
    tokenizer.save_pretrained(broken)
    weights = _weights(broken)
    weights["model.norm.weight"] = torch.full_like(weights["model.norm.weight"], float("nan"))
    from safetensors.torch import save_file

    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(TrainingDiverged, match=r"loss is nan at step 1; last good checkpoint: none yet"):
        train(SftConfig(steps=3, rows=1, threads=1), Inputs(model=broken, traces=traces), tmp_path / "out")
    assert not (tmp_path / "out" / "model").exists()


def test_opd__moves_the_student_towards_the_base(toy: Any, tokenizer: Any, toy_path: Path, tmp_path: Path) -> None:
    student = tmp_path / "student"
    shutil.copytree(toy_path, student)
    config = OpdConfig(steps=2, prompts=4, max_new_tokens=8, threads=1)
    same = train(config, Inputs(model=student, base=toy_path), tmp_path / "same")
    assert same.metrics["loss"] == pytest.approx(0, abs=1e-3)
    assert (same.model / "model.safetensors").exists()


def test_rl__scores_rollouts_and_updates(toy_path: Path, tmp_path: Path) -> None:
    config = RlConfig(steps=1, tasks=2, rollouts=2, max_new_tokens=6, threads=1)
    result = train(config, Inputs(model=toy_path), tmp_path)
    assert result.metrics["rewards/accuracy/mean"] == 0
    assert "useful_rollouts" in result.metrics
    assert (result.model / "tokenizer.json").exists()


def test_rl__tasks_that_teach_nothing__are_given_up_for_others(
    toy: Any, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = RlConfig(steps=5, tasks=3, rollouts=2, threads=1, refill=2)
    trainer = make_trainer(config, Livestream(), toy, tokenizer, tmp_path)
    asked: list[list[int]] = []

    def play(numbers: list[int]) -> list[Any]:
        """Scene 0 teaches, scene 1 does once it is another, scene 2 never."""
        asked.append(list(numbers))
        teaches = [number in {0, 16} for number in numbers]
        rewards = [[float(place % 2 and good)] * 5 for place, good in enumerate(teaches)]
        return [(Rolled(number), row) for number, row in zip(numbers, rewards, strict=True)]

    monkeypatch.setattr(trainer, "_play", play)
    rollouts = trainer.play([0, 0, 1, 1, 2, 2])
    assert asked == [[0, 0, 1, 1, 2, 2], [16, 16, 17, 17], [32, 32]]
    assert [rolled.number for rolled in rollouts] == [0, 0, 16, 16, 32, 32]
    assert trainer._scores[:, 0].tolist() == [0, 1, 0, 1, 0, 0]
    assert trainer._metrics["train"]["refilled"] == [1.0]


class Rolled:
    """Stands for a rollout."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.trace = type("Trace", (), {"reply": "好"})


def test_dull_places__rollouts_that_all_earned_the_same() -> None:
    rows = [[1, 0], [1, 0], [1, 0], [1, 1], [0, 0], [0, 0]]
    assert dull_places(rows, 2) == [0, 1, 4, 5]
    assert dull_places([[1.0]] * 3 + [[0.0]], 4) == []


def test_missing_model__is_named(traces: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="nowhere"):
        train(SftConfig(steps=1), Inputs(model=tmp_path / "nowhere", traces=traces), tmp_path / "out")


def test_missing_traces__are_named(toy_path: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="synthesize"):
        train(SftConfig(steps=1), Inputs(model=toy_path, traces=tmp_path), tmp_path / "out")


def test_synthesis__is_seeded_and_mixes_original_and_variants(traces: Path, tmp_path: Path) -> None:
    synthesize(TraceConfig(harnesses=8, tasks=2, seed=3, original=0.4), Inputs(), tmp_path)
    names = ("harnesses.jsonl",)
    assert [(tmp_path / n).read_text() for n in names] == [(traces / n).read_text() for n in names]
    originals = [json.loads(line).get("original") for line in (traces / "harnesses.jsonl").read_text().splitlines()]
    assert True in originals
    assert len(originals) > 2
