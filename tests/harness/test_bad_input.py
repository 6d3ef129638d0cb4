"""Every kind of mistake becomes a finding with its file and line, all at once."""

import os
from pathlib import Path

import pytest

from hat.harness import HarnessError, load_harness, validate_dir

MANIFEST = "harness.yaml"
SKILL = "skills/item_qa/SKILL.md"
CHAT = "skills/chat/SKILL.md"
HOOK = "hooks/facts.yaml"
TOOL_HOOK = "hooks/tool_arguments.yaml"
SECTION = "prompts/workflow.md"
TOOL = "tools/get_stock.json"

EDITS = [
    # harness.yaml
    (MANIFEST, "locale: zh-CN", "locale: zh-CN\ncolour: red", 4, "unknown_key"),
    (MANIFEST, "  max_turns: 8", "  max_turns: 8\n  max_tokens: 5", 14, "unknown_key"),
    (MANIFEST, "max_turns: 8", "max_turns: 0", 13, "bad_value"),
    (MANIFEST, "max_turns: 8", "max_turns: no", 13, "bad_value"),
    (MANIFEST, "apiVersion: hat/v1\n", "", 1, "missing_key"),
    (MANIFEST, "hat/v1", "hat/v9", 1, "bad_value"),
    (MANIFEST, "livestream-qa", "Livestream QA", 2, "bad_value"),
    (MANIFEST, "locale: zh-CN", "locale: ''", 3, "bad_value"),
    (MANIFEST, "  - facts\n", "  - fact\n", 9, "missing_section"),
    (MANIFEST, "  - persona\n", "  - persona\n  - persona\n", 6, "duplicate_name"),
    (MANIFEST, "  - skills\n", "", 4, "missing_word"),
    (MANIFEST, "  - chat\n", "  - chitchat\n", 18, "missing_part"),
    (MANIFEST, "  - get_stock\n", "  - get_stock\n  - get_stock\n", 34, "duplicate_name"),
    (MANIFEST, "name: livestream-qa", "name: livestream-qa\nname: other", 3, "duplicate_key"),
    (MANIFEST, "  - persona", "  - &x persona\n  - *x", 5, "bad_yaml"),
    (MANIFEST, "limits:", "limits: [", 14, "bad_yaml"),
    (MANIFEST, "name: livestream-qa", "name: !!python/name:os.system x", 2, "bad_yaml"),
    # skills
    (SKILL, "name: item-qa", "name: Item_QA", 2, "bad_name"),
    (SKILL, "name: item-qa", f"name: {'a' * 65}", 2, "bad_name"),
    (SKILL, "name: item-qa", "name: item-qa-two\nmetadata: {}", 5, "duplicate_key"),
    (SKILL, "description: 答", f"description: {'长' * 1024}", 3, "too_long"),
    (SKILL, "description: 答商品、价格、库存和优惠", "description: ''", 3, "bad_value"),
    (SKILL, "description: 答商品、价格、库存和优惠\n", "", 2, "missing_key"),
    (SKILL, "description: 答商品、价格、库存和优惠", 'description: "一\\n二"', 3, "bad_value"),
    (SKILL, "metadata:", f"compatibility: {'c' * 501}\nmetadata:", 4, "too_long"),
    (SKILL, "metadata:", "version: 1.10\nmetadata:", 4, "unknown_key"),
    (SKILL, "  alias: item_qa", "  alias: item.qa", 5, "bad_name"),
    (SKILL, "  alias: item_qa", "  alias: goods_qa", 2, "folder_name"),
    (SKILL, "  alias: item_qa", "  alias: [item_qa]", 5, "bad_value"),
    (SKILL, "  kind: reply", "  kind: answer", 6, "bad_value"),
    (SKILL, "  opening: 亲", "  opening: 亲爱的", 7, "phrase_not_in_body"),
    (SKILL, "  closing: 喜欢就拍", "  closing: 快来下单", 8, "phrase_not_in_body"),
    (SKILL, "get_stock", "get_stocks", 9, "unknown_tool"),
    (SKILL, "- 以“喜欢就拍”结尾。", "- 以“喜欢就拍”结尾。\n- 见[表](a/b/c.md)", 15, "bad_reference"),
    (SKILL, "- 以“喜欢就拍”结尾。", "- 以“喜欢就拍”结尾。\n- 见[表](../x.md)", 15, "bad_reference"),
    (SKILL, "- 以“喜欢就拍”结尾。", "- 以“喜欢就拍”结尾。\n- 见[表](references/x.md)", 15, "bad_reference"),
    (SKILL, "---\nname", "name", 1, "no_front_matter"),
    (SKILL, "- 只答", "\n" * 500 + "- 只答", 12, "too_long"),
    (CHAT, "name: chat", "name: chat\nmetadata_: 1", 3, "unknown_key"),
    (CHAT, "name: chat", "name: item-qa", 2, "folder_name"),
    # hooks
    (HOOK, "event: Stop", "event: Stopp", 1, "unknown_event"),
    (HOOK, "kind: cel", "kind: python", 2, "bad_value"),
    (HOOK, "reply_numbers.exists", "reply_numbers.exists(", 3, "bad_cel"),
    (HOOK, "known_numbers", "all_numbers", 3, "unknown_variable"),
    (HOOK, "reply_numbers.exists(number, !(number in known_numbers))", "shout(reply)", 3, "unknown_function"),
    (HOOK, "reply_numbers.exists(number, !(number in known_numbers))", "reply.matches('[')", 3, "bad_regex"),
    (HOOK, "reply_numbers.exists(number, !(number in known_numbers))", "turn + 1", 3, "not_boolean"),
    (HOOK, "reply_numbers.exists(number, !(number in known_numbers))", "turn > limits.max_x", 3, "unknown_limit"),
    (HOOK, "reply_numbers.exists(number, !(number in known_numbers))", "size(reply) > 40", 3, "size_of_text"),
    (HOOK, "message: ", "message: '{who}'\n# ", 5, "unknown_placeholder"),
    (HOOK, "message: ", "matcher: get_.*\nmessage: ", 5, "unused_key"),
    (HOOK, "kind: cel", "kind: command", 2, "missing_key"),
    (HOOK, "kind: cel", "kind: cel\nurl: https://x.test", 3, "unused_key"),
    (HOOK, "kind: cel", "kind: http\nurl: ftp://x", 3, "bad_value"),
    (HOOK, "max_triggers: 8", "max_triggers: 9", 7, "bad_value"),
    (HOOK, "max_triggers: 8", "max_triggers: 2\ntimeout: 0", 8, "bad_value"),
    (HOOK, "max_triggers: 8", "max_triggers: 2\nrules: {opening: 亲}", 8, "phrase_not_in_message"),
    (HOOK, "max_triggers: 8", "max_triggers: 2\nrules: {ending: 查到}", 8, "unknown_key"),
    (TOOL_HOOK, "kind: cel", "kind: cel\nrules: {opening: 亲}", 3, "unused_key"),
    (TOOL_HOOK, "kind: cel", "kind: cel\nmatcher: 'get_('", 3, "bad_regex"),
    # prompt sections
    (SECTION, "    value: 4", "    value: 7", 4, "bad_limit"),
    (SECTION, "    min: 2", "    min: 9", 5, "bad_limit"),
    (SECTION, "    value: 4", "    value: four", 4, "bad_value"),
    (SECTION, "最多{max_tool_calls}次", "最多{max_calls}次", 11, "unknown_placeholder"),
    (SECTION, "最多{max_tool_calls}次", "最多4次", 3, "unused_limit"),
    (SECTION, "limits:\n  max_tool_calls", "limits:\n  max_emoji", 3, "duplicate_name"),
    (SECTION, "---\nlimits", "---\nrules:\n  opening: 亲\nlimits", 3, "phrase_not_in_body"),
    (SECTION, "---\nlimits", "---\nrules:\n  middle: 先\nlimits", 3, "unknown_key"),
    # tools
    (TOOL, '"name": "get_stock"', '"name": "get stock"', 2, "bad_name"),
    (TOOL, '"name": "get_stock"', '"name": "load_skill"', 2, "duplicate_name"),
    (TOOL, '"name": "get_stock"', '"name": "get_coupons"', 2, "duplicate_name"),
    (TOOL, '"name": "get_stock"', '"name": "get_shares"', 2, "file_name"),
    (TOOL, '"name": "get_stock",', '"name": "get_stock"', 3, "bad_json"),
    (TOOL, '"name": "get_stock",', '"name": "get_stock",\n  "name": "x",', 3, "duplicate_key"),
    (TOOL, '"name": "get_stock",', '"name": "get_stock",\n  "icons": [],', 3, "unknown_key"),
    (TOOL, '"type": "object"', '"type": "objekt"', 5, "bad_schema"),
    (TOOL, '"type": "object"', '"type": "string"', 5, "bad_schema"),
    (TOOL, '"description": "链接号"', '"description": 3', 9, "bad_schema"),
    (TOOL, '"description": "链接号"', '"pattern": "["', 9, "bad_schema"),
    (TOOL, '"description": "链接号"', '"$ref": "https://x.test/s.json"', 9, "bad_schema"),
    (TOOL, '"description": "链接号"', '"$ref": "#/$defs/none"', 9, "bad_schema"),
    (TOOL, '"link_id": {', '"链接": {', 7, "bad_name"),
    (TOOL, '"required": [\n      "link_id"', '"required": [\n      "link"', 13, "unknown_parameter"),
]


