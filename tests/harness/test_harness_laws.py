"""Laws that hold for every harness: identity is content, files say it all, a difference tells the whole."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hat.harness import (
    Harness,
    Tool,
    canonical_schema,
    digest,
    load_harness,
    normalized,
    part_digest,
    render_system,
    save_harness,
    tool_schemas,
)
from hat.harness.diff import HarnessDiff, diff
from hat.harness.diff.words import word_diff
from hat.harness.files import validate
from hat.harness.reading import read_files
from hat.harness.validate import findings
from hat.harness.writing import to_files
from tests.harness.conftest import EXAMPLES
from tests.harness.strategies import bodies, harnesses, names, shuffled

few = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(harnesses())
def test_files__give_back_the_same_harness(harness: Harness) -> None:
    assert validate(harness) == []
    assert normalized(harness) == harness
    assert digest(normalized(harness)) == digest(harness)


@settings(few, max_examples=8)
@given(harnesses(), harnesses())
def test_save__then_load_gives_the_last_one_saved(first: Harness, second: Harness) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for harness in (first, second, second):
            save_harness(harness, Path(folder) / "h")
        assert load_harness(Path(folder) / "h") == second


@few
@given(harnesses(), st.data())
def test_digest__ignores_order_of_keys_and_renders_alike(harness: Harness, data: st.DataObject) -> None:
    mixed = Harness.model_validate(data.draw(shuffled(harness.model_dump())))

    assert digest(mixed) == digest(harness)
    assert repr(tool_schemas(mixed)) == repr(tool_schemas(harness))
    assert render_system(mixed) == render_system(harness)


@few
@given(harnesses(), st.data())
def test_digest__ignores_order_of_files(harness: Harness, data: st.DataObject) -> None:
    files = to_files(harness)
    reading = read_files(dict(data.draw(st.permutations(list(files.items())))))

    assert {name: part_digest("skill", skill) for name, skill in reading.skills.items()} == {
        skill.alias: part_digest("skill", skill) for skill in harness.skills
    }
    assert not reading.findings


@few
@given(harnesses(), st.data())
def test_digest__changes_with_any_text(harness: Harness, data: st.DataObject) -> None:
    part = data.draw(st.sampled_from([*harness.skills, *harness.sections]))
    field = "skills" if part in harness.skills else "sections"
    edited = part.model_copy(update={"body": part.body + data.draw(st.sampled_from(["。", "a", "\n。"]))})
    parts = tuple(edited if each is part else each for each in getattr(harness, field))

    assert digest(harness.model_copy(update={field: parts})) != digest(harness)


@few
@given(harnesses(), harnesses())
def test_diff__is_empty_only_for_the_same_harness(one: Harness, other: Harness) -> None:
    assert diff(one, one).empty
    assert diff(one, Harness.model_validate(one.model_dump())).empty
    assert diff(one, other).empty == (digest(one) == digest(other))


@few
@given(harnesses(), harnesses())
def test_diff__survives_json(one: Harness, other: Harness) -> None:
    difference = diff(one, other)

    assert HarnessDiff.model_validate_json(difference.model_dump_json()) == difference


@few
@given(harnesses(), names, st.data())
def test_diff__sees_a_rename(harness: Harness, name: str, data: st.DataObject) -> None:
    tool = Tool(name="only_one", description="独此一件", input_schema={"type": "object"})
    before = harness.model_copy(update={"tools": (*harness.tools, tool)})
    after = harness.model_copy(update={"tools": (*harness.tools, tool.model_copy(update={"name": f"{name}_x9"}))})

    (part,) = diff(before, after).parts

    assert (part.change, part.before_name, part.name) == ("renamed", "only_one", f"{name}_x9")


EXAMPLE = to_files(load_harness(EXAMPLES / "harness"))
HARMS = [
    b"{",
    b"]",
    b":",
    b"- ",
    b"\n",
    b'"',
    b"'",
    b"#",
    b"---\n",
    b"~",
    b"&a ",
    b"*a",
    b"!!set ",
    b"\x00",
    b"\xff",
    b"(",
]


@few
@given(st.data())
def test_damaged_files__are_findings_and_never_errors(data: st.DataObject) -> None:
    files = dict(EXAMPLE)
    name = data.draw(st.sampled_from(sorted(files)))
    at = data.draw(st.integers(0, len(files[name])))
    gone = data.draw(st.integers(0, 20))
    files[name] = files[name][:at] + data.draw(st.sampled_from(HARMS)) + files[name][at + gone :]

    found = findings(read_files(files))

    assert found == sorted(found)
    assert all(finding.line >= 1 and finding.message for finding in found)


@few
@given(bodies, bodies)
def test_word_diff__holds_both_texts(before: str, after: str) -> None:
    spans = word_diff(before, after)

    assert "".join(s.text for s in spans if s.op != "insert") == before
    assert "".join(s.text for s in spans if s.op != "delete") == after


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc") | st.text(max_size=3), inner),
    max_leaves=8,
)


@few
@given(json_values, st.data())
def test_canonical_schema__keeps_content_and_forgets_key_order(value: Any, data: st.DataObject) -> None:
    schema = {"properties": value, "required": ["a", "b"], "x": value}

    assert canonical_schema(schema) == schema
    assert repr(canonical_schema(data.draw(shuffled(schema)))) == repr(canonical_schema(schema))
