"""Harnesses and tasks for these tests."""

from functools import cache
from random import Random

from hat.domains.livestream.domain import Livestream
from hat.domains.task import Task
from hat.domains.verify import Verdict
from hat.harness import Binding, Harness, Hook, Limit, PromptSection, Skill, Tool
from hat.hsa.preserve import play_oracle

LINK = {
    "type": "object",
    "properties": {"link_id": {"type": "integer", "description": "链接号"}},
    "required": ["link_id"],
}


def talkative(locale: str = "zh-CN") -> Harness:
    """A harness whose every kind of prose mentions names of tools, parameters and skills."""
    return Harness(
        name="talkative",
        locale=locale,
        order=("persona", "skills", "tools"),
        skills=(
            Skill(
                name="item-qa",
                description="答商品，先用 get_stock",
                body="- 用 get_stock 查 link_id。\n- 以“亲”开头。\n- 以“喜欢就拍”结尾。\n- 不清楚就读 chat。",
                metadata={"alias": "item_qa", "opening": "亲", "closing": "喜欢就拍"},
                allowed_tools=("get_stock", "get_price"),
                resources={"references/note.md": "见 get_stock".encode(), "logo.png": b"\x89get_stock"},
            ),
            Skill(name="chat", description="闲聊", body="- 闲聊。", metadata={"kind": "reply"}),
        ),
        hooks=(
            Hook(
                name="stock_first",
                event="PreToolUse",
                matcher="get_(stock|price)",
                when='tool_name == "get_stock" && tool_input.link_id <= 0 && !("item_qa" in loaded_skills)',
                message="{tool_name} 要 link_id，见 item_qa。",
            ),
        ),
        sections=(
            PromptSection(
                name="persona",
                body="用 get_stock 查 current_link_id，最多{max_reply_chars}字。",
                limits={"max_reply_chars": Limit(value=40, min=24, max=80)},
            ),
        ),
        tools=(
            Tool(name="get_stock", description="查库存，价格用 get_price", input_schema=LINK),
            Tool(
                name="get_price",
                description="查价格",
                input_schema=LINK,
                binding=Binding(tool="get_product_info_by_link_id", fields=("price",)),
            ),
        ),
    )


@cache
def livestream(locale: str = "zh-CN") -> Livestream:
    """The example domain, test split, one for all tests."""
    return Livestream(split="test", locale=locale)


@cache
def played(locale: str = "zh-CN", count: int = 150) -> tuple[tuple[Task, ...], dict[str, Verdict]]:
    """Tasks of the mix, and the oracle's verdicts on them under the original harness."""
    domain, rng = livestream(locale), Random(11)
    tasks = tuple(domain.sample(rng) for _ in range(count))
    return tasks, {task.id: play_oracle(domain.harness(), task, domain) for task in tasks}
