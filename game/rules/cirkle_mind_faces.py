"""The faces of CirKle Mind: what a piece shows on its hidden side, and its codes.

Owns shapes, colours, the 24 faces of an army in the order that everybody knows, and how pieces
are called in records. Must not know the board, or who beats whom.
"""

from collections.abc import Iterable

SHAPES = "TSCO"
"""Triangle, square, cross, circle."""
COLOURS = "ygbm"
"""Yellow, green, blue, mauve."""
BLACK, TARGET = "k", "X"
SIDES = "GM"
GREEN, MAUVE = range(2)

FACES = (
    *(colour + shape for shape in SHAPES for colour in COLOURS),
    *(BLACK + shape for shape in SHAPES),
    *(colour + TARGET for colour in COLOURS),
)
"""Colour and shape of each piece of an army, which has one of each."""
EMPTY, UNKNOWN = 0, len(FACES) + 1
"""Faces have numbers from 1, in their order; these two stand for none and for a hidden one."""
NUMBER = {face: number for number, face in enumerate(FACES, start=1)}
OWN_TARGET = (NUMBER["gX"], NUMBER["mX"])
"""The face with which an army is lost, by side."""
CODES = tuple((*(side + face for face in ("", *FACES)), side) for side in SIDES)
"""The code of a piece, by side and number of its face; a hidden one is its side alone."""
_PLACE = {
    code: (side, number)
    for side, codes in enumerate(CODES)
    for number, code in enumerate(codes)
    if number != EMPTY
}


def read_code(code: object) -> tuple[int, int] | None:
    """Return side and number of the face of a piece's code; None if it is none."""
    return _PLACE.get(code) if isinstance(code, str) else None


def is_black(number: int) -> bool:
    """Tell whether a face is black."""
    return FACES[number - 1][0] == BLACK


def is_target(number: int) -> bool:
    """Tell whether a face is a target."""
    return FACES[number - 1][1] == TARGET


def same_shape(number: int, other: int) -> bool:
    """Tell whether two faces have the same shape."""
    return FACES[number - 1][1] == FACES[other - 1][1]


def same_colour(number: int, other: int) -> bool:
    """Tell whether two faces have the same colour."""
    return FACES[number - 1][0] == FACES[other - 1][0]


def listed(numbers: Iterable[int]) -> str:
    """Write faces as a record has them, in their order."""
    return " ".join(FACES[number - 1] for number in sorted(numbers))
