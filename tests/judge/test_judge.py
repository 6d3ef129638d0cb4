"""The judge: its own harness agent, votes, decisions, resuming; scripted models in place of real ones."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from hat.cli import app
from hat.domains.livestream import Livestream
from hat.domains.oracle import Oracle
from hat.episode import ChatRequest, ChatResponse, Message, PolicyError, ToolCall, Trace, run_episode
from hat.harness import LOAD_SKILL, validate_dir
from hat.judge import Judge, JudgeConfig, JudgeError, Member, Vote, judge_all, key_of, require_apart
from hat.judge.config import HARNESS
from hat.judge.judge import decide, tell

MEMBER = Member(url="http://127.0.0.1:9/v1", model="m")
CONFIG = JudgeConfig(members=(MEMBER,))


def trace(seed: int = 1) -> Trace:
    domain = Livestream()
    task = domain.sample(Random(seed), "price")
    return run_episode(domain.harness(), task.situation, domain.environment(task), Oracle(domain.harness(), task))


class Scripted:
    """Loads the rubrics, gives its grades and ends; `hasty` gives them before it has read anything."""

    name = "scripted"

    def __init__(self, accuracy: float = 1, effectiveness: float = 0.5, hasty: bool = False) -> None:
        verdict = {"accuracy": accuracy, "effectiveness": effectiveness, "reason": "照材料"}
        self._steps = [(LOAD_SKILL, {"skill": name}) for name in ("accuracy", "effectiveness")]
        self._steps += [("submit_verdict", verdict), (LOAD_SKILL, {"skill": "verdict"})]
        if hasty:
            self._steps.insert(0, ("submit_verdict", verdict | {"accuracy": 1 - accuracy}))
        self.seen: list[str] = []

    def chat(self, request: ChatRequest) -> ChatResponse:
        """The next step of an episode, by how far it is."""
        self.seen.append(request.messages[1].content)
        done = sum(message.role == "assistant" for message in request.messages)
        if done == len(self._steps):
            return ChatResponse(message=Message(role="assistant", content="准确 1，有效 0.5。"))
        name, arguments = self._steps[done]
        call = ToolCall(id=f"c{done}", name=name, arguments=arguments)
        return ChatResponse(message=Message(role="assistant", tool_calls=(call,)))


class Silent:
    """Talks, and gives no verdict."""

    name = "silent"

    def chat(self, request: ChatRequest) -> ChatResponse:
        """A few words."""
        return ChatResponse(message=Message(role="assistant", content="都挺好。"))


class Down:
    """An endpoint that is not there."""

    name = "down"

    def chat(self, request: ChatRequest) -> ChatResponse:
        """Fails."""
        raise PolicyError("http://nowhere: connection refused")


def judge(*policies: Any, votes: int = 1, floor: float = 0.9) -> Judge:
    members = tuple(Member(url=f"http://127.0.0.1:{place}/v1", model=f"m{place}") for place, _ in enumerate(policies))
    given = iter(policies)
    return Judge(JudgeConfig(members=members, votes=votes, floor=floor), lambda *_: next(given))


def test_harness__is_valid() -> None:
    assert validate_dir(HARNESS) == []


def test_judge__three_votes__majority_and_median() -> None:
    found = judge(Scripted(1, 1), Scripted(0, 0.5), Scripted(1, 0)).judge(trace())
    assert (found.accuracy, found.effectiveness, found.unanimous) == (1.0, 0.5, False)
    assert [vote.reason for vote in found.votes] == ["照材料"] * 3


def test_judge__one_member_three_votes__unanimous() -> None:
    found = judge(Scripted(0, 1), votes=3).judge(trace())
    assert (found.accuracy, found.effectiveness, found.unanimous) == (0.0, 1.0, True)
    assert len(found.votes) == 3


def test_judge__verdict_before_the_rubrics_are_read__is_refused() -> None:
    found = judge(Scripted(1, 1, hasty=True)).judge(trace())
    assert found.accuracy == 1.0


def test_judge__is_shown_rules_viewer_calls_and_reply() -> None:
    played, policy = trace(), Scripted()
    judge(policy).judge(played)
    told = policy.seen[0]
    assert played.situation is not None
    for text in (played.situation.message, played.reply, "get_product_info_by_link_id", "不超过40字"):
        assert str(text) in told
    assert told == tell(played)


def test_judge__votes_without_a_verdict__do_not_count() -> None:
    one, two = judge(Scripted(1, 1), Silent(), Scripted(1, 1)), judge(Silent(), Down(), Scripted(1, 1))
    assert one.judge(trace()).accuracy == 1.0
    undecided = two.judge(trace())
    assert undecided.accuracy is None
    assert "no verdict" in undecided.votes[0].reason
    assert "connection refused" in undecided.votes[1].reason


def test_decide__two_votes_that_differ__the_lower() -> None:
    votes = [Vote(model="m", accuracy=a, effectiveness=e) for a, e in ((1, 1), (0, 0.5))]
    assert (decide("t", votes).accuracy, decide("t", votes).effectiveness) == (0.0, 0.5)


def test_judge_all__again__judges_only_what_is_new(tmp_path: Path) -> None:
    out, traces = tmp_path / "j.jsonl", [trace(1), trace(2)]
    first = judge_all(judge(Scripted()), traces[:1], out)
    policy = Scripted()
    second = judge_all(judge(policy), traces, out)
    assert second[0] == first[0]
    assert set(policy.seen) == {tell(traces[1])}
    assert [json.loads(line)["trace"] for line in out.read_text().splitlines()] == [key_of(t) for t in traces]


def test_judge_all__line_cut_off__is_judged_again(tmp_path: Path) -> None:
    out = tmp_path / "j.jsonl"
    whole = judge_all(judge(Scripted()), [trace(1), trace(2)], out)
    out.write_text(out.read_text()[:-40])
    assert judge_all(judge(Scripted()), [trace(1), trace(2)], out) == whole
    assert len(out.read_text().splitlines()) == 2


def test_judge_all__broken_line__named(tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_text("{}\n{}\n")
    with pytest.raises(ValueError, match=r"j.jsonl:1: no judgement; remove the line"):
        judge_all(judge(Scripted()), [trace()], tmp_path / "j.jsonl")


def test_judge_all__under_the_floor__says_share_and_reason_and_keeps_the_rest(tmp_path: Path) -> None:
    flaky = judge(Down(), floor=0.9)
    with pytest.raises(JudgeError, match=r"0 of 2 traces .* floor is 90%; commonest reason: http://nowhere"):
        judge_all(flaky, [trace(1), trace(2)], tmp_path / "j.jsonl")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"votes": 2}, "1 members with 2 votes each make 2: give an odd number"),
        ({"votes": 3, "temperature": 0}, "3 votes at temperature 0 are one vote"),
        ({"members": ()}, "at least 1 item"),
    ],
)
def test_config__panel_that_cannot_decide__refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        JudgeConfig.model_validate({"members": [MEMBER.model_dump()]} | fields)


def test_require_apart__same_model__refused() -> None:
    other = JudgeConfig(members=(Member(url="http://127.0.0.1:8/v1", model="n"),))
    require_apart(CONFIG, other)
    with pytest.raises(ValueError, match="m judges rewards and results"):
        require_apart(CONFIG, JudgeConfig(members=(Member(url="http://elsewhere/v1/", model="m"),)))


@pytest.fixture
def endpoint() -> Any:
    """A real server that plays the scripted judge."""
    policy = Scripted(1, 1)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            messages = tuple(Message(role=m["role"], content=m.get("content") or "") for m in body["messages"])
            said = policy.chat(ChatRequest(messages=messages, tools=())).message.to_openai()
            data = json.dumps({"choices": [{"message": said}], "usage": {}}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def test_command__judges_an_evaluation_over_http_and_calibrates(
    endpoint: str, tmp_path: Path, evaluated: Callable[[Path], Path]
) -> None:
    folder = evaluated(tmp_path / "evaluation")
    panel = tmp_path / "panel.yaml"
    panel.write_text(json.dumps({"members": [{"url": endpoint, "model": "scripted"}], "votes": 1}))
    ran = CliRunner().invoke(app, ["judge", "run", str(folder), "--panel", str(panel)])
    assert ran.exit_code == 0, ran.output
    assert "6 of 6 traces decided, 6 unanimously" in ran.output
    held = CliRunner().invoke(app, ["judge", "calibrate", str(folder), "--out", str(tmp_path / "c.json")])
    assert held.exit_code == 0, held.output
    found = json.loads((tmp_path / "c.json").read_text())
    assert (found["n"], found["undecided"], found["rubrics"][0]["agreement"]["mean"]) == (6, 0, 1.0)
    assert "undefined" in held.output


def test_command__wrong_panel__exit_2_names_the_file(tmp_path: Path) -> None:
    panel = tmp_path / "panel.yaml"
    panel.write_text("members: []\nvoices: 3\n")
    result = CliRunner().invoke(app, ["judge", "run", str(tmp_path), "--panel", str(panel)])
    assert result.exit_code == 2
    assert "panel.yaml" in result.output
    assert "voices" in result.output
