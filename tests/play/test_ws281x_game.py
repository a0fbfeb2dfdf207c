"""A game of 30 moves on a board whose strip hangs on GPIO18."""

import os
import signal
from contextlib import closing
from dataclasses import replace
from functools import partial
from random import Random

from game.rules.base.registry import all_games
from hal.lights import DARK
from hal.lights.frame import RETRY_S
from hal.profile import load
from hal.profile.writer import save
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.fake_soc import FakePiPlatform
from tests.helpers.boards.game_hands import GameHands
from tests.helpers.boards.profiles import board_named

MOVES = 30


def test_a_game_is_lit_by_pwm_and_goes_on_after_a_crash_of_the_helper(
    tmp_path, monkeypatch, caplog
):
    usual = board_named("hexagon-61")
    save(replace(usual, strip=replace(usual.strip, driver="pwm", pin=18)), tmp_path / "board.toml")
    board, played = load(tmp_path / "board.toml"), all_games()["circle-of-life"]
    platform = partial(FakePiPlatform, root=tmp_path, monkeypatch=monkeypatch)
    with closing(EmulatedGame(board, tmp_path / "data", game=played, platform=platform)) as room:
        hands, rng = GameHands(room, board, played), Random(7)
        while room.plies < MOVES:
            hands.move(rng)
            # Each frame on the way here was read back, by three data sheets.
            assert room.pi.latched() == room.pi.lit()
            if room.plies == MOVES // 2 and len(room.pi.platform.pi.helpers) == 1:
                os.kill(room.pi.platform.pi.helpers[0], signal.SIGKILL)
                room.run(RETRY_S + 1.0)
                assert "the strip's helper has ended" in caplog.text
                assert not room.has_faults
        assert len(room.pi.platform.pi.helpers) == 2
        assert len(room.pi.platform.pi.lines) > 5 * MOVES
    assert set(room.pi.latched()) == {DARK}
