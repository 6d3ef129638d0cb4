"""HTTP hooks: the payload goes out by POST, the verdict comes back as `{"decision": "block" | "allow", "reason": str}`.

One pooled client for the process; no redirects; an answer is read up to `MAX_BYTES` and `Hook.timeout` seconds in all.
"""

import atexit
import json
import time
from functools import cache

import httpx

from hat.episode.hooks.outcome import ALLOWED, Blocked, Failed, Outcome
from hat.episode.hooks.payload import Payload
from hat.harness import Hook

MAX_BYTES = 65_536
"""Longest answer that is read."""


@cache
def client() -> httpx.Client:
    """The pooled client, made on first use and closed at exit."""
    made = httpx.Client(follow_redirects=False, limits=httpx.Limits(max_connections=64))
    atexit.register(made.close)
    return made


def check(hook: Hook, payload: Payload) -> Outcome:
    """Blocks if the service says so; fails on no answer, another status than 2xx, or an answer of another form."""
    if not hook.url:
        return Failed("no address: give `url`")
    try:
        return _verdict(_post(hook.url, payload.to_json().encode(errors="replace"), hook.timeout))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return Failed(f"{hook.url}: {type(error).__name__}: {error}")


def _post(url: str, body: bytes, timeout: float) -> bytes:
    deadline = time.monotonic() + timeout
    headers = {"content-type": "application/json"}
    with client().stream("POST", url, content=body, headers=headers, timeout=timeout) as response:
        if not response.is_success:
            raise ValueError(f"status {response.status_code}")
        read = b""
        for chunk in response.iter_bytes():
            read += chunk
            if len(read) > MAX_BYTES:
                raise ValueError(f"answer longer than {MAX_BYTES} bytes")
            if time.monotonic() > deadline:
                raise ValueError(f"not done after {timeout} s")
        return read


def _verdict(body: bytes) -> Outcome:
    answer = json.loads(body)
    decision = answer.get("decision") if isinstance(answer, dict) else None
    if decision not in ("block", "allow"):
        raise ValueError(f"answer {body[:80]!r} has no decision block or allow")
    return Blocked(str(answer.get("reason") or "")) if decision == "block" else ALLOWED
