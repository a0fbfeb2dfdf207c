"""The board of CirKle Mind and the print on its squares, which is data in `squares.toml`."""

import tomllib
from importlib.resources import files

from game.rules.boards.board import rectangle
from game.rules.cirkle_mind.faces import BLACK, FACES, FULL_SHIELD

COLUMNS, ROWS, DEPTH = 8, 11, 4
BOARD = rectangle(COLUMNS, ROWS)
CELLS = BOARD.cells
INDEX = {cell: index for index, cell in enumerate(CELLS)}
ZONES = (CELLS[: COLUMNS * DEPTH], CELLS[-COLUMNS * DEPTH :])  # The defence squares, by side
_NEUTRAL = "--"


def shield(face: str, square: str) -> int:
    """Count the features that a square shares with a face; for black, the shape counts twice."""
    if not square:
        return 0
    if face[0] == BLACK:
        return FULL_SHIELD if face[1] == square[1] else 0
    return (face[0] == square[0]) + (face[1] == square[1])


_ROWS = tomllib.loads((files(__package__) / "squares.toml").read_text(encoding="utf-8"))["rows"]
PRINTED = tuple("" if code == _NEUTRAL else code for row in reversed(_ROWS) for code in row.split())
"""The print by cell, in the board's order, "" for none."""
_NONE = bytes(len(PRINTED))
# EMPTY and UNKNOWN, the first and the last number, have no shield.
SHIELDS_BY_FACE = (_NONE, *(bytes(shield(face, each) for each in PRINTED) for face in FACES), _NONE)
"""The shields by number of a face and cell."""
