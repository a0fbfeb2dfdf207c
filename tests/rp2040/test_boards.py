"""Boards with a Pico are played and learned: touches go in, and the frames reach the pixels."""

from contextlib import closing
from random import Random

from game.rules.circle_of_life import GAME
from hal.lights import DARK
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.game_hands import GameHands
from tests.helpers.boards.pico_tools import learn_and_calibrate, small
from tests.helpers.rp2040 import OLDEST
from tests.helpers.rp2040.flashed import ready_pico
from tests.helpers.rp2040.real import assert_bits_in_time

MOVES = 2
FEW_CELLS = ("a1", "b1", "i5")
"""Of chips on both buses."""


def test_game_is_played_on_a_board_with_the_oldest_micropython(tmp_path):
    board = built_in("hexagon-61-pico")
    with closing(EmulatedGame(board, tmp_path, make=ready_pico(OLDEST))) as room:
        pico = room.pi.pico
        hands, rng = GameHands(room, board, GAME), Random(3)
        assert room.pi.latched() == room.pi.lit()
        for _ in range(MOVES):
            hands.move(rng)
            assert room.pi.latched() == room.pi.lit()
        assert room.plies == MOVES
        room.tap("take_back")
        room.tap("take_back")
        assert room.plies < MOVES
        assert room.pi.latched() == room.pi.lit()
        assert pico.platform.led
        assert not room.has_faults
        assert_bits_in_time(pico.times)
        levels = len(board.strip.order) * board.strip.pixels
        assert {len(shown) for _, shown in pico.shown} == {levels}
    assert set(pico.platform.latched()) == {DARK}


def test_board_wired_at_random_is_learned_and_calibrated(tmp_path):
    learn_and_calibrate(small(FEW_CELLS), tmp_path, ready_pico())
