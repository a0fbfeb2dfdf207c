"""Boards with a Pico are played and learned: touches go in, and the frames reach the pixels."""

from contextlib import closing
from random import Random

import pytest

from game.play import fitted_profile
from game.rules.base.registry import all_games
from game.table.inputs import SubmitSetup
from game.table.phases import Phase
from hal.lights import DARK
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.game_hands import GameHands
from tests.helpers.boards.pico_tools import SOME_CELLS, learn_and_calibrate, small
from tests.helpers.boards.pixel_receiver import PIXELS, PixelTiming
from tests.helpers.rp2040 import NEWEST, RealPico
from tests.helpers.rp2040.flashed import ready_pico

MOVES = 4
JITTER_NS = 0.1
BOARDS = [
    ("hexagon-61-pico", "circle-of-life", NEWEST),
    ("hexagon-61-pico", "circle-of-life", "1.24.0"),
    ("rectangle-88-pico", "cirkle-mind", NEWEST),
]


def assert_lit(room: EmulatedGame) -> None:
    """Compare what the pixels received with the frame that the table asked for."""
    assert room.pi.latched() == room.pi.lit()


def assert_within(sheet: PixelTiming, pico: RealPico) -> None:
    windows = {
        "T0H": sheet.zero_high_ns,
        "T0L": sheet.zero_low_ns,
        "T1H": sheet.one_high_ns,
        "T1L": sheet.one_low_ns,
    }
    for name, (least, most) in windows.items():
        shortest, longest = pico.times[name]
        # A low may be longer than the sheet asks, if it is shorter than the latch.
        assert least <= shortest, (sheet.name, name)
        assert longest <= (most if name.endswith("H") else sheet.latch_ns), (sheet.name, name)
        # If the clock did not divide the system's, some bits would be longer than others.
        assert longest - shortest < JITTER_NS or name.endswith("L"), name


def set_up(room: EmulatedGame) -> None:
    """Lay out the armies of a game that begins so."""
    if room.table.state.phase is not Phase.ARRANGE:
        return
    for player in (1, 2):
        zone = room.game.arranging(room.game.initial(), player)
        assert zone is not None
        armies = dict(zip(zone.cells, zone.pieces, strict=False))
        room.session.give(SubmitSetup(player, armies))
        room.run(0.1)
    room.tap("confirm")


@pytest.mark.parametrize(("name", "game", "version"), BOARDS)
def test_game_is_played_on_a_board(name, game, version, tmp_path):
    board, played = built_in(name), all_games()[game]
    make = ready_pico(version)
    with closing(EmulatedGame(board, tmp_path, game=played, make=make)) as room:
        pico = room.pi.pico
        assert isinstance(pico, RealPico)
        hands, rng = GameHands(room, board, played), Random(3)
        assert_lit(room)
        set_up(room)
        began = room.plies
        for _ in range(MOVES):
            hands.move(rng)
            assert_lit(room)
        assert room.plies == began + MOVES
        room.tap("take_back")
        room.tap("take_back")
        assert room.plies < began + MOVES
        assert_lit(room)
        assert pico.platform.led
        assert not room.has_faults
        for sheet in PIXELS:
            assert_within(sheet, pico)
        levels = len(fitted_profile(board, played).strip.order) * board.strip.pixels
        assert {len(shown) for _, shown in pico.shown} == {levels}
    assert set(pico.platform.latched()) == {DARK}


def test_board_wired_at_random_is_learned_and_calibrated(tmp_path):
    learn_and_calibrate(small(SOME_CELLS), tmp_path, ready_pico())
