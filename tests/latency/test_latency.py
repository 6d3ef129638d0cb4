"""Latency of turns: quantiles with right values, failures counted, what a server tells, and whole turns over HTTP."""

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from hat.cli import app
from hat.domains.livestream import Livestream
from hat.episode import Trace, Usage
from hat.latency import LatencyConfig, LatencyError, measure, summarise
from hat.latency.measure import acceptance, counters, quantile
from hat.latency.table import rows, table

PAUSE = 0.02
METRICS = """# HELP vllm:spec_decode_num_draft_tokens_total Number of draft tokens.
vllm:spec_decode_num_draft_tokens_total{engine="0",model_name="m"} %d.0
vllm:spec_decode_num_accepted_tokens_total{engine="0",model_name="m"} %d.0
"""


def trace(seconds: float, stop: str = "reply", tokens: int = 10) -> Trace:
    usage = Usage(prompt_tokens=100, completion_tokens=tokens)
    return Trace(
        id="t",
        task="t",
        harness="h",
        policy="m",
        messages=(),
        stop=stop,  # type: ignore[arg-type]
        error="refused" if stop == "policy_error" else None,
        usage=usage,
        duration=seconds,
    )


def test_quantile__of_known_values() -> None:
    values = [float(n) for n in range(1, 101)]
    half, most = quantile(values, 0.5), quantile(values, 0.95)
    assert (half.seconds, half.low, half.high) == (50.0, 40.0, 61.0)
    assert most.seconds == 95.0
    assert 88 <= most.low <= 92
    assert 99 <= most.high <= 100
    assert quantile([3.0], 0.99).seconds == 3.0


def test_quantile__interval_holds_the_true_one() -> None:
    rng, held = Random(2), 0
    for _ in range(400):
        found = quantile(sorted(rng.expovariate(1) for _ in range(120)), 0.5)
        held += found.low <= 0.6931 <= found.high
    assert 0.92 <= held / 400 <= 0.995


def test_summarise__failed_turns_are_in_no_quantile_and_not_under_the_limit() -> None:
    traces = [trace(1.0), trace(2.0), trace(20.0), trace(0.1, "policy_error")]
    report = summarise(LatencyConfig(), "m", traces, wall=4.0, hardware="here", accepted=None)
    assert (report.n, report.failed) == (3, 1)
    assert [q.seconds for q in report.quantiles] == [2.0, 20.0, 20.0]
    assert report.under.mean == 0.5
    assert report.tokens_per_second == 7.5


def test_summarise__all_failed__says_why() -> None:
    with pytest.raises(LatencyError, match="all 2 turns failed; the first: refused"):
        summarise(LatencyConfig(), "m", [trace(0.1, "policy_error")] * 2, 1.0, "here", None)


def test_acceptance__between_two_readings() -> None:
    drafted, accepted = "vllm:spec_decode_num_draft_tokens_total", "vllm:spec_decode_num_accepted_tokens_total"
    assert acceptance({drafted: 100, accepted: 50}, {drafted: 300, accepted: 206}) == pytest.approx(0.78)
    assert acceptance({}, {}) is None


class Server:
    """Answers every call after a pause with a reply, and counts how many it answers at once."""

    def __init__(self) -> None:
        self.most = self.now = self.calls = 0
        lock, server = Lock(), self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                with lock:
                    server.now += 1
                    server.calls += 1
                    server.most = max(server.most, server.now)
                time.sleep(PAUSE)
                with lock:
                    server.now -= 1
                message = {"role": "assistant", "content": "你好呀，欢迎来到直播间，常来玩"}
                self._send({"choices": [{"message": message}], "usage": {"prompt_tokens": 9, "completion_tokens": 12}})

            def do_GET(self) -> None:
                self._send(METRICS % (10 * server.calls, 6 * server.calls))

            def _send(self, body: Any) -> None:
                data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.close()


def test_measure__whole_turns_at_the_concurrency_asked_for(server: Server) -> None:
    config = LatencyConfig(turns=24, concurrency=4, warmup=4)
    report = measure(config, server.url, "m", Livestream(split="test"), "a pause")
    assert (report.n, report.failed) == (24, 0)
    assert 2 <= server.most <= 4
    assert report.calls_per_turn >= 1
    assert report.quantiles[0].seconds >= PAUSE
    assert report.acceptance == pytest.approx(0.6)
    assert counters(server.url)["vllm:spec_decode_num_draft_tokens_total"] == 10 * server.calls


def test_table_and_rows__paper_beside_with_its_hardware(server: Server) -> None:
    report = measure(LatencyConfig(turns=5, warmup=0), server.url, "m", Livestream(split="test"), "two cores")
    text = table(report)
    assert "m, two cores, 8 turns at once | the paper, one H20, MTP on" in text
    assert "| 3.407 |" in text
    found = {row["id"]: row for row in rows(report, {"cores": 2})}
    assert found["latency-p95"]["peer_value"] == 8.114
    assert found["latency-p99"]["peer"] is None
    assert all(row["goal"] is None and row["machine"]["serving"] == "two cores" for row in found.values())


def test_command__writes_the_rows(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hat.cli.bench.OUT", tmp_path)
    result = CliRunner().invoke(app, ["bench", "latency", server.url, "m", "--turns", "6", "--hardware", "two cores"])
    assert result.exit_code == 0, result.output
    assert "P95 of a turn" in result.output
    assert len(json.loads((tmp_path / "latency.json").read_text())) == 6


def test_command__nobody_there__exit_1_with_the_cause() -> None:
    result = CliRunner().invoke(app, ["bench", "latency", "http://127.0.0.1:9/v1", "m", "--turns", "2"])
    assert result.exit_code == 1
    assert "all 2 turns failed; the first: http://127.0.0.1:9/v1/chat/completions" in result.output
