"""Random faces for pieces of CirKle Mind of which a player sees only the backs.

Owns drawing faces that a player does not see. Sides count from 0 in this module.
"""

from dataclasses import replace
from random import Random

from game.rules.cirkle_mind.faces import FACES, OWN_TARGET, UNKNOWN
from game.rules.cirkle_mind.position import MindPhase, Position
from game.rules.cirkle_mind.squares import COLUMNS, DEPTH, ROWS

AT_HOME = 3
"""How many times likelier an army's own target stands on a rear square of its zone."""

_REAR = (
    (1 << COLUMNS * DEPTH // 2) - 1,
    ((1 << COLUMNS * DEPTH // 2) - 1) << COLUMNS * (ROWS - DEPTH // 2),
)


def supposed(position: Position, rng: Random) -> Position:
    """Draw a complete position that agrees with a position as a player sees it."""
    if position.phase is not MindPhase.PLAY or UNKNOWN not in position.faces:
        return position
    faces = bytearray(position.faces)
    for side in (0, 1):
        cells, known = [], position.lost[side]
        army = position.armies[side]
        while army:
            low = army & -army
            army ^= low
            at = low.bit_length() - 1
            face = faces[at]
            if face == UNKNOWN:
                cells.append(at)
            else:
                known |= 1 << face
        if not cells:
            continue
        rng.shuffle(cells)
        target = OWN_TARGET[side]
        if not known >> target & 1:
            # The target is on the board, as the game goes on; rear squares are likelier.
            odds = [AT_HOME if _REAR[side] >> at & 1 else 1 for at in cells]
            home = rng.choices(range(len(cells)), odds)[0]
            faces[cells.pop(home)] = target
        left = [n for n in range(1, len(FACES) + 1) if n != target and not known >> n & 1]
        for at, face in zip(cells, rng.sample(left, len(cells)), strict=True):
            faces[at] = face
    return replace(position, faces=bytes(faces))
