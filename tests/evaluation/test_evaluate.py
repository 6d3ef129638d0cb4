import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from hat.episode import ChatRequest, ChatResponse, Episode, PolicyError
from hat.episode.trace_file import read_traces
from hat.evaluation import EvalConfig, Report, compare, errors_removed, evaluate, gap, load_report
from hat.evaluation.config import SUITES
from hat.evaluation.suites import Play, plan
from hat.hsa.names import names_of, split_of
from tests.evaluation.players import DOMAIN, EDITS, GENERAL, SMALL, Played, Player


def run(player: object, out: Path, config: EvalConfig = SMALL) -> Report:
    return evaluate(config, player, DOMAIN, out, edits=EDITS, general=GENERAL)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def perfect(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    out = tmp_path_factory.mktemp("perfect")
    return run(Player(), out), out


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return run(Player(skill=0.6, name="weak"), tmp_path_factory.mktemp("weak"))


def test_evaluate__right_play__everything_is_one(perfect: tuple[Report, Path]) -> None:
    report, _ = perfect
    assert {row.suite for row in report.rows} == set(SUITES)
    assert {row.mean for row in report.rows} == {1.0}
    assert all(row.low < 1.0 for row in report.rows)
    assert [outcome.problems for outcome in report.outcomes if outcome.problems] == []


def test_evaluate__weak_play__every_figure_has_n_and_an_interval_around_it(weak: Report) -> None:
    score = weak.row("T1")
    assert score is not None
    assert (score.n, score.policy) == (30, "weak")
    assert all(0 <= row.low <= row.mean <= row.high <= 1 for row in (*weak.rows, *weak.slices))
    assert 0.3 < score.mean < 0.9


def test_evaluate__report_and_traces_are_on_disk(perfect: tuple[Report, Path]) -> None:
    report, out = perfect
    assert load_report(out) == report
    traces = list(read_traces(out / "traces.jsonl"))
    assert [trace.task for trace in traces] == [outcome.task for outcome in report.outcomes]
    assert [trace.harness for trace in traces] == [outcome.harness for outcome in report.outcomes]


def test_evaluate__slices_cut_each_suite_by_what_it_is_for(weak: Report) -> None:
    cuts = {(part.suite, part.by) for part in weak.slices}
    assert {("T1", "kind"), ("T2", "operator"), ("families", "family"), ("edits", "edit"), ("T4", "kind")} <= cuts
    family = [part for part in weak.slices if part.by == "family" and part.metric == "score"]
    assert sum(part.n for part in family) == 20


def test_plan__tool_robustness__every_second_task_meets_a_failing_tool() -> None:
    plays = [play for play in plan(SMALL, DOMAIN, None, None)["T3-tools"] if isinstance(play, Play)]
    assert [bool(play.task.faults) for play in plays] == [False, True] * 4
    assert all(play.task.expected.calls for play in plays)
    assert {family for play in plays for family in play.families} == {"tools"}


def test_plan__prompt_robustness__skills_and_prompt_change_and_tools_stay() -> None:
    plays = [play for play in plan(SMALL, DOMAIN, None, None)["T3-prompts"] if isinstance(play, Play)]
    assert {family for play in plays for family in play.families} == {"skill_ids", "skill_content", "prompt"}
    original = {tool.name for tool in DOMAIN.harness().tools}
    assert all({tool.name for tool in play.harness.tools} == original for play in plays)


def test_evaluate__again__plays_nothing(perfect: tuple[Report, Path]) -> None:
    report, out = perfect
    player = Player()
    assert run(player, out) == report
    assert player.played == 0


class Interrupted(Player):
    """Stops everything in the middle."""

    def drive(self, episodes: Sequence[Episode]) -> list[Played]:
        if self.played >= 60:
            raise KeyboardInterrupt
        return super().drive(episodes)


def test_evaluate__interrupted__goes_on_from_what_was_played(tmp_path: Path, perfect: tuple[Report, Path]) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(Interrupted(), tmp_path)
    assert not (tmp_path / "report.json").exists()
    player = Player()
    assert run(player, tmp_path) == perfect[0]
    assert 0 < player.played <= len(perfect[0].outcomes) - 60


def test_evaluate__half_written_part__is_played_again(tmp_path: Path, perfect: tuple[Report, Path]) -> None:
    config = SMALL.model_copy(update={"suites": ("T1",)})
    first = run(Player(), tmp_path, config)
    (tmp_path / "report.json").unlink()
    traces = next((tmp_path / "parts").glob("*/*.traces.jsonl"))
    next((tmp_path / "parts").glob("*/*.outcomes.json")).unlink()
    traces.write_text(traces.read_text()[:100])
    assert run(Player(), tmp_path, config) == first
    assert len(list(read_traces(tmp_path / "traces.jsonl"))) == 30


def test_evaluate__other_seed__is_not_mixed_with_what_was_played(tmp_path: Path) -> None:
    config = SMALL.model_copy(update={"suites": ("T4",)})
    run(Player(config), tmp_path, config)
    other = config.model_copy(update={"seed": 1})
    player = Player(other)
    assert {o.task for o in run(player, tmp_path, other).outcomes}
    assert player.played == other.t4_tasks


class Down:
    """An endpoint that is not there."""

    name = "down"

    def chat(self, request: ChatRequest) -> ChatResponse:
        raise PolicyError("http://nowhere: connection refused")


def test_evaluate__policy_down__counted_and_kept(tmp_path: Path) -> None:
    report = run(Down(), tmp_path, SMALL.model_copy(update={"suites": ("T1", "T4")}))
    assert report.failed == len(report.outcomes) == 50
    assert {row.mean for row in report.rows if row.metric == "score"} == {0.0}
    assert "connection refused" in json.loads((tmp_path / "traces.jsonl").read_text().splitlines()[0])["error"]


def test_evaluate__policy_up_again__what_failed_is_played_again(tmp_path: Path) -> None:
    config = SMALL.model_copy(update={"suites": ("T1",)})
    down = Down()
    down.name = "player"
    assert run(down, tmp_path, config).failed == 30
    report = run(Player(), tmp_path, config)
    assert report.failed == 0
    assert {row.mean for row in report.rows} == {1.0}


def test_plan__same_configuration_same_episodes_and_suites_do_not_disturb_each_other() -> None:
    one = plan(SMALL, DOMAIN, EDITS, GENERAL)
    other = plan(SMALL.model_copy(update={"suites": ("T2", "edits")}), DOMAIN, EDITS, GENERAL)
    for suite in ("T2", "edits"):
        assert [play.identity() for play in one[suite]] == [play.identity() for play in other[suite]]


def test_plan__t2_draws_unseen_names_over_the_tasks_of_t1() -> None:
    plays = plan(SMALL, DOMAIN, EDITS, GENERAL)
    new = {name for play in plays["T2"] if isinstance(play, Play) for name in names_of(play.harness)}
    new -= names_of(DOMAIN.harness())
    assert new
    assert {split_of(name) for name in new} == {"test"}
    assert {play.task.id for play in plays["T2"]} <= {play.task.id for play in plays["T1"]}


def test_compare__pairs_episodes(perfect: tuple[Report, Path], weak: Report) -> None:
    seen = compare(perfect[0], weak, "T2")
    row = weak.row("T2")
    assert row is not None
    assert seen.mean == pytest.approx(1 - row.mean)
    assert (seen.n, seen.groups) == (32, 4)
    assert gap(perfect[0]).mean == 0
    assert errors_removed(perfect[0], weak, "edits") == 1.0


@pytest.mark.slow
def test_evaluate__model_directory_in_two_processes__same_report_as_in_one(tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "model")
    config = EvalConfig(
        suites=("T1", "T4"),
        t1_tasks=4,
        t4_tasks=4,
        part=2,
        max_new_tokens=4,
        workers=2,
    )
    two = evaluate(config, model, DOMAIN, tmp_path / "two", general=GENERAL)
    one = evaluate(config.model_copy(update={"workers": 1}), model, DOMAIN, tmp_path / "one", general=GENERAL)
    assert two.outcomes == one.outcomes
    assert two.policy == "model"


def tiny_model(folder: Path) -> Path:
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    from hat.hsa import all_texts
    from hat.training.base.tokenizer import build_tokenizer

    torch.manual_seed(0)
    tokenizer = build_tokenizer(["load_skill"], all_texts("zh-CN"))
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        tie_word_embeddings=True,
        max_position_embeddings=4096,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
