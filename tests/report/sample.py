"""A report's data made up for the tests: figures of no run, content in Chinese and English."""

from hat.report import Call, Chart, Example, Family, Number, ReportData, Side

SCORES = {
    "T1": {"base": 0.533, "fixed": 0.994, "result": 0.991},
    "T2": {"base": 0.667, "fixed": 0.526, "result": 0.902},
    "edits": {"base": 0.501, "fixed": 0.362, "result": 0.739},
    "T4": {"base": 0.662, "fixed": 0.503, "result": 0.687},
}
PROMPT = """你是主播小桃，语气亲切。

# 技能
- 商品问答：item_qa
- 闲聊：chat

# 工具
- 查商品：get_product_info_by_link_id

回复不超过40字。"""


def example(number: int) -> Example:
    """One question, right under both harnesses; every third variant fails."""
    failed = number % 3 == 2
    variant = PROMPT.replace("item_qa", "bo_ke").replace("get_product_info_by_link_id", "ra_mi").replace("40", "32")
    return Example(
        kind="price",
        message=f"{number + 1}号链接多少钱？<b>",
        context={"current_link_id": number, "time": "20:15"},
        trail=("skill_ids: rename", "tools: rename", "prompt: limits"),
        original=Side(
            prompt=PROMPT,
            calls=(
                Call(name="get_product_info_by_link_id", arguments={"link_id": number + 1}),
                Call(name="load_skill", arguments={"skill": "item_qa"}),
            ),
            skills=("item_qa",),
            reply="宝宝，3号链接是亚麻衬衫，现价129元，快来抢购",
            accuracy=1,
            effectiveness=1,
        ),
        variant=Side(
            prompt=variant,
            calls=(
                Call(name="ra_mi", arguments={"link_id": number + 1}, error="timeout" if failed else None),
                Call(name="load_skill", arguments={"skill": "bo_ke"}),
            ),
            hooks=("facts (Stop) blocked: 数字没有出处",) if failed else (),
            skills=("bo_ke",),
            reply=None if failed else "宝宝，现价129元，快来抢购",
            accuracy=0 if failed else 1,
            effectiveness=0 if failed else 0.5,
            problems=("no reply (max_retries)",) if failed else (),
        ),
    )


def sample() -> ReportData:
    """A whole report."""
    numbers = [
        Number(policy=policy, suite=suite, n=300, mean=mean, low=max(0, mean - 0.03), high=min(1, mean + 0.03))
        for suite, row in SCORES.items()
        for policy, mean in row.items()
    ]
    families = [
        Family(policy=policy, family=family, n=120, mean=mean, low=mean - 0.05, high=mean + 0.05)
        for family in ("skill_ids", "skill_content", "tools", "prompt", "hooks")
        for policy, mean in SCORES["T2"].items()
    ]
    curve = [(step, 2.4 / (1 + step / 12)) for step in range(1, 161)]
    return ReportData(
        title="Harness-aware training: livestream",
        verdict="promote",
        reason="T2 rose by 23.5 points over the base and T4 by 2.5; no suite fell.",
        numbers=tuple(numbers),
        families=tuple(families),
        charts=(
            Chart(
                title="SFT: loss",
                curves={"fixed harness": curve, "augmented": [(s, y + 0.2) for s, y in curve]},
            ),
            Chart(title="OPD: divergence from the base", curves={"nats a token": curve}),
            Chart(title="RL: rewards", curves={n: [(s, 1 - y / k) for s, y in curve] for k, n in enumerate("wxyz", 3)}),
        ),
        examples=tuple(example(number) for number in range(10)),
        facts={"Harness": "`sha256:" + "a1" * 32 + "`", "Code": "`0.1.0`", "Seed": "0"},
        following=("Open the runs: `make ui`", "Change a skill and measure again: `hat demo --harness my/harness`"),
    )
