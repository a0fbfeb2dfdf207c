"""The board of CirKle Mind and what is printed on its squares.

Owns the zones and the shields that squares give. What is printed is data: it stands in
`cirkle_mind_squares.toml`. Must not know what stands there, or the turns.
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from game.rules.cirkle_mind_faces import BLACK, COLOURS, FACES, SHAPES
from game.rules.errors import BadSquares
from game.rules.message import say
from game.rules.rectangle import rectangle

COLUMNS, ROWS, DEPTH = 8, 11, 4
BOARD = rectangle(COLUMNS, ROWS)
CELLS = BOARD.cells
INDEX = {cell: index for index, cell in enumerate(CELLS)}
ZONES = (CELLS[: COLUMNS * DEPTH], CELLS[-COLUMNS * DEPTH :])
"""The defence squares, by side."""
FULL_SHIELD = 2

_PRINTED = frozenset(colour + shape for colour in COLOURS for shape in SHAPES)
_NEUTRAL = "--"
_EACH = 2
"""How often a zone has each pair of colour and shape."""
_LONGEST = 60
"""A value told is quoted up to so many characters."""


@dataclass(frozen=True, slots=True)
class Squares:
    """What is printed on each square, "" for nothing, and the shield that it gives to each face.

    Both go by the board's order of cells; `shields` has a row for each number of a face.
    """

    printed: tuple[str, ...]
    shields: tuple[bytes, ...]


def read_squares(rows: object) -> Squares:
    """Read the rows of a layout, the uppermost first; raises BadSquares."""
    if not isinstance(rows, list) or len(rows) != ROWS:
        raise _bad("rows", rows, f"{ROWS} texts")
    printed: list[str] = []
    for number, row in enumerate(reversed(rows), start=1):
        codes = row.split() if isinstance(row, str) else []
        if len(codes) != COLUMNS:
            raise _bad(f"row {number}", row, f"{COLUMNS} squares")
        defence = number <= DEPTH or number > ROWS - DEPTH
        allowed = _PRINTED if defence else {_NEUTRAL}
        for code in codes:
            if code not in allowed:
                raise _bad(f"row {number}", code, " ".join(sorted(allowed)))
        printed += codes if defence else [""] * COLUMNS
    for zone in (printed[: COLUMNS * DEPTH], printed[-COLUMNS * DEPTH :]):
        for code, count in Counter({**dict.fromkeys(_PRINTED, 0), **Counter(zone)}).items():
            if count != _EACH:
                raise _bad(f"{code} in a zone", count, str(_EACH))
    return Squares(tuple(printed), _shields(printed))


def _shields(printed: Sequence[str]) -> tuple[bytes, ...]:
    """Work out the shield of each face on each square; the numbers of no face have none."""
    none = bytes(len(printed))
    return (none, *(bytes(shield(face, square) for square in printed) for face in FACES), none)


def shield(face: str, square: str) -> int:
    """Return how many of colour and shape a square has in common with a face.

    No square is black, so a black face has its full shield where the shape alone is the same.
    """
    if not square:
        return 0
    if face[0] == BLACK:
        return FULL_SHIELD if face[1] == square[1] else 0
    return (face[0] == square[0]) + (face[1] == square[1])


def _bad(what: str, value: object, allowed: str) -> BadSquares:
    return BadSquares(
        say("mind.bad_squares", what=what, value=repr(value)[:_LONGEST], allowed=allowed)
    )


def _shipped() -> Squares:
    text = (files("game.rules") / "cirkle_mind_squares.toml").read_text(encoding="utf-8")
    return read_squares(tomllib.loads(text).get("rows"))


SQUARES = _shipped()
