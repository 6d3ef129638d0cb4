"""A blind review: what is exported, kept, merged and counted."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from hat.cli import app
from hat.review import ReviewError, Vote, build_report, export, load_items, load_key, load_votes
from hat.review.data import append_votes
from hat.review.server import build_app


def prefer(folder: Path, reviewer: str, system: str, but: int = 0) -> None:
    """Vote for a system on every item, but for the first few."""
    key = load_key(folder)
    votes = []
    for number, item in enumerate(load_items(folder)):
        side = "left" if key.items[item.id].left == system else "right"
        votes.append(Vote(reviewer=reviewer, item=item.id, choice="tie" if number < but else side))  # type: ignore[arg-type]
    append_votes(folder, votes)


def test_export__items_do_not_say_whose_and_sides_are_dealt(evaluations: dict[str, Path], tmp_path: Path) -> None:
    key = export(evaluations, tmp_path, count=30)
    shown = (tmp_path / "items.json").read_text(encoding="utf-8")
    items = load_items(tmp_path)
    assert not any(name in shown for name in evaluations)
    assert {item.id for item in items} == set(key.items)
    assert len({whose.left for whose in key.items.values()}) == 3
    assert all(item.replies[0] != item.replies[1] for item in items)
    assert set(key.same) == {"good | fair", "good | weak", "fair | weak"}
    assert sum(key.same.values()) + len(items) == 3 * 30


def test_export__same_seed_same_review(evaluations: dict[str, Path], tmp_path: Path) -> None:
    for name in ("a", "b"):
        export(evaluations, tmp_path / name, count=5, seed=3)
    assert (tmp_path / "a" / "items.json").read_bytes() == (tmp_path / "b" / "items.json").read_bytes()


def test_export__never_over_another_review(review: Path, evaluations: dict[str, Path]) -> None:
    with pytest.raises(ReviewError, match="holds a review already"):
        export(evaluations, review)


def test_export__one_system_or_no_evaluation__refused(evaluations: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(ReviewError, match="1 system"):
        export({"good": evaluations["good"]}, tmp_path / "r")
    with pytest.raises(ReviewError, match="is no evaluation"):
        export({"good": evaluations["good"], "none": tmp_path}, tmp_path / "r")
    with pytest.raises(ReviewError, match="in the same words"):
        export({"good": evaluations["good"], "again": evaluations["good"]}, tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_server__votes_are_kept_and_each_reviewer_goes_on(review: Path) -> None:
    client = TestClient(build_app(review))
    first = client.get("/api/items", params={"reviewer": "小王"}).json()
    item = first["items"][0]["id"]
    assert first["votes"] == {}
    assert client.post("/api/votes", json={"reviewer": "小王", "item": item, "choice": "left"}).status_code == 200
    assert client.post("/api/votes", json={"reviewer": "小王", "item": item, "choice": "tie"}).status_code == 200

    again = TestClient(build_app(review))
    assert again.get("/api/items", params={"reviewer": "小王"}).json() == {**first, "votes": {item: "tie"}}
    other = again.get("/api/items", params={"reviewer": "li"}).json()
    assert other["votes"] == {}
    assert [one["id"] for one in other["items"]] != [one["id"] for one in first["items"]]
    assert load_votes(review) == [Vote(reviewer="小王", item=item, choice="tie")]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"reviewer": "li", "item": "i9999", "choice": "left"}, "no such item"),
        ({"reviewer": "../li", "item": "i0000", "choice": "left"}, "use 1-40 letters"),
        ({"reviewer": "li", "item": "i0000", "choice": "both"}, "'left', 'right' or 'tie'"),
        ({"reviewer": "li"}, "no vote"),
    ],
)
def test_server__wrong_vote__refused_and_not_kept(review: Path, body: dict[str, str], said: str) -> None:
    answer = TestClient(build_app(review)).post("/api/votes", json=body)
    assert answer.status_code == 400
    assert said in answer.json()["error"]
    assert load_votes(review) == []


def test_report__two_reviewers(review: Path) -> None:
    prefer(review, "li", "good")
    prefer(review, "wang", "good", but=2)
    report = build_report(load_items(review), load_key(review), load_votes(review))
    (rate,) = report.win_rates
    assert (rate.system, rate.against, rate.n, rate.items, rate.ties) == ("good", "weak", 12, 6, 2)
    assert rate.mean == pytest.approx(11 / 12)
    assert rate.low < rate.mean < rate.high
    assert [one.system for one in report.strengths] == ["good", "weak"]
    assert report.shared == 6
    assert report.reviewers == {"li": 6, "wang": 6}


def test_import__checks_all_before_it_adds_any(review: Path, tmp_path: Path) -> None:
    items = load_items(review)
    file = tmp_path / "votes.jsonl"
    good = Vote(reviewer="li", item=items[0].id, choice="left").model_dump_json()
    file.write_text(f'{good}\n{{"reviewer": "li", "item": "i9999", "choice": "left"}}\n')
    result = CliRunner().invoke(app, ["review", "import", str(review), str(file)])
    assert (result.exit_code, load_votes(review)) == (2, [])
    assert "'i9999': this review has no such item" in result.output
    file.write_text(f"{good}\n")
    assert "1 votes added, 0 were there" in CliRunner().invoke(app, ["review", "import", str(review), str(file)]).output
    assert "0 votes added, 1 were there" in CliRunner().invoke(app, ["review", "import", str(review), str(file)]).output


def test_votes__broken_line__named_and_a_cut_one_left_out(review: Path) -> None:
    prefer(review, "li", "good")
    file = review / "votes" / "li.jsonl"
    file.write_text(file.read_text() + '{"reviewer": "li", "it')
    assert len(load_votes(review)) == 6
    file.write_text("nonsense\n" + file.read_text())
    with pytest.raises(ReviewError, match=r"li.jsonl:1: no vote"):
        load_votes(review)


def test_command__export_and_report(evaluations: dict[str, Path], tmp_path: Path) -> None:
    systems = [part for name, folder in evaluations.items() for part in ("--system", f"{name}={folder}")]
    made = CliRunner().invoke(app, ["review", "export", str(tmp_path / "r"), *systems, "--count", "8"])
    assert made.exit_code == 0, made.output
    empty = CliRunner().invoke(app, ["review", "report", str(tmp_path / "r")])
    assert (empty.exit_code, "no votes" in empty.output) == (2, True)
    prefer(tmp_path / "r", "li", "good")
    told = CliRunner().invoke(app, ["review", "report", str(tmp_path / "r"), "--out", str(tmp_path / "out.json")])
    assert told.exit_code == 0, told.output
    assert "Bradley-Terry" in told.output
    assert json.loads((tmp_path / "out.json").read_text())["strengths"][0]["system"] == "good"


def test_command__system_without_folder__exit_2(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["review", "export", str(tmp_path), "--system", "good"])
    assert result.exit_code == 2
    assert "--system good: write NAME=FOLDER" in result.output
