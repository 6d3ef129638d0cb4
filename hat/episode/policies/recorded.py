"""A policy that says again what a trace recorded."""

from hat.episode.chat import ChatRequest, ChatResponse, PolicyError, Usage
from hat.episode.trace import Trace


class RecordedPolicy:
    """Plays the assistant messages of one trace in order, once; then the error that ended it, if one did."""

    def __init__(self, trace: Trace) -> None:
        self.name = trace.policy
        ended = f"trace {trace.id!r} is played to its end; it records no further answer"
        self._error = ended if trace.error is None else trace.error
        opening = 2 + 2 * len(trace.situation.history) if trace.situation else 0
        self._answers = [message for message in trace.messages[opening:] if message.role == "assistant"]
        self._usage = trace.usage
        self._said = 0

    def chat(self, request: ChatRequest) -> ChatResponse:
        """The next recorded answer; the first carries the trace's whole usage. Raises `PolicyError` after the last."""
        if self._said == len(self._answers):
            raise PolicyError(self._error)
        self._said += 1
        usage = self._usage if self._said == 1 else Usage()
        return ChatResponse(message=self._answers[self._said - 1], usage=usage)
