"""A small harness and world of two products, scripted policies, and how a test server answers."""

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

from hat.episode import ChatRequest, ChatResponse, Message, Situation, ToolCall, ToolError
from hat.harness import Binding, Harness, Hook, Limit, PromptSection, Skill, Tool

PRODUCTS = {1: {"link_id": 1, "title": "棉衬衫", "price": 99}, 2: {"link_id": 2, "title": "麻裤", "price": 129}}

HOOKS = (
    Hook(name="input", event="UserPromptSubmit", when="message.contains('身份证')", message="这个问题不方便回答"),
    Hook(
        name="arguments",
        event="PreToolUse",
        when="has(tool_input.link_id) && tool_input.link_id < 1",
        message="链接号要大于 0",
    ),
    Hook(
        name="skill",
        event="Stop",
        when="!loaded_kinds.exists(k, k == 'reply')",
        message="先读取回复技能",
        max_triggers=8,
    ),
    Hook(
        name="length",
        event="Stop",
        when="reply_chars > limits.max_reply_chars",
        message="{reply_chars} 字，上限 {max_reply_chars} 字",
    ),
    Hook(name="claims", event="Stop", when="['全网最低', '第一'].exists(w, reply.contains(w))", message="不要夸大"),
    Hook(
        name="facts",
        event="Stop",
        when="reply_numbers.exists(n, !(n in known_numbers))",
        message="数字没有依据：{reply_numbers}",
        max_triggers=8,
    ),
)


def build(hooks: tuple[Hook, ...] = HOOKS, **changes: Any) -> Harness:
    """The harness, with other hooks or fields."""
    link = {"type": "object", "properties": {"link": {"type": "integer"}}, "required": ["link"]}
    return Harness(
        **{
            "name": "small",
            "order": ("persona", "skills", "tools"),
            "skills": (
                Skill(name="item-qa", description="商品问答", body="直接回答。", metadata={"alias": "item_qa"}),
                Skill(name="compare", description="比较", body="先查再比。", metadata={"kind": "strategy"}),
            ),
            "sections": (
                PromptSection(
                    name="persona",
                    body="你是主播，回复不超过 {max_reply_chars} 字。",
                    limits={"max_reply_chars": Limit(value=40, min=24, max=80)},
                ),
            ),
            "tools": (
                Tool(
                    name="look_up",
                    description="查商品",
                    input_schema=link | {"additionalProperties": False},
                    binding=Binding(tool="get_product", params={"link": "link_id"}),
                ),
                Tool(
                    name="get_price",
                    description="查价格",
                    input_schema={"type": "object", "properties": {"link_id": {"type": "integer"}}},
                    binding=Binding(tool="get_product", fields=("price",)),
                ),
            ),
            "hooks": hooks,
        }
        | changes
    )


class World:
    """Two products; a product can be given any other answer, an exception included."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        self.asked.append((tool, arguments))
        answer = self.answers.get(tool, PRODUCTS.get(arguments.get("link_id", 0), ToolError("not_found")))
        if isinstance(answer, Exception):
            raise answer
        return answer


class Scripted:
    """Says the given answers in order, the last one for ever."""

    name = "scripted"

    def __init__(self, *answers: Message | str | Exception) -> None:
        self._answers = answers
        self.requests: list[ChatRequest] = []

    def chat(self, request: ChatRequest) -> ChatResponse:
        self.requests.append(request)
        answer = self._answers[min(len(self.requests), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return ChatResponse(message=said(answer) if isinstance(answer, str) else answer)


def said(content: str) -> Message:
    return Message(role="assistant", content=content)


def calling(name: str, arguments: dict[str, Any] | str | None = None, call_id: str = "") -> Message:
    call = ToolCall(id=call_id, name=name, arguments={} if arguments is None else arguments)
    return Message(role="assistant", tool_calls=(call,))


LOADED = calling("load_skill", {"skill": "item_qa"})
LOOKED = calling("look_up", {"link": 1})


def ask(message: str = "多少钱", **context: Any) -> Situation:
    return Situation(id="t1", message=message, context={"current_link_id": 1} | context)


def answer(handler: BaseHTTPRequestHandler, body: Any, status: int = 200, **headers: str) -> None:
    """Send a body (bytes as they are, anything else as JSON)."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in ({"content-length": str(len(content))} | headers).items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)
