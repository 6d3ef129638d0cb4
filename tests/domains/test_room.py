"""Viewers' own messages and the room's state from files."""

from pathlib import Path

import pytest
from plays import domain

from hat.domains.livestream import InputError, MessagesError, RoomError
from hat.domains.livestream.domain import EXAMPLES
from hat.domains.livestream.messages import load_messages
from hat.domains.livestream.room import Lottery, Room, load_room

ROOM = Room(time="20:15", current_link_id=12, lottery=Lottery(time="21:00", prize="小风扇"))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def found(error: InputError) -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in error.findings]


def test_examples__load() -> None:
    assert load_room(EXAMPLES / "room.yaml") == ROOM
    situations = domain().situations(EXAMPLES / "messages.jsonl")
    assert len(situations) >= 20
    assert len({situation.id for situation in situations}) == len(situations)


def test_message__takes_the_room_s_state_unless_it_says_otherwise(tmp_path: Path) -> None:
    lines = '{"message": "a"}\n\n{"message": "b", "current_link_id": 5}\n{"message": "c", "current_link_id": null}\n'
    situations = load_messages(write(tmp_path / "m.jsonl", lines), ROOM)
    assert [situation.id for situation in situations] == ["m-1", "m-3", "m-4"]
    assert [situation.context for situation in situations] == [
        {"current_link_id": 12, "time": "20:15"},
        {"current_link_id": 5, "time": "20:15"},
        {"time": "20:15"},
    ]


def test_message__keeps_its_history(tmp_path: Path) -> None:
    line = '{"message": "那5号呢", "history": [["3号多少钱", "3号链接299元"]], "time": "21:00"}'
    (situation,) = load_messages(write(tmp_path / "m.jsonl", line), ROOM)
    assert situation.history == (("3号多少钱", "3号链接299元"),)
    assert situation.context["time"] == "21:00"


def test_bad_messages__all_at_once(tmp_path: Path) -> None:
    lines = '{"message": ""}\nnot json\n{"massage": "hi"}\n[1]\n{"message": "ok", "current_link_id": -1}\n'
    with pytest.raises(MessagesError) as refused:
        load_messages(write(tmp_path / "m.jsonl", lines), ROOM)
    assert found(refused.value) == [
        (1, "bad_value"),
        (2, "bad_json"),
        (3, "missing_value"),
        (3, "unknown_key"),
        (4, "bad_value"),
        (5, "bad_value"),
    ]


def test_no_messages__said_so(tmp_path: Path) -> None:
    with pytest.raises(MessagesError, match="no messages"):
        load_messages(write(tmp_path / "m.jsonl", "\n"), ROOM)


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        (
            "time: 20:15\ncurrent_link_id: x\nlottery:\n  time: 9pm\n  prize: 小风扇\n",
            [(2, "bad_value"), (4, "bad_value")],
        ),
        ("time: 20:15\n", [(1, "missing_value")]),
        ("time: 20:15\nlottery: {time: 21:00, prize: a}\nviewers: 3\n", [(3, "unknown_key")]),
    ],
)
def test_bad_room__every_finding_on_its_line(tmp_path: Path, text: str, findings: list[tuple[int, str]]) -> None:
    with pytest.raises(RoomError) as refused:
        load_room(write(tmp_path / "room.yaml", text))
    assert found(refused.value) == findings


def test_room_that_is_no_yaml__said_so(tmp_path: Path) -> None:
    with pytest.raises(RoomError, match=r"room\.yaml:\d+"):
        load_room(write(tmp_path / "room.yaml", "time: [\n"))
