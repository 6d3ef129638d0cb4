"""Loading brings text to one form; saving replaces a harness as a whole or not at all."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hat.harness import Harness, HarnessError, digest, load_harness, normalized, save_harness, swap, validate
from hat.harness.template import new_harness
from tests.harness.conftest import EXAMPLES


def edit(folder: Path, file: str, change: Callable[[bytes], bytes]) -> None:
    (folder / file).write_bytes(change((folder / file).read_bytes()))


@pytest.mark.parametrize("name", ["harness", "harness-en"])
def test_example__has_what_the_platform_promises(name: str) -> None:
    harness = load_harness(EXAMPLES / name)

    kinds = {skill.alias: skill.kind for skill in harness.skills}
    assert kinds == {
        **dict.fromkeys(["item_qa", "size_advice", "chat", "clarification", "after_sales"], "reply"),
        **dict.fromkeys(["compare_items", "promotion"], "strategy"),
    }
    assert all({"opening", "closing"} == skill.rules.keys() for skill in harness.skills if skill.kind == "reply")
    assert (len(harness.sections), len(harness.hooks), len(harness.tools)) == (5, 6, 9)
    assert {"max_reply_chars", "max_tool_calls", "max_emoji"} <= harness.limits.keys()


def test_examples__mirror_each_other() -> None:
    chinese, english = (load_harness(EXAMPLES / name) for name in ("harness", "harness-en"))

    assert chinese.order == english.order
    assert [s.alias for s in chinese.skills] == [s.alias for s in english.skills]
    assert [t.name for t in chinese.tools] == [t.name for t in english.tools]
    assert [t.input_schema["required"] for t in chinese.tools] == [t.input_schema["required"] for t in english.tools]
    assert [(h.name, h.event) for h in chinese.hooks] == [(h.name, h.event) for h in english.hooks]
    assert chinese.limits.keys() == english.limits.keys()


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_new_harness__is_valid(tmp_path: Path, locale: str) -> None:
    new_harness(tmp_path / "new", locale)

    assert load_harness(tmp_path / "new").locale == locale
    with pytest.raises(FileExistsError, match="is there already"):
        new_harness(tmp_path / "new", locale)
    with pytest.raises(ValueError, match="no template for locale 'fr'"):
        new_harness(tmp_path / "other", "fr")


def test_form_of_text__does_not_count(folder: Path) -> None:
    before = digest(load_harness(folder))
    edit(folder, "skills/item_qa/SKILL.md", lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    edit(folder, "prompts/persona.md", lambda data: b"\n\n" + data + b"\n\n")
    edit(folder, "tools/get_stock.json", lambda data: data.replace(b"\n", b"\r\n").replace(b'  "', b'\t"'))
    for path in folder.rglob("*.yaml"):
        os.utime(path, (0, 0))
        path.chmod(0o600)

    assert digest(load_harness(folder)) == before


def test_composed_and_decomposed_characters__are_one(folder: Path) -> None:
    persona = folder / "prompts/persona.md"
    persona.write_text("Caf\u00e9\n", "utf-8")
    composed = load_harness(folder)
    persona.write_text("Cafe\u0301\n", "utf-8")

    assert load_harness(folder) == composed


@pytest.mark.parametrize("value", ["no", "1.10", "2026-11-30", "0x10", "1e3", "12:30", "true"])
def test_yaml_scalars__stay_text_where_text_is_meant(folder: Path, value: str) -> None:
    edit(folder, "skills/chat/SKILL.md", lambda data: data.replace(b"metadata:", f"metadata:\n  v: {value}".encode()))

    assert load_harness(folder).skill_by_alias["chat"].metadata["v"] == value


def test_one_changed_byte__changes_the_digest(folder: Path) -> None:
    before = digest(load_harness(folder))
    for file in ("prompts/persona.md", "skills/chat/SKILL.md", "hooks/facts.yaml", "tools/get_lottery.json"):
        old = (folder / file).read_bytes()
        edit(folder, file, lambda data: data.replace("抽奖".encode(), b"x").replace("，".encode(), b"x"))
        assert (folder / file).read_bytes() != old
        assert digest(load_harness(folder)) != before
        (folder / file).write_bytes(old)
    assert digest(load_harness(folder)) == before


def test_resources__are_kept_as_they_are(folder: Path) -> None:
    data = bytes(range(256)) + b"\r\n"
    (folder / "skills/chat/assets").mkdir()
    (folder / "skills/chat/assets/sound.bin").write_bytes(data)
    save_harness(load_harness(folder), folder)

    assert (folder / "skills/chat/assets/sound.bin").read_bytes() == data
    assert load_harness(folder).skill_by_alias["chat"].resources == {"assets/sound.bin": data}


def test_parts_without_a_place_in_the_lists__follow_by_name(folder: Path) -> None:
    text = (folder / "harness.yaml").read_text("utf-8")
    (folder / "harness.yaml").write_text(text.partition("skills:\n")[0] + "tools:\n  - get_stock\n", "utf-8")

    harness = load_harness(folder)

    assert [tool.name for tool in harness.tools][:2] == ["get_stock", "get_after_sales_policy"]
    assert [skill.alias for skill in harness.skills] == sorted(skill.alias for skill in harness.skills)


def test_save__keeps_readme_and_drops_what_is_gone(folder: Path, harness: Harness) -> None:
    (folder / "README.md").write_text("说明", "utf-8")
    fewer = harness.model_copy(update={"hooks": harness.hooks[:1]})
    save_harness(fewer, folder)

    assert (folder / "README.md").read_text("utf-8") == "说明"
    assert [path.name for path in folder.glob("hooks/*")] == [f"{harness.hooks[0].name}.yaml"]
    assert load_harness(folder) == fewer


def test_save__refuses_a_folder_that_is_no_harness(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "thesis.tex").write_text("x")

    with pytest.raises(FileExistsError, match=r"thesis\.tex"):
        save_harness(harness, tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_save__refuses_what_would_not_load(tmp_path: Path, harness: Harness) -> None:
    chat = harness.skill_by_alias["chat"]
    for update, code in [
        ({"metadata": chat.metadata | {"alias": "../../x"}}, "missing_part"),
        ({"metadata": chat.metadata | {"opening": "嗨"}}, "phrase_not_in_body"),
        ({"body": chat.body + "\n"}, "not_normal"),
        ({"resources": {"../../x": b""}}, "bad_reference"),
    ]:
        broken = harness.model_copy(update={"skills": (chat.model_copy(update=update),)})
        with pytest.raises(HarnessError) as error:
            save_harness(broken, tmp_path / "h")
        assert code in {finding.code for finding in error.value.findings}
        assert not list(tmp_path.iterdir())


def test_normalized__is_what_saving_needs(tmp_path: Path, harness: Harness) -> None:
    loose = harness.model_copy(
        update={"sections": tuple(s.model_copy(update={"body": s.body + "\r\n"}) for s in harness.sections)}
    )

    assert {finding.code for finding in validate(loose)} == {"not_normal"}
    assert normalized(loose) == harness


def test_failed_write__leaves_the_old_harness(folder: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save_harness(harness.model_copy(update={"name": "other"}), folder)

    assert load_harness(folder) == harness
    assert [path.name for path in folder.parent.iterdir()] == ["harness"]


def test_kill_at_any_moment__leaves_old_or_new(folder: Path) -> None:
    script = (
        "import sys\nfrom hat.harness import load_harness, save_harness\n"
        "h = load_harness(sys.argv[1])\nprint('ready', flush=True)\n"
        "for n in range(10**6):\n    save_harness(h.model_copy(update={'max_turns': 1 + n % 9}), sys.argv[1])\n"
    )
    before = load_harness(folder)
    for delay in (0.0, 0.01, 0.05):
        writer = subprocess.Popen([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE)
        with writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                writer.wait(delay)
            writer.kill()
        after = load_harness(folder)
        assert after.model_copy(update={"max_turns": before.max_turns}) == before


def test_replacement_broken_off_between_two_renames__is_finished(
    folder: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swap, "_exchange", lambda fresh, target: False)
    other = harness.model_copy(update={"max_turns": 3})
    save_harness(other, folder)
    assert load_harness(folder) == other
    folder.rename(folder.with_name(".harness.old"))

    assert load_harness(folder) == other
    shutil.copytree(folder, folder.with_name(".harness.old"))
    assert load_harness(folder) == other
    assert [path.name for path in folder.parent.iterdir()] == ["harness"]
