import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from hat.evaluation.edits import EditError, EditFile, lay_over, load_edit, load_edits
from hat.harness import Harness, digest
from hat.harness.files import load_harness
from hat.harness.validate import validate_dir
from hat.harness.writing import to_files
from hat.hsa.names import names_of, split_of
from hat.hsa.preserve import play_oracle
from hat.hsa.wordings import Wordings, wordings
from tests.evaluation.players import DOMAIN, EDITS

NAMES = sorted(path.parent.name for path in EDITS.glob("*/edit.yaml"))
LOADED = {edit.name: edit for edit in load_edits(EDITS, DOMAIN.harness())}


def test_edits__there_are_twelve_kinds_or_more() -> None:
    assert len({edit.file.kind for edit in LOADED.values()}) >= 12
    assert len({digest(edit.harness) for edit in LOADED.values()} | {digest(DOMAIN.harness())}) == len(LOADED) + 1


@pytest.mark.parametrize("name", NAMES)
def test_edit__is_a_valid_harness(name: str, tmp_path: Path) -> None:
    for path, content in lay_over(EDITS / name, LOADED[name].file, to_files(DOMAIN.harness())).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    assert validate_dir(tmp_path) == []
    assert digest(load_harness(tmp_path)) == digest(LOADED[name].harness)


@pytest.mark.parametrize("name", NAMES)
def test_edit__oracle_plays_it_right(name: str) -> None:
    edit, rng = LOADED[name], Random(8)
    for _ in range(25):
        task = edit.sample(DOMAIN, rng)
        verdict = play_oracle(edit.harness, task, DOMAIN)
        assert verdict.problems == (), (task.kind, verdict.problems)
        assert (verdict.score, verdict.tool_rationality, verdict.skill_selection) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_edit__matters_to_its_tasks(name: str) -> None:
    """Who still plays by the original harness is not right everywhere, except where only a reminder was taken away."""
    edit, rng = LOADED[name], Random(9)
    tasks = [edit.sample(DOMAIN, rng) for _ in range(40)]
    changed = [task for task in tasks if play_differs(edit.harness, task)]
    assert changed or edit.file.kind in ("format of the body changed", "hook turned into a prompt rule")


def play_differs(harness: object, task: object) -> bool:
    from hat.domains.oracle import compose_reply, script

    original = DOMAIN.harness()
    try:
        before = script(original, task.expected), compose_reply(original, task.expected)  # type: ignore[attr-defined]
    except LookupError:
        return True
    return before != (script(harness, task.expected), compose_reply(harness, task.expected))  # type: ignore[arg-type,attr-defined]


def test_edit__draws_all_its_kinds_alike() -> None:
    rng = Random(10)
    kinds = Counter(LOADED["delivery_skill"].sample(DOMAIN, rng).kind for _ in range(200))
    assert set(kinds) == set(LOADED["delivery_skill"].file.tasks)
    assert min(kinds.values()) >= 20


def test_adapt__new_skill_answers__except_what_nobody_knows() -> None:
    edit, rng = LOADED["delivery_skill"], Random(11)
    assert edit.adapt(DOMAIN.sample(rng, "delivery")).expected.skill == "delivery_qa"
    assert edit.adapt(DOMAIN.sample(rng, "unknown_link")).expected.skill == "clarification"


def test_adapt__withdrawn_phrase__is_forbidden() -> None:
    task = LOADED["closing_withdrawn"].adapt(DOMAIN.sample(Random(12), "price"))
    assert "喜欢就拍" in task.expected.forbidden


def test_load_edits__empty_folder__says_so(tmp_path: Path) -> None:
    with pytest.raises(EditError, match="no edits"):
        load_edits(tmp_path, DOMAIN.harness())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("title: a\nkind: b\nwhy: c\nremove: [skills/nothing]\n", "skills/nothing"),
        ("title: a\nkind: b\n", "why"),
        ("title: a: b\n", "edit.yaml"),
        ("title: a\nkind: b\nwhy: c\nlocale: en\n", "written for locale en"),
        ("title: a\nkind: b\nwhy: c\nsurprise: d\n", "surprise"),
    ],
)
def test_load_edit__broken_file__names_it(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "edit.yaml").write_text(text)
    with pytest.raises(EditError, match=word):
        load_edit(tmp_path, DOMAIN.harness())


def test_sample__kind_that_the_domain_lacks__is_named(tmp_path: Path) -> None:
    shutil.copytree(EDITS / "rules_as_prose", tmp_path / "edit")
    (tmp_path / "edit" / "edit.yaml").write_text("title: a\nkind: b\nwhy: c\ntasks: [singing]\n")
    with pytest.raises(EditError, match="singing"):
        load_edit(tmp_path / "edit", DOMAIN.harness()).sample(DOMAIN, Random(1))


def test_edit_file__needs_a_reason() -> None:
    assert all(len(edit.file.why) > 20 and isinstance(edit.file, EditFile) for edit in LOADED.values())


def test_readme__lists_every_edit() -> None:
    text = (EDITS / "README.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"| {name} |" not in text] == []


def test_edits__nothing_new_in_them_was_a_wording_of_training() -> None:
    words, original = wordings("zh-CN", "train"), DOMAIN.harness()
    groups = (words.tools, words.skills, words.phrases, words.sentences)
    trained = {text for group in groups for texts in group.values() for text in texts}
    trained |= {f"{before}{phrase}{after}" for before, phrase, after in _rules(words)}
    for edit in LOADED.values():
        new = _texts(edit.harness) - _texts(original)
        assert not new & trained, edit.name


def _rules(words: Wordings) -> list[tuple[str, str, str]]:
    parts = [(rule, text.split("{phrase}")) for rule, texts in words.rules.items() for text in texts]
    return [(before, phrase, after) for rule, (before, after) in parts for phrase in words.phrases[rule]]


def _texts(harness: Harness) -> set[str]:
    lines = {line.removeprefix("- ") for skill in harness.skills for line in skill.body.split("\n")}
    lines |= {line.removeprefix("- ") for section in harness.sections for line in section.body.split("\n")}
    lines |= {part.description for part in (*harness.skills, *harness.tools)}
    return lines | {phrase for skill in harness.skills for phrase in harness.rules_for(skill).values()}


def test_edits__new_names_are_of_the_test_split() -> None:
    known = names_of(DOMAIN.harness())
    new = {name for edit in LOADED.values() for name in names_of(edit.harness) - known}
    assert len(new) >= 4
    assert {split_of(name) for name in new} == {"test"}