@pytest.mark.parametrize(("file", "old", "new", "line", "code"), EDITS)
def test_mistake__is_found_at_file_and_line(folder: Path, file: str, old: str, new: str, line: int, code: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")

    found = validate_dir(folder)

    assert any((f.file, f.line) == (file, line) and f.code == code for f in found), [str(f) for f in found]


def test_many_mistakes__are_found_at_once_and_sorted(folder: Path) -> None:
    for file, old, new in [
        (HOOK, "event: Stop", "event: Stopp"),
        (SECTION, "value: 4", "value: 9"),
        (TOOL, '"object"', '"objekt"'),
        (MANIFEST, "  - chat\n", "  - chitchat\n"),
        (SKILL, "opening: 亲", "opening: 嗨"),
    ]:
        (folder / file).write_text((folder / file).read_text("utf-8").replace(old, new, 1), "utf-8")

    with pytest.raises(HarnessError) as error:
        load_harness(folder)

    found = error.value.findings
    assert [f.code for f in found] == ["missing_part", "unknown_event", "bad_limit", "phrase_not_in_body", "bad_schema"]
    assert found == sorted(found)
    assert f"{HOOK}:1: event is 'Stopp'" in str(error.value)


def test_wrong_encoding__names_the_byte_and_the_line(folder: Path) -> None:
    (folder / SECTION).write_bytes("第一行\n价格\n".encode("gb18030"))

    (found,) = [f for f in validate_dir(folder) if f.code == "bad_encoding"]

    assert (found.file, found.line) == (SECTION, 1)
    assert "0xb5" in found.message


@pytest.mark.parametrize("text", ['{"name": "\\ud800"}', '{"a": NaN}', "{", "[]", "3", "", '{"a":' * 100_000])
def test_json_that_is_no_tool__is_a_finding(folder: Path, text: str) -> None:
    (folder / TOOL).write_text(text, "utf-8")

    assert {f.file for f in validate_dir(folder)} == {TOOL}


@pytest.mark.parametrize(
    "text", ["", "[]", "event: [", "- " * 30_000, "a: &a [*a, *a]", "event: \x00", "!!omap", "&x a: &x b"]
)
def test_yaml_that_is_no_hook__is_a_finding(folder: Path, text: str) -> None:
    (folder / HOOK).write_text(text, "utf-8")

    assert {f.file for f in validate_dir(folder)} == {HOOK}


def test_missing_skill_file__is_named(folder: Path) -> None:
    (folder / SKILL).rename(folder / "skills/item_qa/skill.md")

    assert [(f.file, f.code) for f in validate_dir(folder)] == [(MANIFEST, "missing_part"), (SKILL, "missing_file")]


def test_missing_manifest_or_folder__is_named(folder: Path) -> None:
    (folder / MANIFEST).unlink()

    assert [(f.file, f.code) for f in validate_dir(folder)] == [(MANIFEST, "missing_file")]
    assert [f.code for f in validate_dir(folder / "nowhere")] == ["not_found"]


def test_stray_file__is_found_and_litter_is_not(folder: Path) -> None:
    (folder / "hook").mkdir()
    (folder / "hook" / "x.yaml").write_text("event: Stop")
    for name in ("README.md", ".DS_Store", "hooks/facts.yaml~", "hooks/.facts.yaml.swp"):
        (folder / name).write_text("x")
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / "harness.yaml").write_text("x")

    assert [(f.file, f.code) for f in validate_dir(folder)] == [("hook/x.yaml", "unexpected_file")]


