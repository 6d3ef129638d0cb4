"""Results of a reproduction: counted right over seeds, paired, and told in a page."""

import json
from pathlib import Path

import pytest

from hat.results import Played, build_results, write_results
from hat.results.goals import goals
from hat.results.page import BEGIN, END
from tests.results.samples import played, report


def test_cells__count_all_seeds_together() -> None:
    cell = build_results([played(0), played(1)]).cell("hat", "T2")
    assert cell is not None
    assert (cell.n, cell.seeds, cell.mean) == (8, 2, 0.75)
    assert 0 < cell.low < 0.75 < cell.high < 1


def test_differences__paired_against_base_and_fixed() -> None:
    results = build_results([played()])
    found = {(d.policy, d.against, d.suite): d.mean for d in results.differences}
    assert found["hat", "base", "T1"] == 0.75
    assert found["hat", "fixed-sft", "T2"] == 0.5
    assert found["fixed-sft", "base", "edits"] == 0.25
    assert {gap.policy: gap.mean for gap in results.gaps} == {"base": 0.25, "fixed-sft": 0.75, "hat": 0.25}


def test_errors_removed__relative_and_of_the_wrong_ones() -> None:
    removed = {(r.policy, r.against): r for r in build_results([played()]).removed}
    assert removed["hat", "base"].share == pytest.approx(2 / 3)
    assert removed["hat", "base"].mended == pytest.approx(2 / 3)
    assert removed["hat", "fixed-sft"].share == removed["hat", "fixed-sft"].mended == 0.5
    assert removed["hat", "fixed-sft"].low <= 0.5 <= removed["hat", "fixed-sft"].high


def test_parts__by_operator_edit_and_kind() -> None:
    parts = {(p.policy, p.suite, p.by, p.value): p.mean for p in build_results([played()]).parts}
    assert parts["hat", "T2", "operator", "rename_tools"] == 0.75
    assert parts["hat", "edits", "edit", "e0"] == 0.5
    assert parts["base", "T1", "kind", "price"] == 0.25


def test_goals__met_and_missed() -> None:
    told = {goal.what: goal.met for goal in goals(build_results([played()]))}
    assert told["HAT on T1, %"] is True
    assert told["HAT on T2, %"] is False
    assert told["errors of base on held-out edits that HAT removes, %"] is True
    assert told["HAT minus base on T4, points"] is None


def test_policies_on_different_episodes__refused() -> None:
    one = played()
    mixed = Played(0, {**one.reports, "hat": report("hat", [1], [1], [1], seed=9)})
    with pytest.raises(ValueError, match="different episodes"):
        build_results([mixed])


def test_write_results__page_figures_and_data_and_the_hand_written_text_stays(tmp_path: Path) -> None:
    (tmp_path / "results.md").write_text(f"# Mine\n\nBefore.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n", encoding="utf-8")
    results = build_results([played(0), played(1)], {"steps": 8}, {"code": "0.1"})
    page = write_results(results, tmp_path).read_text(encoding="utf-8")
    assert page.startswith("# Mine\n\nBefore.")
    assert page.endswith("After.\n")
    assert "old" not in page
    assert "| HAT on T1, % | at least 94.8 | 100.0" in page
    assert json.loads((tmp_path / "results.json").read_text())["cells"][0]["policy"] == "base"
    for name in ("suites", "operators", "edits", "curve-T1"):
        svg = (tmp_path / "results" / f"{name}.svg").read_text(encoding="utf-8")
        assert svg.startswith("<svg xmlns=")
        assert f"results/{name}.svg" in page


def test_write_results__page_without_marks__refused_and_nothing_written(tmp_path: Path) -> None:
    (tmp_path / "results.md").write_text("mine", encoding="utf-8")
    with pytest.raises(ValueError, match="lacks the lines"):
        write_results(build_results([played()]), tmp_path)
    assert (tmp_path / "results.md").read_text() == "mine"
    assert not (tmp_path / "results.json").exists()
