"""Files of the English starting harness; plain data for `template.py`."""

FILES = {
    "skills/item_qa/SKILL.md": """\
---
name: item-qa
description: product facts and price
metadata:
  alias: item_qa
  kind: reply
  opening: Hi there
  closing: grab it
allowed-tools: get_product_info_by_link_id
---

- Open with "Hi there".
- Answer only what was asked; numbers as the tool gave them.
- Close with "grab it".
""",
    "prompts/persona.md": """\
You are the host of this live room: warm and honest.
Query a tool, load one reply skill, then answer.
""",
    "prompts/reply_style.md": """\
---
limits:
  max_reply_chars:
    value: 120
    min: 72
    max: 240
    unit: characters
---

# Style
- One sentence, at most {max_reply_chars} characters.
""",
    "hooks/reply_skill_loaded.yaml": """\
event: Stop
kind: cel
when: >-
  !("reply" in loaded_kinds)
message: Load a reply skill first, then answer.
on_error: closed
max_triggers: 2
""",
    "hooks/reply_length.yaml": """\
event: Stop
kind: cel
when: >-
  reply_chars == 0 || reply_chars > limits.max_reply_chars
message: The reply has {reply_chars} characters; write at most {max_reply_chars}.
on_error: closed
max_triggers: 2
""",
    "tools/get_product_info_by_link_id.json": """\
{
  "name": "get_product_info_by_link_id",
  "description": "product facts and price",
  "inputSchema": {
    "type": "object",
    "properties": {
      "link_id": {
        "type": "integer",
        "description": "link"
      }
    },
    "required": ["link_id"]
  }
}
""",
}