def test_links__may_not_leave_the_folder(folder: Path) -> None:
    outside = folder.parent / "secret.md"
    outside.write_text("秘密")
    (folder / "skills/chat/outside.md").symlink_to(outside)
    (folder / "skills/chat/broken.md").symlink_to("nothing.md")
    (folder / "skills/chat/round").symlink_to(folder, target_is_directory=True)
    (folder / "skills/chat/inside.md").symlink_to(folder / SKILL)

    found = {f.file for f in validate_dir(folder) if f.code == "bad_link"}

    assert found == {f"skills/chat/{name}" for name in ("outside.md", "broken.md", "round")}


def test_pipe__is_refused_without_reading_it(folder: Path) -> None:
    os.mkfifo(folder / "hooks" / "late.yaml")

    assert [(f.file, f.code) for f in validate_dir(folder)] == [("hooks/late.yaml", "bad_file")]


def test_no_reply_skill__is_found(folder: Path) -> None:
    for path in folder.glob("skills/*/SKILL.md"):
        path.write_text(path.read_text("utf-8").replace("kind: reply", "kind: strategy"), "utf-8")

    assert [(f.file, f.line, f.code) for f in validate_dir(folder)] == [("harness.yaml", 15, "no_reply_skill")]


def test_same_name_twice__is_found(folder: Path) -> None:
    (folder / "hooks/facts.yml").write_text((folder / HOOK).read_text("utf-8"), "utf-8")
    chat = (folder / CHAT).read_text("utf-8")
    (folder / "skills/talk").mkdir()
    (folder / "skills/talk/SKILL.md").write_text(chat.replace("kind:", "alias: chat\n  kind:"), "utf-8")

    found = {(f.file, f.line, f.code) for f in validate_dir(folder)}

    assert ("hooks/facts.yml", 1, "duplicate_name") in found
    assert ("skills/talk/SKILL.md", 5, "duplicate_name") in found


