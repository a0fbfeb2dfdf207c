"""A player at a board who does things in random order.

Owns what hands do, and that each stone is told of before it moves. The player looks at what is
shown, which is not what the table knows already while the disk is busy.
"""

from random import Random
from typing import TYPE_CHECKING, Any

from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, SetNames
from game.table.phases import Phase, resting
from game.table.table import DRAW_S

if TYPE_CHECKING:
    from tests.helpers.kills.session import KillSession

LET_GO_S = 0.05
"""By then a key that counts when it is let go has counted, and the next deed comes after it."""
NAMES = (("Ada", "Bea"), ("Çelik", "Dürr"), ("", "Eva"), ("", ""))


class Person:
    """Do one thing after the other at a session."""

    def __init__(self, session: "KillSession", rng: Random) -> None:
        self._session, self._rng = session, rng

    def act(self) -> None:
        """Do one thing that the phase shown calls for, or one that it does not."""
        if self._session.shown is None:
            raise AssertionError("nothing is shown")
        state = self._session.shown.state
        if self._rng.random() < 0.04:
            self._name()
        elif state.phase is Phase.DRAW:
            if self._rng.random() < 0.2:
                self._cell(self._rng.choice(GAME.board.cells))
            self._session.run(DRAW_S)
        elif state.phase is Phase.CONFIRM:
            self._confirm()
        elif state.phase is Phase.SET_UP:
            self._set_up()
        elif state.phase is Phase.OVER:
            self._over()
        elif edits := state.pending:
            if self._rng.random() < 0.06:
                self.key(Command.TAKE_BACK)
            else:
                self._cell(self._rng.choice(edits).cell)
        else:
            self._turn()

    def _confirm(self) -> None:
        """Say by one touch that the board stands as it is shown; play must go on then."""
        self._cell(self._rng.choice(GAME.board.cells))
        self._session.run(0.3)
        self._session.settle()
        if self._session.table.state.phase is not resting(self._session.table.state):
            raise AssertionError(f"one touch leaves the table in {self._session.table.state.phase}")
        self._session.tell("confirmed")

    def _turn(self) -> None:
        dice, state = self._rng.random(), self._session.table.state
        if dice < 0.72:
            moves = GAME.legal_moves(state.position)
            self._cell(moves.pick(self._rng) if moves else "e5")
        elif dice < 0.80:
            self._cell(self._rng.choice(GAME.board.cells))
        elif dice < 0.88:
            self.key(Command.TAKE_BACK)
        elif dice < 0.92 and self._session.presence and state.history:
            self._restore(state.history[-1])
        elif dice < 0.94:
            self.key(Command.RESIGN, 2)
        elif dice < 0.96:
            self.key(Command.NEW_GAME, 2 if state.history else 1)
        else:
            self._ask(Command.SET_UP)

    def _over(self) -> None:
        dice, edits = self._rng.random(), self._session.table.state.pending
        if edits and dice < 0.5:
            self._cell(self._rng.choice(edits).cell)
        elif dice < 0.8:
            self.key(Command.TAKE_BACK)
        else:
            self.key(Command.NEW_GAME)

    def _restore(self, last: Any) -> None:
        """Put the stones back as they stood before the last move."""
        wanted = GAME.pieces(last.before).keys()
        for cell in sorted(wanted ^ self._session.board.backend.body.stones):
            self._cell(cell)

    def _set_up(self) -> None:
        dice = self._rng.random()
        if dice < 0.7:
            self._cell(self._rng.choice(GAME.board.cells))
        elif dice < 0.75:
            self._ask(Command.SET_UP)
        else:
            self.key(Command.NEW_GAME if dice < 0.93 else Command.TAKE_BACK)

    def _name(self) -> None:
        self._session.session.give(SetNames(self._rng.choice(NAMES)))
        self._session.run(0.02)

    def _ask(self, command: Command) -> None:
        self._session.session.give(Asked(command))
        self._session.run(0.02)

    def key(self, command: Command, times: int = 1) -> None:
        """Press a key on the board, or ask for the same on the page; go on when it has counted."""
        for _ in range(times):
            if self._rng.random() < 0.5:
                self._ask(command)
            else:
                self._press(command.value)
                self._session.run(LET_GO_S)

    def _cell(self, cell: str) -> None:
        """Touch a cell; where stones are felt, set one there or take the one that stands."""
        body = self._session.board.backend.body
        if not self._session.presence:
            self._press(cell)
            return
        body.advance(self._session.board.now)
        if cell in body.stones:
            self._session.tell("do", "take", cell)
            body.take(cell)
        else:
            self._session.tell("do", "put", cell)
            body.put(cell)
        self._session.run(self._rng.uniform(0.45, 0.6))

    def _press(self, spot: str) -> None:
        body = self._session.board.backend.body
        body.advance(self._session.board.now)
        body.lay(spot)
        self._session.run(self._rng.uniform(0.06, 0.1))
        body.advance(self._session.board.now)
        body.lift(spot)
        self._session.run(self._rng.uniform(0.02, 0.3))
