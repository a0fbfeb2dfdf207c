"""Addresses of rooms, and the games that can be played in one."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from game.common import AppError
from game.remote.address import (
    ChosenRoom,
    read_address,
    read_broker,
    room_for,
)
from game.remote.chain import Keys
from game.remote.link import RecordFile
from game.rules.base.registry import all_games
from game.rules.circle_of_life import GAME as CIRCLE


def test_an_address_names_broker_code_and_files_each_part_encoded():
    whole = read_address("mqtts://ada@broker.example:99/abcdef?side=1&password_file=/p&ca_file=/c")
    assert (whole.host, whole.port, whole.tls, whole.user) == ("broker.example", 99, True, "ada")
    assert (whole.code, whole.side) == ("abcdef", 1)
    assert (whole.password_file, whole.ca_file) == (Path("/p"), Path("/c"))
    broker, _ = read_broker("mqtt://ada%40club%3A1@h/my%20board/e%CC%81", "topic", "", ())
    assert (broker.user, broker.code) == ("ada@club:1", "my board/e\u0301")
    assert read_address("mqtt://b\u00fccher.example/abcdef").host == "b\u00fccher.example"


def entered(folder: Path, broker: str, tls: bool = True, **more: str) -> ChosenRoom:
    given = {"user": "ada", "password": "", "code": "abcdef", "name": "Ada"} | more
    return ChosenRoom.wanted(folder, None, broker, tls, **given)


def test_a_page_cannot_name_a_file_of_the_board(tmp_path):
    for broker, code in (("h?password_file=/secret", "abcdef"), ("h", "abcdef?ca_file=/secret")):
        with pytest.raises(AppError, match="allowed: "):
            entered(tmp_path, broker, code=code)


def test_a_known_password_is_sent_only_where_it_was_entered_for(tmp_path):
    entered(tmp_path, "h", password="secret").write(tmp_path)
    assert entered(tmp_path, "h:8883").address.password == "secret"
    for broker, more in (("h", {"tls": False}), ("h:1883", {}), ("o", {}), ("h", {"user": "bo"})):
        assert entered(tmp_path, broker, **more).address.password == ""


def test_a_new_room_gets_a_code_and_its_first_board_is_side_1():
    drawn = read_address("mqtt://h/new").drawn(Random(1))
    assert len(drawn.code) == 8
    assert drawn.side == 1
    at_board = read_address("new").drawn(Random(1))
    assert (len(at_board.code), at_board.side, at_board.direct) == (6, 1, True)
    assert drawn.code != read_address("mqtt://h/new").drawn(Random(2)).code


@pytest.mark.parametrize(
    "text",
    [
        "h/abcdef",
        "http://h/room#abc",
        "http://h/room#abcdef?side=1",
        "abcdef?password_file=f",
        "mqtt:///abcdef",
        "mqtt://h/abc",
        "mqtt://h/abc+ef",
        "mqtt://h/" + "a" * 65,
        "mqtt://h:99999/abcdef",
        "mqtt://h/abcdef?side=3",
        "mqtt://h/abcdef?colour=red",
        "mqtt://ada:secret@h/abcdef",
        "mqtt://club..local/abcdef",
        "mqtt://two\u00a0words/abcdef",
    ],
)
def test_a_wrong_address_is_refused_and_a_password_never_quoted(text):
    with pytest.raises(AppError) as error:
        read_address(text)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("game", "why"),
    [("cirkle-mind", "cannot be played with another board"), ("azteka-three", "3 players")],
)
def test_a_game_that_hides_pieces_or_is_not_for_two_is_not_played_in_a_room(game, why, tmp_path):
    with pytest.raises(AppError, match=why):
        room_for("new", tmp_path, all_games()[game], {})


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("mqtt://h/ABCDEF", "mqtt://h/abcdef"),
        ("mqtt://h:1883/abcdef", "mqtt://h/abcdef"),
        ("mqtts://ann@h:99/abcdef?side=1", "mqtts://h:99/abcdef"),
        ("mqtt://[fd00::1]:5/abcdef", "mqtt://[fd00::1]:5/abcdef"),
        ("http://h:8765/room?side=2#ABCDEF", "http://h:8765/room#abcdef"),
        ("https://[fd00::1]:5/room#abcdef", "https://[fd00::1]:5/room#abcdef"),
        ("ABCDEF?side=1", "abcdef"),
    ],
)
def test_the_address_for_others_names_broker_and_code_alone(text, link):
    assert read_address(text).link == link
    assert read_address(link).link == link


def test_a_board_alone_loads_no_broker():
    code = "import sys, game.cli.play, game.service.run; print(sorted(sys.modules))"
    report = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "game.cli.play" in report.stdout
    assert not [name for name in ("paho", "zeroconf", "game.house.house") if name in report.stdout]


def test_a_new_room_of_a_command_goes_on_at_its_next_start_until_it_is_left(tmp_path):
    def start(text: str = "new", **options: str) -> str:
        address = room_for(text, tmp_path, CIRCLE, options)
        with closing(RecordFile(tmp_path, Keys.of(address.code), address.side)) as record:
            assert record.side == 1
        return address.code

    first = start()
    assert start() == first
    other = start(target="5")
    assert other != first
    far = start("mqtt://h/new", target="5")
    assert start("mqtt://h/new", target="5") == far != other
    ChosenRoom.read(tmp_path).left().write(tmp_path)
    assert start("mqtt://h/new", target="5") != far
    entered(tmp_path, "h").write(tmp_path)
    RecordFile(tmp_path, Keys.of("abcdef"), 2).close()
    assert start("mqtts://ada@h/new") != "abcdef"
