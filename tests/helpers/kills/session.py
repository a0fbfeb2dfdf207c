"""A game that is played at random on a simulated board and a virtual clock, until it is killed.

A pipe gets each entry before the journal has it, and what is shown as soon as it is.
"""

import json
import os
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from game.play import Session, Snapshot
from game.rules.base.values import Outcome
from game.rules.circle_of_life import GAME
from game.store import Journal
from game.table import DRAW_S, Table
from game.table.entries import Entry
from game.table.inputs import Asked, Command, Input, SetNames
from game.table.phases import Phase
from game.table.state import State
from hal.lights import Frame
from hal.profile import built_in
from hal.sim import SimBackend
from tests.helpers.boards.still_device import StillDevice

DISK_S = 30.0
"""A disk that has not answered by then never will."""
NAMES = (("Ada", "Bea"), ("Çelik", "Dürr"), ("", "Eva"), ("", ""))


class Board:
    """A simulated board with a clock that is moved by hand; made once, and then forked."""

    def __init__(self) -> None:
        self.now = 0.0
        profile = built_in()
        self.backend = SimBackend(profile, clock=lambda: self.now)
        self.device = StillDevice(profile, self.backend)


class LyingJournal(Journal):
    """A deliberate flaw: reports everything as saved at once, and writes it a moment later."""

    _late: tuple[Sequence[Entry], Outcome | None, float] | None = None

    @property
    def settled(self) -> bool:
        return True

    def append(self, entries: Sequence[Entry], outcome: Outcome | None, now: float) -> None:
        if self._late is not None:
            super().append(*self._late)
        self._late = (entries, outcome, now)


class KillSession:
    """One session, and the person who plays at it; `shown` is the state that was shown last.

    The person goes on with the chance `haste` before the disk is done.
    """

    def __init__(self, folder: Path, board: Board, pipe: int, rng: Random, flawed: bool) -> None:
        self._board, self._pipe, self._rng = board, pipe, rng
        self._haste = rng.choice((0.0, 0.3, 1.0))
        self._woken = threading.Event()
        self.shown: State | None = None
        tell = self.tell

        class TellingJournal(LyingJournal if flawed else Journal):  # type: ignore[misc]
            def append(self, entries: Any, outcome: Any, now: float) -> None:
                tell("accept", [[each.kind.value, each.text] for each in entries])
                super().append(entries, outcome, now)

        self._journal = TellingJournal(folder, GAME.name, wake=self._woken.set)
        table = Table(GAME, {}, Random(rng.random()))
        self._session = Session(table, board.device, self._journal, self)

    def see(self, snapshot: Snapshot) -> None:
        state = self.shown = snapshot.state
        outcome = state.outcome
        facts = {
            "position": GAME.text(state.position),
            "moves": [each.text for each in state.history],
            "options": dict(state.options),
            "names": list(state.names) if any(state.names) else [],
            "outcome": [outcome.winner, outcome.reason] if outcome else None,
        }
        self.tell("shown", facts, state.notices.save_problem is None)

    def see_lights(self, colours: Frame) -> None:
        """Lights follow what is shown."""

    def tell(self, *line: object) -> None:
        os.write(self._pipe, json.dumps(line).encode() + b"\n")

    def play(self, actions: int | None) -> None:
        """Resume the game, and go on until so many actions or the process end."""
        self._session.begin(self._board.now)
        self._settle()
        self._run(0.5)
        self.tell("ready")
        while actions is None or actions > 0:
            self._act()
            if self._rng.random() >= self._haste:
                self._settle()
            actions = None if actions is None else actions - 1
        self._settle()
        self.tell("closing")
        self._journal.close()
        self.tell("closed")

    def _act(self) -> None:
        """Do one thing that the shown phase asks for, or occasionally something else."""
        assert self.shown is not None
        dice, edits = self._rng.random(), self.shown.pending
        if self.shown.phase is Phase.DRAW:
            self._run(DRAW_S)
        elif dice < 0.04:
            self._give(SetNames(self._rng.choice(NAMES)))
        elif dice < 0.1:
            self._give(Asked(Command.TAKE_BACK))
        elif dice < 0.12:
            self._give(Asked(Command.RESIGN), 2)
        elif edits:
            self._press(self._rng.choice(edits).cell)
        elif self.shown.phase is Phase.OVER or dice < 0.14:
            self._give(Asked(Command.NEW_GAME), 2)
        else:
            moves = GAME.legal_moves(self.shown.position)
            self._press(moves.pick(self._rng) if moves else self._rng.choice(GAME.board.cells))

    def _give(self, request: Input, times: int = 1) -> None:
        self._settle()  # requests of pages wait for the disk in a bounded queue
        for _ in range(times):
            self._session.give(request)
            self._run(0.02)

    def _press(self, cell: str) -> None:
        body = self._board.backend.body
        for act, seconds in ((body.lay, (0.06, 0.1)), (body.lift, (0.02, 0.3))):
            body.advance(self._board.now)
            act(cell)
            self._run(self._rng.uniform(*seconds))

    def _run(self, seconds: float) -> None:
        """Step as the loop does."""
        board = self._board
        end = board.now + seconds
        while board.now < end:
            self._session.step(board.now)
            due = min(self._session.due(board.now), end)
            if board.backend.step_s is not None:
                due = min(due, board.now + board.backend.step_s)
            board.now = max(due, board.now + 1e-4)
        self._session.step(board.now)

    def _settle(self) -> None:
        """Wait for the disk while the clock stands still, and see what is shown then."""
        while not self._journal.settled:
            if not self._woken.wait(DISK_S):
                raise AssertionError("the journal does not settle")
            self._woken.clear()
        self._session.step(self._board.now)


def play(
    folder: Path, board: Board, pipe: int, seed: int, actions: int | None, flawed: bool
) -> int:
    """Play in this process; return its exit status."""
    try:
        KillSession(folder, board, pipe, Random(seed), flawed).play(actions)
    except Exception:
        os.write(pipe, json.dumps(["error", traceback.format_exc()]).encode() + b"\n")
        return 1
    return 0
