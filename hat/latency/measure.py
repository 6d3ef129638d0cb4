"""Play whole turns against an endpoint, so many at once, and say how long viewers waited.

A turn is an episode of the one loop under a harness: prompts, tool calls and retries are those of production, the tools
answer at once. What the server tells of speculative decoding is read from its Prometheus page before and after.
"""

import re
import time
from collections.abc import Mapping, Sequence
from math import ceil, floor
from random import Random
from statistics import NormalDist
from typing import Annotated

import httpx
from pydantic import Field

from hat.domains.task import Domain
from hat.episode import Trace, episode, run_episodes
from hat.episode.policies.openai import OpenAIPolicy
from hat.harness import Frozen
from hat.statistics import Estimate, mean_of
from hat.tracking.progress import Progress

QUANTILES = (0.5, 0.95, 0.99)
DRAFTED = "vllm:spec_decode_num_draft_tokens_total"
ACCEPTED = "vllm:spec_decode_num_accepted_tokens_total"
_LINE = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{[^}]*\})?\s+([0-9.eE+-]+)", re.MULTILINE)


class LatencyError(Exception):
    """Nothing could be measured; names the endpoint and the cause."""


class LatencyConfig(Frozen):
    """What is played."""

    turns: Annotated[int, Field(ge=1)] = 200
    concurrency: Annotated[int, Field(ge=1)] = 8
    """Turns under way at once."""
    warmup: Annotated[int, Field(ge=0)] = 8
    """Turns before the clock starts, so that caches and compiled kernels are there."""
    seed: int = 0
    within: Annotated[float, Field(gt=0)] = 15.0
    """Seconds that a viewer waits at most; the share of turns under it is told."""
    timeout: Annotated[float, Field(gt=0)] = 120.0
    """Seconds for one model call."""
    temperature: Annotated[float, Field(ge=0)] = 0.0
    max_tokens: Annotated[int, Field(ge=1)] = 512
    """Of one answer."""


class Quantile(Frozen):
    """One quantile of the turns' durations, in seconds; interval by order statistics, no shape assumed."""

    share: float
    seconds: float
    low: float
    """Of the 95 % interval; the shortest turn where there are too few."""
    high: float


class LatencyReport(Frozen):
    """What was measured."""

    model: str
    config: LatencyConfig
    hardware: str
    """As the caller names it."""
    n: int
    """Turns that were answered."""
    failed: int
    """Turns that the endpoint failed; they are in no quantile."""
    quantiles: tuple[Quantile, ...]
    under: Estimate
    """Share of all turns, failed ones too, that were answered within `config.within` seconds."""
    wall: float
    """Seconds from the first turn's start to the last one's end."""
    turns_per_second: float
    tokens_per_second: float
    """Completion tokens of all turns by wall time."""
    calls_per_turn: float
    """Model calls."""
    acceptance: float | None
    """Drafted tokens that were accepted, as the server counts them; None if it drafts none or does not tell."""


def measure(
    config: LatencyConfig, url: str, model: str, domain: Domain, hardware: str = "not named", key: str = ""
) -> LatencyReport:
    """Play turns of the domain's traffic mix against an endpoint.

    Raises:
        LatencyError: every turn failed; with the first cause.
    """
    rng, harness = Random(config.seed), domain.harness()
    tasks = [domain.sample(rng) for _ in range(config.warmup + config.turns)]
    sampling = {"temperature": config.temperature, "max_tokens": config.max_tokens}
    with (
        OpenAIPolicy(
            url, model, key, timeout=config.timeout, retries=0, concurrency=config.concurrency, sampling=sampling
        ) as policy,
        Progress(f"latency {model}", total=len(tasks), unit="turns") as progress,
    ):

        def play(part: int, until: int) -> list[Trace]:
            turns = [episode(harness, t.situation, domain.environment(t), model) for t in tasks[part:until]]
            traces = run_episodes(policy, turns)
            progress.update(until)
            return traces

        play(0, config.warmup)
        before = counters(url)
        began = time.perf_counter()
        traces = play(config.warmup, len(tasks))
        wall = time.perf_counter() - began
        after = counters(url)
    return summarise(config, model, traces, wall, hardware, acceptance(before, after))


def summarise(
    config: LatencyConfig, model: str, traces: Sequence[Trace], wall: float, hardware: str, accepted: float | None
) -> LatencyReport:
    """Count traces. Raises LatencyError if every turn failed."""
    answered = [trace for trace in traces if trace.stop != "policy_error"]
    if not answered:
        cause = next((trace.error for trace in traces if trace.error), "no turns")
        raise LatencyError(f"all {len(traces)} turns failed; the first: {cause}")
    seconds = sorted(trace.duration for trace in answered)
    calls = sum(message.role == "assistant" for trace in answered for message in trace.messages)
    earlier = sum(len(trace.situation.history) for trace in answered if trace.situation)
    within = [float(t.stop != "policy_error" and t.duration < config.within) for t in traces]
    return LatencyReport(
        model=model,
        config=config,
        hardware=hardware,
        n=len(answered),
        failed=len(traces) - len(answered),
        quantiles=tuple(quantile(seconds, share) for share in QUANTILES),
        under=mean_of(within),
        wall=wall,
        turns_per_second=len(answered) / wall,
        tokens_per_second=sum(trace.usage.completion_tokens for trace in answered) / wall,
        calls_per_turn=(calls - earlier) / len(answered),
        acceptance=accepted,
    )


def quantile(values: Sequence[float], share: float) -> Quantile:
    """A quantile of sorted values, with the order statistics that hold the true one in 95 of 100 samples.

    Normal approximation of the binomial (David and Nagaraja, Order Statistics, 2003, ch. 7); at the ends the extremes.
    """
    n = len(values)
    reach = NormalDist().inv_cdf(0.975) * (n * share * (1 - share)) ** 0.5
    low, high = floor(n * share - reach), ceil(n * share + reach)
    place = min(n - 1, max(0, ceil(n * share) - 1))
    return Quantile(
        share=share,
        seconds=values[place],
        low=values[min(place, max(0, low - 1))],
        high=values[max(place, min(n - 1, high))],
    )


def counters(url: str) -> dict[str, float]:
    """The server's counters of drafted and accepted tokens, summed over labels; empty if it does not tell."""
    try:
        answer = httpx.get(url.rstrip("/").removesuffix("/v1") + "/metrics", timeout=5.0)
        text = answer.text if answer.is_success else ""
    except httpx.HTTPError:
        text = ""
    found: dict[str, float] = {}
    for name, value in _LINE.findall(text):
        if name in (DRAFTED, ACCEPTED):
            found[name] = found.get(name, 0.0) + float(value)
    return found


def acceptance(before: Mapping[str, float], after: Mapping[str, float]) -> float | None:
    """The share of tokens drafted in between that were accepted; None if none were, or the server does not tell."""
    drafted = after.get(DRAFTED, 0.0) - before.get(DRAFTED, 0.0)
    return (after.get(ACCEPTED, 0.0) - before.get(ACCEPTED, 0.0)) / drafted if drafted > 0 else None
