"""Games on the middle of a larger board, and keys of games, through emulated chips and pins."""

from contextlib import closing
from dataclasses import replace

import pytest

from game.play import fitted_profile
from game.table.inputs import MaskChanged, Touched
from hal.lights import DARK
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.profiles import board_named
from tests.helpers.games.small_games import PASS, Middle

MIDDLE = Middle()
HEXAGONS = ("hexagon-61", "hexagon-61-mux", "hexagon-61-pico")


@pytest.fixture(params=HEXAGONS)
def board(request):
    return board_named(request.param)


@pytest.fixture
def room(board, tmp_path):
    with closing(EmulatedGame(board, tmp_path, game=MIDDLE)) as room:
        yield room


def test_cells_around_the_game_are_neither_felt_nor_lit(board, room):
    own, before = set(fitted_profile(board, MIDDLE).cells.values()), room.table.state
    for cell in (each for each, pad in board.cells.items() if pad not in own):
        room.pi.press("finger", cell)
        room.run(0.12)
        assert room.pi.latched()[board.pixels[cell]] == DARK
        room.pi.lift("finger")
        room.run(0.12)
    assert room.table.state == before
    assert not room.has_faults
    # The chips still work after it.
    room.tap("e5")
    assert room.text == "d4"


def test_a_key_of_the_game_is_felt_and_lit_and_those_of_others_are_not(room):
    room.tap("choice2")
    assert room.text == ""
    assert room.table.state.notices.rejected is None
    room.tap(PASS)
    assert room.text == PASS
    room.tap("e5")
    assert room.text == f"{PASS} d4"


def test_a_game_on_the_middle_is_there_again(board, tmp_path):
    with closing(EmulatedGame(board, tmp_path, game=MIDDLE)) as room:
        room.tap("e5")
        room.tap("b2")
        room.session.give(MaskChanged(frozenset({"a1", "d4"})))
        room.run(0.1)
        assert room.memory.masked == {"b2", "e5"}
    with closing(EmulatedGame(board, tmp_path, game=MIDDLE)) as again:
        assert again.text == "d4 a1"
        assert again.table.state.faults.masked == {"a1", "d4"}
    # Another game, on the whole of the same board.
    with closing(EmulatedGame(board, tmp_path)) as circle:
        assert circle.table.state.faults.masked == {"b2", "e5"}


def test_stones_are_felt_on_the_middle_and_not_around_it(board, tmp_path):
    sensed = replace(board, sensing=replace(board.sensing, mode="presence"))
    with closing(EmulatedGame(sensed, tmp_path, stones=("a1",), game=MIDDLE)) as room:
        room.run(1.0)
        assert room.table.state.hands.sensed == frozenset()
        room.pi.body.put("e5")
        room.run(1.0)
        assert room.text == "d4"
        room.pi.body.put("i5")
        room.run(1.0)
        assert room.text == "d4"
        assert room.table.state.hands.sensed == {"d4"}
        room.pi.body.put("a5")
        room.pi.body.put("b2")
        room.run(1.0)
        assert room.text == "d4 a1"
        assert room.table.state.pending == ()
        # Surrounding stones are never learned as the empty board.
        assert board.cells["a5"] not in room.memory.baselines


def test_keys_of_the_game_can_be_pressed_without_a_board_that_has_them(tmp_path):
    bare = replace(built_in(), keys={})
    with closing(EmulatedGame(bare, tmp_path, game=MIDDLE)) as room:
        room.session.give(Touched("choice2"))
        room.session.give(Touched("e5"))
        room.run(0.1)
        assert room.text == ""
        assert room.table.state.notices.rejected is None
        room.session.give(Touched(PASS))
        room.run(0.1)
        assert room.text == PASS
        # A page can touch a cell only where it is masked.
        room.session.give(Touched("d4"))
        room.run(0.1)
        assert room.text == PASS
