"""Evolution tried on a planted fault: found, mended by hand and by a model, tried, published, never unconfirmed."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hat.cli import app
from hat.episode import ChatRequest, ChatResponse, Message, PolicyError
from hat.episode.trace_file import read_traces
from hat.evaluation import EvalConfig, evaluate
from hat.evolve import Cluster, ProposalError, TrialConfig, by_endpoint, diagnose, from_folder, publish, run_trial
from hat.evolve.propose import tell
from hat.evolve.trial import decide
from hat.harness import Harness, digest, load_harness
from hat.statistics import Estimate
from tests.evolve.literal import RIGHT, SKILL, WRONG, Literal, Shop, planted

CONFIG = TrialConfig(aimed=20, others=40)


@pytest.fixture
def broken(tmp_path: Path) -> Harness:
    return planted(tmp_path / "harness")


@pytest.fixture
def evaluation(broken: Harness, tmp_path: Path) -> Path:
    shop = Shop(broken)
    evaluate(EvalConfig(suites=("T1",), t1_tasks=60), Literal(shop), shop, tmp_path / "evaluation")
    return tmp_path / "evaluation"


@pytest.fixture
def cluster(evaluation: Path, broken: Harness) -> Cluster:
    from hat.evaluation import load_report

    pairs = list(zip(load_report(evaluation).outcomes, read_traces(evaluation / "traces.jsonl"), strict=True))
    (found,) = diagnose(pairs, broken)
    return found


@pytest.fixture
def edit(broken: Harness, tmp_path: Path) -> Path:
    """The mended file, as a person would write it."""
    file = tmp_path / "edit" / SKILL
    file.parent.mkdir(parents=True)
    text = (tmp_path / "harness" / SKILL).read_text(encoding="utf-8")
    file.write_text(text.replace(f"{WRONG}\n", ""), encoding="utf-8")
    return tmp_path / "edit"


class Author:
    """Gives its answers in turn."""

    name = "author"

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    def chat(self, request: ChatRequest) -> ChatResponse:
        """The next answer."""
        self.asked.append(request.messages[-1].content)
        return ChatResponse(message=Message(role="assistant", content=self._answers.pop(0)))


def test_diagnose__planted_fault__finding_module_and_part(cluster: Cluster) -> None:
    assert (cluster.finding, cluster.module, cluster.part) == ("closing missed", "skills", "item_qa")
    assert 0.2 < cluster.share < 0.8
    assert set(cluster.kinds) <= {
        "price", "material", "color", "weight", "stock", "variant", "coupon", "deal", "deal_end", "follow", "where",
        "price_by_name", "promotion", "compare_price", "compare_weight",
    }  # fmt: skip
    assert cluster.seen[0].reply is not None
    assert cluster.seen[0].reply.endswith("再见啦")


def test_by_hand__tried_and_published_with_its_record(
    broken: Harness, cluster: Cluster, edit: Path, tmp_path: Path
) -> None:
    proposal, shop = from_folder(broken, edit), Shop(broken)
    trial = run_trial(CONFIG, broken, proposal, cluster, shop, Literal(shop))
    assert trial.passed
    assert (trial.after, trial.broken) == (1.0, ())
    assert trial.before < 0.9
    record = publish(broken, proposal, cluster, trial, tmp_path / "mended", confirmed_by="wang")
    told = json.loads(record.read_text(encoding="utf-8"))
    assert (told["was"], told["now"]) == (digest(broken), digest(load_harness(tmp_path / "mended")))
    assert (told["confirmed_by"], told["files"]) == ("wang", [SKILL])


def test_by_endpoint__answers_that_are_no_use__are_told_why_and_tried_again(broken: Harness, cluster: Cluster) -> None:
    text = tell(broken, cluster)
    assert WRONG in text
    assert "closing missed" in text
    whole = text.split(f"=== {SKILL}\n")[1]
    good = json.dumps(
        {"why": "两个结尾，留一个", "files": {SKILL: whole.replace(f"{WRONG}\n", "")}}, ensure_ascii=False
    )
    bad = json.dumps({"why": "", "files": {SKILL: whole.replace("kind: reply", "kind: answer")}}, ensure_ascii=False)
    author = Author("我看看", bad, f"```json\n{good}\n```")
    proposal = by_endpoint(broken, cluster, author)
    assert proposal.why == "两个结尾，留一个"
    assert WRONG not in proposal.files[SKILL]
    assert "there is no JSON object" in author.asked[1]
    assert f"{SKILL}:" in author.asked[2]


def test_by_endpoint__never_of_use_or_down__says_so(broken: Harness, cluster: Cluster) -> None:
    with pytest.raises(ProposalError, match="none of 3 answers could be used; last: it changes nothing"):
        by_endpoint(broken, cluster, Author(*['{"why": "", "files": {}}'] * 3))

    class Down:
        name = "down"

        def chat(self, request: ChatRequest) -> ChatResponse:
            raise PolicyError("http://nowhere: connection refused")

    with pytest.raises(ProposalError, match="connection refused"):
        by_endpoint(broken, cluster, Down())


def test_edit_that_breaks_other_replies__does_not_pass(broken: Harness, cluster: Cluster, edit: Path) -> None:
    chat = edit / "skills/chat/SKILL.md"
    chat.parent.mkdir()
    (edit / SKILL).unlink()
    original = Path(edit.parent / "harness/skills/chat/SKILL.md").read_text(encoding="utf-8")
    chat.write_text(original.replace("- 以“常来玩”结尾。", "- 以“拜拜”结尾。\n- 以“常来玩”结尾。"), encoding="utf-8")
    shop = Shop(broken)
    trial = run_trial(CONFIG, broken, from_folder(broken, edit), cluster, shop, Literal(shop))
    assert not trial.passed
    assert trial.others.mean < 0
    assert any(told.split(":")[0] in {"greet", "thanks", "farewell", "clock"} for told in trial.broken)
    with pytest.raises(ValueError, match="not published"):
        publish(broken, from_folder(broken, edit), cluster, trial, edit.parent / "out", "wang")
    assert not (edit.parent / "out").exists()


@pytest.mark.parametrize(
    ("aimed", "others", "passed", "said"),
    [
        ((0.2, 0.1, 0.3), (0.0, -0.02, 0.02), True, "aimed +20.0 points"),
        ((0.2, -0.1, 0.5), (0.0, 0.0, 0.0), False, "no gain that chance does not explain"),
        ((0.2, 0.1, 0.3), (0.0, -0.08, 0.08), False, "cannot be ruled out"),
    ],
)
def test_decide__better_where_it_aims_and_no_worse_elsewhere(
    aimed: tuple[float, ...], others: tuple[float, ...], passed: bool, said: str
) -> None:
    one, two = (Estimate(n=9, groups=9, mean=m, low=low, high=high) for m, low, high in (aimed, others))
    found = decide(one, two, 0.05)
    assert (found[0], said in found[1]) == (passed, True)


def test_publish__without_a_person__refused(broken: Harness, cluster: Cluster, edit: Path, tmp_path: Path) -> None:
    proposal, shop = from_folder(broken, edit), Shop(broken)
    trial = run_trial(CONFIG, broken, proposal, cluster, shop, Literal(shop))
    with pytest.raises(ValueError, match="a person must confirm it"):
        publish(broken, proposal, cluster, trial, tmp_path / "out", confirmed_by=" ")
    assert not (tmp_path / "out").exists()


def test_from_folder__broken_or_empty__says_what(broken: Harness, tmp_path: Path) -> None:
    with pytest.raises(ProposalError, match="no files: put changed files there"):
        from_folder(broken, tmp_path / "none")
    file = tmp_path / "edit" / SKILL
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: item-qa\n---\n\n- 无。\n", encoding="utf-8")
    with pytest.raises(ProposalError, match=rf"{SKILL}:\d+: .*description"):
        from_folder(broken, tmp_path / "edit")


def test_command__diagnose_and_run(
    evaluation: Path, edit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = ["--harness", str(tmp_path / "harness")]
    told = CliRunner().invoke(app, ["evolve", "diagnose", str(evaluation), *harness, "--json"])
    assert json.loads(told.output)[0]["finding"] == "closing missed"

    shop: dict[str, Any] = {}

    def livestream(catalogue: object, original: Harness, **_: object) -> Shop:
        shop["it"] = Shop(original)
        return shop["it"]

    class Late:
        name = "literal"

        def drive(self, episodes: Any) -> Any:
            return Literal(shop["it"]).drive(episodes)

        def chat(self, request: ChatRequest) -> ChatResponse:
            raise NotImplementedError

    monkeypatch.setattr("hat.domains.livestream.Livestream", livestream)
    monkeypatch.setattr("hat.cli.evolve._policy", lambda *_: Late())
    command = ["evolve", "run", str(evaluation), str(tmp_path / "out"), *harness, "--model", "m", "--tasks", "20"]
    unconfirmed = CliRunner().invoke(app, [*command, "--edit", str(edit)], input="\n")
    assert (unconfirmed.exit_code, (tmp_path / "out").exists()) == (1, False)
    assert RIGHT.strip("- ") in unconfirmed.output or "再见啦" in unconfirmed.output
    done = CliRunner().invoke(app, [*command, "--edit", str(edit)], input="wang\n")
    assert done.exit_code == 0, done.output
    assert "Passed: aimed +" in done.output
    assert load_harness(tmp_path / "out")


def test_command__nobody_proposes__exit_2(evaluation: Path, tmp_path: Path) -> None:
    harness = ["--harness", str(tmp_path / "harness")]
    command = ["evolve", "run", str(evaluation), str(tmp_path / "out"), *harness, "--model", "m"]
    result = CliRunner().invoke(app, command)
    assert (result.exit_code, "nobody proposes" in result.output) == (2, True)
    result = CliRunner().invoke(app, [*command, "--cluster", "7", "--edit", "x"])
    assert (result.exit_code, "no cluster 7" in result.output) == (2, True)
