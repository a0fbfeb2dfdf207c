"""Measure what a whole lifeboard holds in memory after many games.

Owns the playing of games as fast as the machine can, on a virtual clock, in a process of its own
that has all that the service has: emulated board, journal, page and its server.
"""

from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from game.play import Dimmer, NightMode
from game.rules.circle_of_life import GAME
from game.table import DRAW_S
from game.table.inputs import Asked, Command
from game.web import GameConfig, Server, listen
from game.web.game_runtime import open_game
from hal import profile as profiles

_PRESS_S = 0.1
_REST_S = 0.6
"""Time between two touches, so that none counts as a bounce of the last one."""


def memory_after(games: int, **options: str) -> float:
    """Play random games in a new process; return its resident memory in MB."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_play, games, options).result()


def resident_mb(pid: str) -> float:
    """Return the resident memory of a process, "self" for this one, in MB (proc(5): VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return round(int(fields["VmRSS"].split()[0]) / 1024, 1)


def _play(games: int, options: dict[str, str]) -> float:
    """Play on the simulated board until so many games have ended; return the memory then."""
    now, rng, profile = 0.0, Random(3), profiles.built_in()
    with TemporaryDirectory() as folder, ExitStack() as opened:
        dimmer = Dimmer(profile, NightMode.OFF)
        plan = GameConfig(
            GAME, profile, "sim", Path(folder), dimmer, seed=3, clock=lambda: now, options=options
        )
        listening = opened.enter_context(listen(0))
        table = opened.enter_context(open_game(plan))
        opened.enter_context(Server(table.page, listening))
        session: Any = table.session
        backend = session.device.backend

        def run(seconds: float) -> None:
            """Let time pass, with a step whenever one is due."""
            nonlocal now
            end = now + seconds
            while now < end:
                session.step(now)
                now = min(max(session.due(now), now + 1e-4), end)

        ended = 0
        while ended < games:
            state = session.table.state
            if state.outcome is not None:
                ended += 1
                session.give(Asked(Command.NEW_GAME))
                run(DRAW_S + 1.0)
                continue
            pending, moves = state.pending, GAME.legal_moves(state.position)
            cell = pending[0].cell if pending else moves.pick(rng)
            backend.press("finger", cell)
            run(_PRESS_S)
            backend.lift("finger")
            assert session.table.state is not state, f"a touch of {cell} was not sensed"
            run(_REST_S)
        return resident_mb("self")
