"""Hands that play by themselves on a simulated board, a while after the table asks for something.

They remove eaten stones, set the computer's, and confirm a board that is to be compared.
"""

from dataclasses import dataclass
from math import inf

from game.rules.base.edits import EditKind
from game.rules.base.game import AnyGame
from game.table import Phase, State, proposal
from game.table.inputs import Asked, Command, Input, Performed
from hal.backends.backend import Hands
from hal.lights import Rhythm

TAKE_S = Rhythm.PULSE.value.period_s  # Eaten stones vanish after their light has pulsed once
SET_S = 0.6
"""Delay before a computer's stone is set or a board corrected, so that people see what comes."""
CLEAR_S = 1.5
"""How long the board stays as it was before it is set up again: its last move must be seen."""
AGAIN_S = 1.5
"""An action without effect is repeated after this time, longer than sensing a stone takes."""
_IDLE = (Phase.ARRANGE, Phase.SHOW, Phase.MENU)
"""Phases in which people look at something, or choose: nothing is asked of hands."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A task for hands: set stones on `put`, take those on other `spots`; if none, confirm."""

    wait_s: float
    spots: tuple[str, ...] = ()
    put: frozenset[str] = frozenset()


class AutomaticHands:
    """Do what a table asks of hands, while `automatic`; `board` holds the sensed stones."""

    def __init__(self, board: Hands, automatic: bool = True) -> None:
        self.automatic = automatic
        self._board = board
        self._seen: State | None = None
        self._task: _Task | None = None
        self._at = inf

    def switch(self, automatic: bool) -> None:
        """Switch these hands on, or leave their work to people; on the board's thread."""
        self.automatic, self._seen = automatic, None

    def follow(self, game: AnyGame, state: State, now: float) -> tuple[Input, ...]:
        """Follow the table's state; return the actions that no sensed stone reports."""
        task = self._task
        if state is not self._seen:
            task, self._seen = _task(game, state) if self.automatic else None, state
        if task != self._task:
            self._task, self._at = task, inf if task is None else now + task.wait_s
        if task is None or now < self._at:
            return ()
        self._at = now + AGAIN_S
        if not task.spots:
            return (Asked(Command.CONFIRM),)
        if not state.senses_stones:
            return tuple(Performed(spot) for spot in task.spots)
        with_sensor = frozenset(task.spots) & frozenset(game.board.cells) - state.faults.masked
        self._board.place_stones(task.put & with_sensor, with_sensor - task.put)
        return tuple(Performed(spot) for spot in task.spots if spot not in with_sensor)

    def due(self, _now: float) -> float:
        return self._at


def _task(game: AnyGame, state: State) -> _Task | None:
    if state.faults.reasons or state.phase in _IDLE:
        return None
    if state.phase is Phase.CONFIRM:
        return _Task(CLEAR_S if state.rebuilding else 0.0)
    if not state.senses_stones and state.phase in (Phase.DRAW, Phase.SET_UP):
        return None
    if pending := state.pending:
        put = frozenset(edit.cell for edit in pending if edit.kind is not EditKind.REMOVE)
        wait_s = TAKE_S if state.after_last_move else SET_S
        return _Task(wait_s, tuple(edit.cell for edit in pending), put)
    wanted = proposal(state)
    if wanted is None:
        return None
    spot = wanted.taps[0]
    stands = spot in (state.hands.sensed or ())
    return _Task(SET_S, (spot,), frozenset() if stands else frozenset({spot}))