def test_phrase_of_two_hooks__is_found(folder: Path) -> None:
    for name in ("facts", "reply_format"):
        file = folder / f"hooks/{name}.yaml"
        text = file.read_text("utf-8").replace("message: ", "message: 亲，", 1)
        file.write_text(text + "rules:\n  opening: 亲\n", "utf-8")
    assert [(f.file, f.code) for f in validate_dir(folder)] == [("hooks/reply_format.yaml", "duplicate_name")]


def test_section_out_of_order__is_found_in_its_file(folder: Path) -> None:
    (folder / "prompts/greeting.md").write_text("欢迎\n", "utf-8")

    assert [(f.file, f.line, f.code) for f in validate_dir(folder)] == [("prompts/greeting.md", 1, "not_in_order")]


@pytest.mark.parametrize(
    ("binding", "code"),
    [
        ('{"tool": "get_stock", "params": {"link": "link_id"}}', "bad_binding"),
        ('{"tool": "get_stock", "fixed": {"link_id": 1}}', "bad_binding"),
        ('{"tool": "get_stock", "fields": []}', "bad_binding"),
        ('{"tool": "get_stock", "dropped": ["link"]}', "bad_binding"),
        ('{"tool": "get_stock", "params": {"link_id": "id"}, "dropped": ["link_id"]}', "bad_binding"),
        ('{"tool": "get_stock", "defaults": {"rows": 1}}', "bad_binding"),
        ('{"tool": "get stock"}', "bad_name"),
        ('{"tool": "get_stock", "extra": 1}', "unknown_key"),
        ('{"params": {}}', "missing_key"),
    ],
)
def test_binding_that_does_not_fit__is_found(folder: Path, binding: str, code: str) -> None:
    text = (folder / TOOL).read_text("utf-8")
    meta = f'{{\n  "_meta": {{"hat/binding": {binding}}},'
    (folder / TOOL).write_text(text.replace("{", meta, 1), "utf-8")

    assert [(f.file, f.line, f.code) for f in validate_dir(folder)] == [(TOOL, 2, code)]


def test_lenient__lets_other_peoples_habits_pass(folder: Path) -> None:
    text = (folder / CHAT).read_text("utf-8")
    text = text.replace("name: chat", "name: Chat Skill\nauthor: someone").replace("kind:", "alias: chat\n  kind:")
    (folder / CHAT).write_text(text, "utf-8")

    assert {f.code for f in validate_dir(folder)} == {"bad_name", "unknown_key"}
    assert load_harness(folder, lenient=True).skill_by_alias["chat"].name == "Chat Skill"
