"""Files of the Chinese starting harness; plain data for `template.py`."""

FILES = {
    "skills/item_qa/SKILL.md": """\
---
name: item-qa
description: 答商品和价格
metadata:
  alias: item_qa
  kind: reply
  opening: 亲
  closing: 喜欢就拍
allowed-tools: get_product_info_by_link_id
---

- 以“亲”开头。
- 只答问到的，数字照工具结果说。
- 以“喜欢就拍”结尾。
""",
    "prompts/persona.md": """\
你是直播间的主播，热情又实在。
先查工具，再读一个回复技能，最后回答。
""",
    "prompts/reply_style.md": """\
---
limits:
  max_reply_chars:
    value: 40
    min: 24
    max: 80
    unit: 字
---

# 口吻
- 一句话，不超过{max_reply_chars}字。
""",
    "hooks/reply_skill_loaded.yaml": """\
event: Stop
kind: cel
when: >-
  !("reply" in loaded_kinds)
message: 请先读取一个回复技能，再回答。
on_error: closed
max_triggers: 2
""",
    "hooks/reply_length.yaml": """\
event: Stop
kind: cel
when: >-
  reply_chars == 0 || reply_chars > limits.max_reply_chars
message: 回复有{reply_chars}字，不能超过{max_reply_chars}字。
on_error: closed
max_triggers: 2
""",
    "tools/get_product_info_by_link_id.json": """\
{
  "name": "get_product_info_by_link_id",
  "description": "查商品资料和价格",
  "inputSchema": {
    "type": "object",
    "properties": {
      "link_id": {
        "type": "integer",
        "description": "链接号"
      }
    },
    "required": ["link_id"]
  }
}
""",
}
