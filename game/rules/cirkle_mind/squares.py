"""The board of CirKle Mind and the print on its squares.

Owns the zones and the shields that squares give. The print is data in `squares.toml`. Must not
know pieces on the board, or turns.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from game.rules.boards.rectangle import rectangle
from game.rules.cirkle_mind.faces import BLACK, FACES, FULL_SHIELD

COLUMNS, ROWS, DEPTH = 8, 11, 4
BOARD = rectangle(COLUMNS, ROWS)
CELLS = BOARD.cells
INDEX = {cell: index for index, cell in enumerate(CELLS)}
ZONES = (CELLS[: COLUMNS * DEPTH], CELLS[-COLUMNS * DEPTH :])
"""The defence squares, by side."""
_NEUTRAL = "--"


@dataclass(frozen=True, slots=True)
class Squares:
    """The print on each square, "" for none, and the shield that the square gives to each face.

    Both are in the board's order of cells; `shields` has a row for each number of a face.
    """

    printed: tuple[str, ...]
    shields: tuple[bytes, ...]


def read_squares(rows: Sequence[str]) -> Squares:
    """Read the rows of a layout, the uppermost first."""
    codes = [code for row in reversed(rows) for code in row.split()]
    printed = tuple("" if code == _NEUTRAL else code for code in codes)
    # EMPTY and UNKNOWN, the first and the last number, have no shield.
    none = bytes(len(printed))
    by_face = (bytes(shield(face, square) for square in printed) for face in FACES)
    return Squares(printed, (none, *by_face, none))


def shield(face: str, square: str) -> int:
    """Return how many features, colour and shape, a square has in common with a face.

    No square is black, so a black face has its full shield if only the shape is the same.
    """
    if not square:
        return 0
    if face[0] == BLACK:
        return FULL_SHIELD if face[1] == square[1] else 0
    return (face[0] == square[0]) + (face[1] == square[1])


SQUARES = read_squares(
    tomllib.loads((files(__package__) / "squares.toml").read_text(encoding="utf-8"))["rows"]
)
