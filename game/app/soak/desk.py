"""The physical truth of a sitting: which stones stand on which cells, and what else lies there.

Owns what nobody but an eye can know of a board. Must not know the table, what it believes, nor
chips and drivers.
"""

from collections.abc import Mapping, Sequence

from game.app.errors import AppError


class DeskError(AppError):
    """Refuse what no hand can do, as to take a stone where none stands."""


class Desk:
    """Hold the stones of one board, each a piece of the game by its code."""

    def __init__(self) -> None:
        self._stones: dict[str, str] = {}

    @property
    def stones(self) -> Mapping[str, str]:
        """Give the piece on each cell that has one."""
        return self._stones

    def put(self, cell: str, piece: str) -> None:
        """Set a stone on an empty cell; raise DeskError where one stands."""
        if cell in self._stones:
            raise DeskError(f"cell {cell} has a stone: allowed is to set one on an empty cell")
        self._stones[cell] = piece

    def take(self, cell: str) -> str:
        """Take the stone of a cell away and give it; raise DeskError where none stands."""
        if cell not in self._stones:
            raise DeskError(f"cell {cell} is empty: allowed is to take a stone that stands")
        return self._stones.pop(cell)

    def turn(self, cells: Sequence[str], steps: int) -> None:
        """Let the stones of a ring go so many cells on; back where `steps` is below 0."""
        stood = [self._stones.pop(cell, "") for cell in cells]
        for n, cell in enumerate(cells):
            stone = stood[(n - steps) % len(cells)]
            if stone:
                self._stones[cell] = stone

    def differences(self, pieces: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Give what stands and what should, by cell, wherever these are not the same."""
        both = ((c, self._stones.get(c, ""), pieces.get(c, "")) for c in {*self._stones, *pieces})
        return {cell: (stands, should) for cell, stands, should in sorted(both) if stands != should}
