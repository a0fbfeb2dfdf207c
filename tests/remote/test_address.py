"""Addresses of rooms, and the games that can be played in one."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from game.common.errors import AppError
from game.remote.address import choose_room, read_address
from game.rules.base.registry import all_games


def test_an_address_names_broker_code_and_files():
    whole = read_address("mqtts://ada@broker.example:99/abcdef?side=1&password_file=/p&ca_file=/c")
    assert (whole.host, whole.port, whole.tls, whole.user) == ("broker.example", 99, True, "ada")
    assert (whole.code, whole.side) == ("abcdef", 1)
    assert (whole.password_file, whole.ca_file) == (Path("/p"), Path("/c"))
    assert read_address("mqtt://h/ABCDEF") == read_address("mqtt://h:1883/abcdef")


def test_a_new_room_gets_a_code_and_its_first_board_is_side_1():
    drawn = read_address("mqtt://h/new").drawn(Random(1))
    assert len(drawn.code) == 6
    assert drawn.side == 1
    assert drawn.code != read_address("mqtt://h/new").drawn(Random(2)).code


@pytest.mark.parametrize(
    "text",
    [
        "h/abcdef",
        "http://h/abcdef",
        "mqtt:///abcdef",
        "mqtt://h/abc",
        "mqtt://h/abc+ef",
        "mqtt://h/abcdef/more",
        "mqtt://h/" + "a" * 65,
        "mqtt://h:99999/abcdef",
        "mqtt://h/abcdef?side=3",
        "mqtt://h/abcdef?colour=red",
        "mqtt://h/abcdef?side",
        "mqtt://ada:secret@h/abcdef",
    ],
)
def test_a_wrong_address_is_refused_and_a_password_never_quoted(text: str):
    with pytest.raises(AppError) as error:
        read_address(text)
    assert "secret" not in str(error.value)


def test_a_game_that_hides_pieces_is_not_played_in_a_room():
    with pytest.raises(AppError, match="cannot be played with another board"):
        choose_room("mqtt://h/new", all_games()["cirkle-mind"])
    with pytest.raises(AppError, match="3 players"):
        choose_room("mqtt://h/new", all_games()["azteka-three"])


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("mqtt://h:1883/ABCDEF", "mqtt://h/abcdef"),
        ("mqtts://ann@h:99/abcdef?side=1", "mqtts://h:99/abcdef"),
        ("mqtt://[fd00::1]:5/abcdef", "mqtt://[fd00::1]:5/abcdef"),
    ],
)
def test_the_address_for_others_names_broker_and_code_alone(text: str, link: str):
    assert read_address(text).link == link
    assert read_address(link).link == link


def test_a_board_alone_loads_no_broker():
    code = "import sys, game.cli.play, game.service.run; print(sorted(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "game.cli.play" in told.stdout
    assert not [name for name in ("paho", "game.house.house") if name in told.stdout]
