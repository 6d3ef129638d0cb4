"""What the model is given is golden: a change of it is a change of every prompt, cache and trained policy."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hat.harness import Harness, load_harness, render_system, tool_schemas
from tests.harness.conftest import EXAMPLES

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.golden
@pytest.mark.parametrize("name", ["harness", "harness-en"])
def test_rendered_prompt__is_the_golden_one(name: str, golden: Callable[[Path, str], None]) -> None:
    harness = load_harness(EXAMPLES / name)
    bodies = [f"--- load_skill({skill.alias})\n{skill.body}" for skill in harness.skills]
    tools = json.dumps(tool_schemas(harness), ensure_ascii=False, indent=1)

    golden(GOLDEN / f"prompt-{name}.txt", "\n\n".join([render_system(harness), *bodies, tools]) + "\n")


def test_limits__stand_in_the_text(harness: Harness) -> None:
    style = harness.sections[-1]
    limits = style.limits | {"max_reply_chars": style.limits["max_reply_chars"].model_copy(update={"value": 33})}
    edited = harness.model_copy(
        update={"sections": (*harness.sections[:-1], style.model_copy(update={"limits": limits}))}
    )

    assert "不超过33字" in render_system(edited)
    assert edited.limits["max_reply_chars"] == 33
    assert "{" not in render_system(edited)


def test_copies__forget_what_was_computed_from_the_old_fields(harness: Harness) -> None:
    assert harness.skill_by_alias
    assert harness.limits
    copied = harness.model_copy(update={"skills": harness.skills[:1], "sections": ()})

    assert list(copied.skill_by_alias) == [harness.skills[0].alias]
    assert copied.limits == {}
    assert harness.limits


def test_chinese_prompt__is_short(harness: Harness) -> None:
    system = render_system(harness)
    names = sum(len(name) for name in [*harness.skill_by_alias, *harness.tool_by_name])

    assert len(system) - names < 450
    assert all(len(skill.body) <= 60 for skill in harness.skills)
    assert all(len(tool.description) <= 14 for tool in harness.tools)
