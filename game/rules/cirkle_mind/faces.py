"""The faces of CirKle Mind: the hidden sides of the pieces, and who wins an attack."""

from enum import Enum

SHAPES = "TSCO"  # Triangle, square, cross, circle
COLOURS = "ygbm"  # Yellow, green, blue, mauve
FULL_SHIELD = 2
BLACK, TARGET = "k", "X"
SIDES = "GM"
GREEN, MAUVE = range(2)

FACES = (
    *(colour + shape for shape in SHAPES for colour in COLOURS),
    *(BLACK + shape for shape in SHAPES),
    *(colour + TARGET for colour in COLOURS),
)
"""Colour and shape of each piece; an army has one piece of each face."""
EMPTY, UNKNOWN = 0, len(FACES) + 1
"""Numbers for no face and for a hidden face; faces are numbered from 1 in their order."""
NUMBER = {face: number for number, face in enumerate(FACES, start=1)}
OWN_TARGET = (NUMBER["gX"], NUMBER["mX"])
"""By side, the face of the target whose loss loses the game."""
CODES = tuple((*(side + face for face in ("", *FACES)), side) for side in SIDES)
"""The code of a piece, by side and number of its face; a hidden face leaves only the side."""
PIECES = {
    code: (side, number)
    for side, codes in enumerate(CODES)
    for number, code in enumerate(codes)
    if number != EMPTY
}
"""Side and number of the face of each code."""


def is_black(number: int) -> bool:
    return FACES[number - 1][0] == BLACK


def is_target(number: int) -> bool:
    return FACES[number - 1][1] == TARGET


class AttackResult(Enum):
    """Which of the two pieces stays on the board."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    BOTH = "both"


def bare(attacker: int, defender: int) -> AttackResult:
    """Decide an attack between two faces without shields."""
    if is_target(defender) or is_black(attacker):
        return AttackResult.ATTACKER
    one, two = FACES[attacker - 1], FACES[defender - 1]
    if is_black(defender):
        return AttackResult.ATTACKER if one[1] == two[1] else AttackResult.DEFENDER
    alike = one[0] == two[0] or one[1] == two[1]
    return AttackResult.ATTACKER if alike else AttackResult.BOTH


def shielded(attacker: int, defender: int, shield: int, other: int) -> AttackResult:
    """Decide an attack with shields: the attacker's on the square it moved to, the defender's."""
    result = bare(attacker, defender)
    if is_target(defender) or result is AttackResult.DEFENDER:
        return result
    if result is AttackResult.BOTH:
        return AttackResult.ATTACKER if shield == other == FULL_SHIELD else AttackResult.BOTH
    if is_black(attacker) and not is_black(defender):
        return AttackResult.BOTH if other == FULL_SHIELD > shield else AttackResult.ATTACKER
    return AttackResult.ATTACKER if shield >= other else AttackResult.DEFENDER
