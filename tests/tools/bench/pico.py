"""Measure how soon a board on an emulated Pico lights a touched cell, by the Pico's own clock."""

import os
import sys
from contextlib import closing, redirect_stdout
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from game.table import DRAW_S
from game.table.inputs import Asked, Command
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.rp2040.flashed import ready_pico
from tests.helpers.shared import FOLDER

STEP_S = 0.0002  # delay until the host wakes; its own code takes no time


def first_lights(touches: int) -> list[float]:
    """Play by touches; return the seconds from each until its first frame begins on the wire."""
    rng, found = Random(4), list[float]()
    with TemporaryDirectory() as folder, redirect_stdout(sys.stderr):
        os.environ.setdefault(FOLDER, folder)
        board = built_in("hexagon-61-pico")
        with closing(EmulatedGame(board, Path(folder), make=ready_pico())) as game:
            while len(found) < touches:
                if game.table.state.outcome is not None:
                    game.session.give(Asked(Command.NEW_GAME))
                    game.run(DRAW_S + 1.0)
                game.run(0.3 + 0.1 * rng.random())
                state = game.table.state
                legal = game.game.legal_moves(state.position).pick(rng)
                found.append(_first_light(game, state.pending[0].cell if state.pending else legal))
                game.run(0.1)
                game.pi.lift("finger")
                game.run(0.3)
    return found


def _first_light(game: EmulatedGame, cell: str) -> float:
    pico, pixel, landed, dim = game.pi.pico, game.profile.pixels[cell], game.now, None
    game.pi.press("finger", cell)
    game.session.step(game.now)
    while pico.platform.latched()[pixel] != dim:
        assert game.now < landed + 1.0, f"a touch of {cell} has no light"
        game.now += STEP_S
        pico.settle()
        if game.session.due(game.now) <= game.now:
            game.session.step(game.now)
            if dim is None and cell in game.device.contacts:
                dim = game.pi.lit()[pixel]
    return float(pico.shown[-1][0] - landed)
