"""Boards with a Pico are played and learned: touches go in, and the frames reach the pixels."""

from contextlib import closing
from random import Random

import pytest

from game.rules.circle_of_life import GAME
from hal.lights import DARK
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.game_hands import GameHands
from tests.helpers.boards.pico_tools import SOME_CELLS, learn_and_calibrate, small
from tests.helpers.boards.pixel_receiver import PIXELS, PixelTiming
from tests.helpers.rp2040 import IMAGES
from tests.helpers.rp2040.flashed import ready_pico
from tests.helpers.rp2040.real import Times

MOVES = 4
JITTER_NS = 0.1


def assert_within(sheet: PixelTiming, times: Times) -> None:
    windows = {
        "T0H": sheet.zero_high_ns,
        "T0L": sheet.zero_low_ns,
        "T1H": sheet.one_high_ns,
        "T1L": sheet.one_low_ns,
    }
    for name, (least, most) in windows.items():
        shortest, longest = times[name]
        # A low may be longer than the sheet asks, if it is shorter than the latch.
        assert least <= shortest, (sheet.name, name)
        assert longest <= (most if name.endswith("H") else sheet.latch_ns), (sheet.name, name)
        # If the clock did not divide the system's, some bits would be longer than others.
        assert longest - shortest < JITTER_NS or name.endswith("L"), name


@pytest.mark.parametrize("version", IMAGES)
def test_game_is_played_on_a_board(version, tmp_path):
    board = built_in("hexagon-61-pico")
    with closing(EmulatedGame(board, tmp_path, make=ready_pico(version))) as room:
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
        for sheet in PIXELS:
            assert_within(sheet, pico.times)
        levels = len(board.strip.order) * board.strip.pixels
        assert {len(shown) for _, shown in pico.shown} == {levels}
    assert set(pico.platform.latched()) == {DARK}


def test_board_wired_at_random_is_learned_and_calibrated(tmp_path):
    learn_and_calibrate(small(SOME_CELLS), tmp_path, ready_pico())
