"""What a computer player thinks of a position of CirKle Mind, before it looks ahead.

Owns a guess of who stands better, and drawing faces that a player does not see. Must not know any
search. Players and sides count from 0 in here.
"""

from dataclasses import replace
from math import exp
from random import Random

from game.rules.cirkle_mind.faces import (
    FACES,
    GREEN,
    OWN_TARGET,
    UNKNOWN,
    Result,
    bare,
    is_black,
    is_target,
)
from game.rules.cirkle_mind.position import FULL, MindPhase, Position, around
from game.rules.cirkle_mind.squares import COLUMNS, DEPTH, ROWS

KEENNESS = 7.0
"""The odds of a player all of whose enemies are gone are e to this times those of an even game."""
SPARE = 3.0
"""Added to each army: a piece matters more as others go, but not without limit."""
COLOURED, BLACK, TARGET = 1.0, 2.2, 0.7
"""What pieces are worth; an army's own target is worth the game."""
SHOWN = 0.9
"""Value of a piece whose face has been shown, as a share of its value before."""
ONWARD, FAR = 0.1, 7
"""Worth of each row towards the enemy to a piece, and the last row that counts, from its own side.

Without it no player would make the first step, since the other could attack then.
"""
SURE, EVEN_ODDS = 0.9, 0.45
"""How likely an attack by a black piece wins, and by another one, not knowing on what."""
SUPPORTED = 0.1
"""Share of an attack's gain that counts where the piece that won can be attacked in return."""
TURN, NEXT_TURN = 0.8, 0.3
"""How much an attack counts that can be made now, and one that can be made in the turn after."""
HUNT, LAYERS = 1.5, 8
"""How much more a lead counts, the nearer the leader's pieces are, within `LAYERS` cells."""
AT_HOME = 3
"""How many times likelier the own target stands in the rear of its zone."""

_NUMBERS = range(1, len(FACES) + 1)
_WORTH = (
    0.0,
    *(TARGET if is_target(n) else BLACK if is_black(n) else COLOURED for n in range(1, 25)),
)
_BEATS = (
    0,
    *(
        sum(1 << other for other in _NUMBERS if bare(number, other) is Result.ATTACKER)
        for number in _NUMBERS
    ),
)
"""The faces that each one takes in an attack, as bits; shields are left to who looks ahead."""
_BLACK = tuple(n > 0 and is_black(n) for n in range(len(FACES) + 1))
_ONWARD = tuple(
    tuple(
        ONWARD * min(at // COLUMNS if side == GREEN else ROWS - 1 - at // COLUMNS, FAR)
        for at in range(COLUMNS * ROWS)
    )
    for side in (0, 1)
)
_LEFT = sum(1 << row * COLUMNS for row in range(ROWS))
_RIGHT = _LEFT << COLUMNS - 1
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


def evaluate(position: Position) -> tuple[float, float] | None:
    """Guess what share of a point each player may expect of a whole position in play."""
    if position.phase is not MindPhase.PLAY or position.over:
        return None
    faces, shown, mover = position.faces, position.shown, position.mover
    known = FULL if position.level.exchanged else shown
    armies = position.armies
    free = FULL & ~(armies[0] | armies[1])
    strength, reach, homes = [0.0, 0.0], [(0, 0), (0, 0)], [0, 0]
    for side in (0, 1):
        army, black, sum_ = armies[side], 0, 0.0
        target, onward = OWN_TARGET[side], _ONWARD[side]
        while army:
            low = army & -army
            army ^= low
            at = low.bit_length() - 1
            face = faces[at]
            if face == target:
                homes[side] = low
                continue
            sum_ += onward[at] + (_WORTH[face] * SHOWN if shown & low else _WORTH[face])
            if _BLACK[face]:
                black |= low
        strength[side] = sum_
        reach[side] = (_attacked(side, black, free), _attacked(side, armies[side], free))
    # What comes of the next attacks, as far as those who make them can know it.
    first = position.army(mover)
    gained = [0.0, 0.0]
    for side, weight in ((first, TURN), (1 - first, NEXT_TURN)):
        sure, any_ = reach[side]
        other = 1 - side
        victims = any_ & armies[other]
        if not victims:
            continue
        if victims & homes[other] & known:
            # A target that the enemy knows falls now, or must flee.
            gained[side] = strength[other] * (0.95 if weight == TURN else 0.4)
            continue
        blind, open_ones = victims & ~known, ~reach[other][1]
        odds = max(
            SURE * (1 if sure & blind & open_ones else SUPPORTED if sure & blind else 0),
            EVEN_ODDS * (1 if blind & open_ones else SUPPORTED if blind else 0),
        )
        told = _to_gain(side, faces, armies[side], victims & known, free, open_ones)
        gained[side] = weight * max(odds, told)
        if blind & homes[other]:
            gained[side] += strength[other] * weight * odds / victims.bit_count()
    own = strength[first] - gained[1 - first]
    others = strength[1 - first] - gained[first]
    lead = (own - others) / (strength[0] + strength[1] + 2 * SPARE)
    leader = first if lead > 0 else 1 - first
    hunters = armies[leader] & ~homes[leader]
    lead *= 1 + HUNT * _nearness(hunters, armies[1 - leader])
    share = 1 / (1 + exp(-KEENNESS * lead))
    return (share, 1 - share) if mover == 0 else (1 - share, share)


def _to_gain(side: int, faces: bytes, army: int, victims: int, free: int, open_ones: int) -> float:
    """Return the most that a side gains by an attack on one of these, whose faces it knows."""
    most = 0.0
    while victims:
        victim = victims & -victims
        victims ^= victim
        face = faces[victim.bit_length() - 1]
        gain = _WORTH[face] * (1 if victim & open_ones else SUPPORTED)
        if gain <= most:
            continue
        # Who attacks a cell comes from where its piece would go, and the same again.
        starts = _onward(1 - side, _onward(1 - side, victim) & free) & army
        while starts:
            start = starts & -starts
            starts ^= start
            if _BEATS[faces[start.bit_length() - 1]] >> face & 1:
                most = gain
                break
    return most


def _nearness(pieces: int, enemies: int) -> float:
    """Tell how near pieces are to enemies, 1 where all stand beside one."""
    count, layer, total = pieces.bit_count(), enemies, 0
    for _ in range(LAYERS):
        layer = around(layer) | layer
        total += (pieces & layer).bit_count()
    return total / (LAYERS * count) if count else 0.0


def _attacked(side: int, pieces: int, free: int) -> int:
    """Return the cells that pieces of a side could attack in one turn, occupied or not."""
    goals = _onward(side, pieces) & free
    return _onward(side, goals)


def _onward(side: int, cells: int) -> int:
    """Return the cells before and beside these, as a side sees them."""
    ahead = cells << COLUMNS & FULL if side == GREEN else cells >> COLUMNS
    return ahead | (cells & ~_RIGHT) << 1 | (cells & ~_LEFT) >> 1
