"""A policy behind an OpenAI-compatible endpoint (`POST {base_url}/chat/completions`), such as vLLM or KServe.

Refused connections, timeouts, 408, 429, 5xx and answers that are no chat completion are tried again within limits,
with jittered back-off or as the server's Retry-After says; then, and at once for any other status, a `PolicyError`
names the URL, the attempts and the cause. The key is never part of a message.
"""

import random
import threading
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from hat.episode.chat import ChatRequest, ChatResponse, Message, PolicyError
from hat.episode.policies.completion import parse_completion

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses worth another attempt."""
MAX_BYTES = 8 << 20
"""Longest answer that is read."""
MAX_WAIT = 30.0
"""Seconds between two attempts at most, whatever the server asks."""


class _PassingError(Exception):
    """A failure that another attempt may mend; `wait` is what the server asked for, in seconds."""

    def __init__(self, cause: str, wait: float | None = None) -> None:
        super().__init__(cause)
        self.wait = wait


class OpenAIPolicy:
    """One model at one endpoint; safe to share between threads, connections pooled. Close it, or use it in `with`."""

    def __init__(  # noqa: PLR0913 - each a plain setting
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        timeout: float = 30.0,
        retries: int = 3,
        concurrency: int = 8,
        sampling: Mapping[str, Any] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        rng: random.Random | None = None,
    ) -> None:
        """Nothing is sent yet.

        Args:
            base_url: up to and with the version, such as `http://127.0.0.1:8000/v1`.
            model: its name at the endpoint, and the policy's name.
            api_key: sent as a bearer token, if any.
            timeout: seconds for one attempt.
            retries: attempts after the first.
            concurrency: episodes that `run_episodes` has under way at once.
            sampling: further fields of the request: temperature, max_tokens, seed, ...
            sleep: waits so many seconds between attempts.
            rng: jitter.
        """
        self.name = model
        self.url = base_url.rstrip("/") + "/chat/completions"
        self.concurrency = concurrency
        self._retries = retries
        self._timeout = timeout
        self._sampling = dict(sampling or {})
        self._sleep = sleep
        self._rng = rng or random.Random()
        self._lock = threading.Lock()
        headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        limits = httpx.Limits(max_connections=max(concurrency, 1) * 2, max_keepalive_connections=max(concurrency, 1))
        self._client = httpx.Client(headers=headers, timeout=timeout, limits=limits)

    def __enter__(self) -> "OpenAIPolicy":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the pooled connections go."""
        self._client.close()

    def chat(self, request: ChatRequest) -> ChatResponse:
        """One assistant message. Raises `PolicyError`."""
        body = self._body(request)
        attempts = self._retries + 1
        for attempt in range(1, attempts + 1):
            try:
                return parse_completion(self._post(body))
            except _PassingError as failure:
                cause, wait = str(failure), failure.wait
            except ValueError as error:
                cause, wait = f"garbage: {error}", None
            if attempt < attempts:
                self._sleep(self._pause(attempt, wait))
        raise PolicyError(f"{self.url}: no answer in {attempts} attempts; last: {cause}")

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        body = {"model": self.name, "messages": [_sendable(message) for message in request.messages]} | self._sampling
        return body | {"tools": list(request.tools)} if request.tools else body

    def _post(self, body: dict[str, Any]) -> bytes:
        """The answer's bytes. Raises _PassingError for what may mend itself, PolicyError for what won't."""
        try:
            with self._client.stream("POST", self.url, json=body) as response:
                content = self._read(response)
        except httpx.TimeoutException as error:
            raise _PassingError(f"{type(error).__name__} after {self._timeout} s") from error
        except httpx.TransportError as error:
            raise _PassingError(f"{type(error).__name__}: {error}") from error
        except (httpx.InvalidURL, httpx.HTTPError) as error:
            raise PolicyError(f"{self.url}: {type(error).__name__}: {error}") from error
        if response.is_success:
            return content
        cause = f"status {response.status_code}: {content[:200].decode(errors='replace')}"
        if response.status_code in AGAIN:
            raise _PassingError(cause, _retry_after(response.headers.get("retry-after")))
        raise PolicyError(f"{self.url}: {cause}")

    def _read(self, response: httpx.Response) -> bytes:
        """At most `MAX_BYTES`, within the timeout in all, however slowly the server drips."""
        deadline = time.monotonic() + self._timeout
        content = b""
        for chunk in response.iter_bytes():
            content += chunk
            if len(content) > MAX_BYTES:
                raise _PassingError(f"answer longer than {MAX_BYTES} bytes")
            if time.monotonic() > deadline:
                raise _PassingError(f"answer not done after {self._timeout} s")
        return content

    def _pause(self, attempt: int, asked: float | None) -> float:
        """Seconds: what the server asked, or full jitter on 0.5 s doubled each time."""
        if asked is not None:
            return min(asked, MAX_WAIT)
        with self._lock:
            return self._rng.uniform(0.1, min(0.5 * 2 ** (attempt - 1), MAX_WAIT))


def _retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header, which is a number or a date; None if there is none that can be read."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def _sendable(message: Message) -> dict[str, Any]:
    """The message as sent: servers refuse a history whose tool arguments are no JSON object, so raw text is wrapped."""
    calls = tuple(
        call.model_copy(update={"arguments": {"unparsed": call.arguments}}) if isinstance(call.arguments, str) else call
        for call in message.tool_calls
    )
    return message.model_copy(update={"tool_calls": calls}).to_openai() if calls else message.to_openai()
