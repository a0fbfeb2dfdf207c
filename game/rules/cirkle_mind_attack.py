"""Who wins an attack in CirKle Mind.

Owns the decision: a pure function of two faces and their shields. Must not know the board.
"""

from enum import Enum

from game.rules.cirkle_mind_faces import is_black, is_target, same_colour, same_shape
from game.rules.cirkle_mind_squares import FULL_SHIELD


class Result(Enum):
    """Which of the two stays on the board."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    BOTH = "both"


def bare(attacker: int, defender: int) -> Result:
    """Decide an attack between two faces without shields."""
    if is_target(defender) or is_black(attacker):
        return Result.ATTACKER
    if is_black(defender):
        return Result.ATTACKER if same_shape(attacker, defender) else Result.DEFENDER
    alike = same_shape(attacker, defender) or same_colour(attacker, defender)
    return Result.ATTACKER if alike else Result.BOTH


def shielded(attacker: int, defender: int, shield: int, other: int) -> Result:
    """Decide an attack with the attacker's shield, on the square it moved to, and the other's."""
    result = bare(attacker, defender)
    if is_target(defender) or result is Result.DEFENDER:
        return result
    if result is Result.BOTH:
        return Result.ATTACKER if shield == other == FULL_SHIELD else Result.BOTH
    if is_black(attacker) and not is_black(defender):
        return Result.BOTH if other == FULL_SHIELD > shield else Result.ATTACKER
    return Result.ATTACKER if shield >= other else Result.DEFENDER
