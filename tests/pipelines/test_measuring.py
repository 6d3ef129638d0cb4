"""From reports to a decision, a page and a registered model."""

import shutil

import pytest

from hat.domains.general import GeneralTasks
from hat.domains.livestream import Livestream
from hat.episode import ChatResponse, Message
from hat.evaluation import EvalConfig, evaluate, load_report
from hat.evaluation.report import build_report
from hat.harness import digest, save_harness
from hat.pipeline import measuring, story
from hat.pipeline.stages import model_digest, read_inputs
from hat.report import ReportData
from hat.tracking.runs import client, experiment_id

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
SIZES = EvalConfig(t1_tasks=20, t2_variants=4, t2_tasks=8, family_variants=1, family_tasks=2, t4_tasks=20)


class Parrot:
    """Says the same to everything."""

    name = "parrot"

    def chat(self, request):
        return ChatResponse(message=Message(role="assistant", content="你好"))


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Inputs and two reports on the same episodes: `base` gets all wrong, `result` is counted right."""
    root = tmp_path_factory.mktemp("measured")
    domain = Livestream(split="test")
    save_harness(domain.harness(), root / "inputs" / "harness")
    shutil.copyfile(domain.catalogue_path, root / "inputs" / "catalogue.csv")
    evaluate(SIZES, Parrot(), domain, root / "base", name="base", general=GeneralTasks("test"))
    shutil.copytree(root / "base", root / "result")
    wrong = load_report(root / "base")
    right = [outcome.model_copy(update={"scores": dict.fromkeys(outcome.scores, 1.0)}) for outcome in wrong.outcomes]
    report = build_report("result", SIZES, wrong.fingerprint, right)
    (root / "result" / "report.json").write_text(report.model_dump_json(), encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def mlflow_store(tmp_path_factory):
    """One store for all tests here: making its tables takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path_factory.mktemp('mlflow')}/mlflow.db")
        patch.setenv("HAT_RUN", "run-1")
        yield


@pytest.fixture
def store(mlflow_store, tmp_path):
    return tmp_path


def decide(measured, out, result):
    folders = {"base": "base", "fixed": "base", "result": result}
    digests = {"harness_digest": "sha256:1", "data_digest": "sha256:2", "base_digest": "sha256:3", "code_version": "4"}
    return measuring.gate(
        {},
        inputs=str(measured / "inputs"),
        reports={name: str(measured / folder) for name, folder in folders.items()},
        models={},
        digests=digests,
        out=str(out / "decision"),
        page=str(out / "page"),
    )


def test_gate__promotes_what_is_better_and_says_by_how_much(measured, store):
    decision = decide(measured, store / "gate", "result")

    data = ReportData.model_validate_json((store / "gate" / "decision" / "report.json").read_text())
    assert decision.verdict == "promote"
    assert "T2 +100.0" in decision.reason
    assert data.number("result", "T2").mean == 1
    assert len(data.examples) == 10
    assert {row.family for row in data.families} == {"skill_ids", "skill_content", "tools", "prompt", "hooks"}
    assert (store / "gate" / "page").stat().st_size > 20_000


def test_gate__holds_what_is_not_better(measured, store):
    assert decide(measured, store / "gate", "base").verdict == "hold"


def test_examples__are_the_same_task_under_two_harnesses(measured):
    report = load_report(measured / "base")

    chosen = story.examples(story.read_pairs(measured / "base", report))

    assert all(example.original.prompt != example.variant.prompt for example in chosen)
    assert len({example.message for example in chosen}) > 5
    assert len({example.kind for example in chosen}) > 3


def test_register__same_weights_are_not_registered_twice(measured, store):
    decide(measured, store / "gate", "result")
    weights = store / "rl" / "model"
    weights.mkdir(parents=True)
    (weights / "config.json").write_text("{}")
    (weights / "model.safetensors").write_bytes(b"weights")

    versions = []
    for content in (b"weights", b"weights", b"others"):
        (weights / "model.safetensors").write_bytes(content)
        where = {"model": str(store / "rl"), "decision": str(store / "gate" / "decision")}
        versions.append(measuring.register("hat-test", **where, summary=str(store / "summary")).version)

    candidate = client().get_model_version_by_alias("hat-test", "candidate")
    assert versions == ["1", "1", "2"]
    assert candidate.tags["weights"] == model_digest(str(weights))
    assert candidate.tags["harness_digest"] == "sha256:1"


def test_evaluation__leaves_traces_with_spans_in_mlflow(measured, store):
    from hat.pipeline.spans import log_episodes
    from hat.tracking import stage_run

    pairs = story.read_pairs(measured / "base", load_report(measured / "base"))
    with stage_run("evaluate-base", store / "evaluate" / "report") as run:
        log_episodes(run, pairs[:2])

    import mlflow

    found = mlflow.search_traces(locations=[experiment_id(client())], return_type="list")
    kinds = {span.span_type for trace in found for span in trace.data.spans}
    assert len(found) == 2
    assert {"AGENT", "CHAT_MODEL", "GUARDRAIL"} <= kinds
    assert found[0].info.tags["suite"] == "T1"


def test_inputs__are_those_that_were_validated(measured):
    from hat.harness import load_harness

    inputs = read_inputs(str(measured / "inputs"))

    assert digest(load_harness(inputs.harness)) == digest(Livestream(split="test").harness())
    assert inputs.catalogue.name == "catalogue.csv"
