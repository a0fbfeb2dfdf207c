"""What may stand where a player of CirKle Mind sees only backs.

Owns drawing faces that a player does not see. Sides count from 0 in here.
"""

from dataclasses import replace
from random import Random

from game.rules.cirkle_mind.faces import FACES, OWN_TARGET, UNKNOWN
from game.rules.cirkle_mind.position import MindPhase, Position
from game.rules.cirkle_mind.squares import COLUMNS, DEPTH, ROWS

AT_HOME = 3
"""How many times likelier the own target stands in the rear of its zone."""

_REAR = (
    (1 << COLUMNS * DEPTH // 2) - 1,
    ((1 << COLUMNS * DEPTH // 2) - 1) << COLUMNS * (ROWS - DEPTH // 2),
)


def supposed(position: Position, rng: Random) -> Position:
    """Draw a whole position that agrees with what a player sees."""
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
            # It is still there, as the game goes on; some of its places are likelier.
            odds = [AT_HOME if _REAR[side] >> at & 1 else 1 for at in cells]
            home = rng.choices(range(len(cells)), odds)[0]
            faces[cells.pop(home)] = target
        left = [n for n in range(1, len(FACES) + 1) if n != target and not known >> n & 1]
        for at, face in zip(cells, rng.sample(left, len(cells)), strict=True):
            faces[at] = face
    return replace(position, faces=bytes(faces))
