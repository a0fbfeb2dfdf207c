"""A table whose stones are felt, with a witness beside it: no board, no disk, no light.

Owns the telling of hands and time to both, and hands that take back, make again, eat, and set up
positions at random.
The witness raises what it does not understand.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from game.rules.circle_of_life import GAME
from game.table.book import Entries
from game.table.inputs import Asked, Command, Input, Laid, Stood
from game.table.state import Phase, State
from game.table.table import DRAW_S, Table
from tests.helpers.kills.invariant_checker import Witness
from tests.helpers.kills.person import drafted
from tests.helpers.kills.sitting import facts
from tests.helpers.kills.tale import Pairs


class FeltTable:
    """One table after the other, between which the power goes."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.stones: set[str] = set()
        self.witness = Witness(folder, presence=True)
        self._kept: Pairs = []
        self._entries: Entries = ()
        self._new_table()
        self._accept(self.table.start(self.now))
        self.wait(DRAW_S)
        self._ready()

    def put(self, *cells: str) -> None:
        """Set stones, one after the other."""
        for cell in cells:
            self._do("put", cell, self.stones.add)

    def take(self, *cells: str) -> None:
        """Take stones, one after the other."""
        for cell in cells:
            self._do("take", cell, self.stones.remove)

    def turn_over(self, *cells: str) -> None:
        """Take each stone, or set one where there is none."""
        for cell in cells:
            self.take(cell) if cell in self.stones else self.put(cell)

    def press(self, command: Command) -> None:
        """Press a key."""
        self.witness.hear(["do", "key", command.value])
        self._give(Asked(command))

    def lay(self, cell: str, piece: str) -> None:
        """Say on the page what is to stand on a cell of the position that is being set up."""
        self.witness.hear(["do", "lay", cell, piece])
        self._give(Laid(cell, piece))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
        self.table.tick(self.now)

    def cut_power(self) -> None:
        """Take up what was kept, and see that the board is asked for what it should be."""
        self._new_table()
        self.table.resume(self._entries, self.now)
        self.witness.goes_on_from(list(self._kept))
        self._ready()

    def _new_table(self) -> None:
        self.table = Table(GAME, {"first": "1", "target": "20"}, Random(0), presence=True)

    def _ready(self) -> None:
        self._give(Stood(frozenset(self.stones)))
        self.witness.hear(["ready"])

    def _do(self, what: str, cell: str, change: Callable[[str], None]) -> None:
        self.witness.hear(["do", what, cell])
        change(cell)
        self._give(Stood(frozenset(self.stones)))
        self.wait(0.5)

    def _give(self, event: Input) -> None:
        self._accept(self.table.handle(event, self.now))
        self.witness.hear(["draft", drafted(self.table.state.draft)])
        self.witness.hear(["shown", facts(self.table.state)])

    def _accept(self, entries: Entries) -> None:
        self._entries += entries
        pairs = [[each.kind.value, each.text] for each in entries]
        self._kept += pairs
        if pairs:
            self.witness.hear(["accept", pairs, self.now])


def fumble(table: FeltTable, rng: Random, deeds: int) -> None:
    """Play, and put the board right, but often lift what was set, or take back whole moves."""
    for _ in range(deeds):
        state, dice = table.table.state, rng.random()
        if state.phase is Phase.OVER:
            return
        if dice < 0.05:
            table.wait(rng.choice((0.6, 3.0, 8.0, 21.0)))
        elif dice < 0.08:
            table.press(Command.TAKE_BACK)
        elif dice < 0.10:
            table.cut_power()
        elif dice < 0.22 and state.history:
            table.turn_over(state.history[-1].focus)
        elif dice < 0.27 and state.history:
            _lay_out(table, rng, rng.choice(state.history[-3:]).before)
        elif dice < 0.31 and state.undone:
            _lay_out(table, rng, _with_undone(state))
        elif dice < 0.35 and table.stones:
            table.take(rng.choice(sorted(table.stones)))
        elif dice < 0.85 and (edits := state.pending(GAME)):
            table.turn_over(rng.choice(edits).cell)
        else:
            _set_stone(table, rng)


def repaint(table: FeltTable, rng: Random) -> None:
    """Begin to set up a position, say that stones are of other colours, and go back to the game."""
    if table.table.state.phase is not Phase.TAP or not table.stones:
        return
    table.press(Command.SET_UP)
    for _ in range(rng.randint(1, 4)):
        cell = rng.choice(sorted(table.stones) or GAME.board.cells)
        if rng.random() < 0.8:
            table.lay(cell, rng.choice(("1", "2")))
        else:
            table.turn_over(rng.choice((cell, "e5")))
    if rng.random() < 0.1:
        table.press(Command.SET_UP)
    table.press(Command.TAKE_BACK)


def _with_undone(state: State) -> Any:
    """Give the position as it was before hands took moves back."""
    position = state.position
    for text in state.undone.texts if state.undone else ():
        position = GAME.play(position, GAME.parse_move(position, text))
    return position


def _lay_out(table: FeltTable, rng: Random, position: Any) -> None:
    """Set and take what differs from a position, in any order."""
    cells = sorted(GAME.pieces(position).keys() ^ table.stones)
    table.turn_over(*rng.sample(cells, len(cells)))


def _set_stone(table: FeltTable, rng: Random) -> None:
    """Set a stone that is a move, or was one before hands took moves back; gladly one that eats."""
    position = _with_undone(table.table.state)
    moves = [move for move in GAME.legal_moves(position) if move not in table.stones]
    eating = [move for move in moves if GAME.removed(position, move)]
    if eating or moves:
        table.put(rng.choice(eating or moves))
