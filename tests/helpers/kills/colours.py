"""Which colour each stone counts as where only places are felt, as docs/hands.md tells it.

Owns which stones stand in the wrong colour, and when one has been exchanged. Uses the rules of the
game, and nothing of table, journal or store.
"""

from collections.abc import Set as AbstractSet

from game.rules.circle_of_life import GAME
from tests.helpers.kills.tale import Tale


class Colours:
    """Follow the colours of one sitting's stones.

    A stone is of the colour that should stand where it is set, else of the one that the last move
    took from there, else of a colour that nobody knows. It keeps it until it is lifted, or until a
    move is made, or an earlier position restored: that says that all stones are right. `wrong` are
    the cells that ask for an exchange, from which a stone may have been lifted meanwhile.
    """

    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self.wrong: set[str] = set()

    def take_up(self, tale: Tale, stones: AbstractSet[str]) -> None:
        """Begin with what stands when a game is taken up."""
        self._of = {cell: tale.standing[cell] for cell in stones & tale.standing.keys()}
        self.wrong = set()
        self.see(tale, stones)

    def see(self, tale: Tale, stones: AbstractSet[str]) -> None:
        """Look at all stones: a cell that asks for an exchange does so until it is right."""
        right = GAME.pieces(tale.position)
        guesses = {**(GAME.pieces(tale.befores[-1]) if tale.befores else {}), **right}
        for cell in stones & guesses.keys():
            self._of.setdefault(cell, guesses[cell])
        self.wrong = {
            cell
            for cell, piece in right.items()
            if self._of.get(cell, piece if cell not in self.wrong else "") != piece
        }

    def all_right(self) -> None:
        """Hear that what stands is what should, and what should not has just been taken off."""
        self._of.clear()

    def say(self, cell: str, piece: str) -> None:
        """Take it from people that a stone is of this colour."""
        self._of[cell] = piece

    def say_of_others(self, stones: AbstractSet[str], piece: str) -> None:
        """Take all stones whose colour nobody knows for this one."""
        for cell in stones:
            self._of.setdefault(cell, piece)

    def lift(self, cell: str) -> None:
        """Let a stone be lifted."""
        self._of.pop(cell, None)

    def exchanges(self, cell: str) -> bool:
        """Tell whether a stone that is set on a cell takes the place of one of the wrong colour."""
        return cell in self.wrong and cell not in self._of
