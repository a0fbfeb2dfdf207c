"""Measure what a whole lifeboard holds in memory after many games.

Owns the playing of games as fast as the machine can, on a virtual clock, in a process of its own
that has all that the service has: emulated board, journal, page and its server.
"""

from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from game.common import AppError
from game.play import Dimmer, NightMode
from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command
from game.table.table import DRAW_S
from game.web import GameConfig, Server, listen
from game.web.game_runtime import open_game
from hal import profile as profiles
from hal.backends.backend import Hands

_FELT_S = 1.0
_REST_S = 0.3
"""Half of the time between two touches, so that none counts as a bounce of the last one."""


def memory_after(games: int) -> float:
    """Play random games in a new process; return its resident memory in MB."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_play, args=(games, there))
    with here:
        child.start()
        there.close()
        try:
            found: float = here.recv()
        except EOFError as error:
            raise AppError("the process that plays games ended without a result") from error
        finally:
            child.join()
    return found


def resident_mb(pid: str) -> float:
    """Return the resident memory of a process, "self" for this one, in MB (proc(5): VmRSS)."""
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return round(int(fields["VmRSS"].split()[0]) / 1024, 1)


def _play(games: int, there: Connection) -> None:
    with TemporaryDirectory() as folder, there:
        _Games(Path(folder)).play(games, there)


class _Games:
    """Games on the simulated board on a virtual clock."""

    def __init__(self, folder: Path) -> None:
        self._now = 0.0
        self._rng = Random(3)
        self._opened = ExitStack()
        profile = profiles.built_in()
        dimmer = Dimmer(profile, NightMode.OFF)
        plan = GameConfig(GAME, profile, "sim", folder, dimmer, seed=3, clock=lambda: self._now)
        listening = self._opened.enter_context(listen(0))
        table = self._opened.enter_context(open_game(plan))
        self._opened.enter_context(Server(table.page, listening))
        self._session = table.session

    def play(self, games: int, there: Connection) -> None:
        """Play until so many games have ended, and send the memory then."""
        with self._opened:
            ended = 0
            while ended < games:
                state = self._session.table.state
                if state.outcome is not None:
                    ended += 1
                    self._session.give(Asked(Command.NEW_GAME))
                    self._pass(DRAW_S + 1.0)
                    continue
                pending = state.pending
                moves = GAME.legal_moves(state.position)
                self._touch(pending[0].cell if pending else moves.pick(self._rng))
            there.send(resident_mb("self"))

    def _touch(self, cell: str) -> None:
        backend = self._session.device.backend
        if not isinstance(backend, Hands):
            raise AppError("the simulated board is replaced by another backend")
        before = self._session.table.state
        backend.press("finger", cell)
        self._pass(_FELT_S, until_changed=True)
        if self._session.table.state is before:
            raise AppError(f"a touch of {cell} was not felt within {_FELT_S:.0f} s")
        backend.lift("finger")
        self._pass(_REST_S)
        self._pass(_REST_S)

    def _pass(self, seconds: float, *, until_changed: bool = False) -> None:
        """Let time pass, with a step whenever one is due."""
        end, before = self._now + seconds, self._session.table.state
        while self._now < end:
            self._session.step(self._now)
            if until_changed and self._session.table.state is not before:
                return
            self._now = min(max(self._session.due(self._now), self._now + 1e-4), end)
