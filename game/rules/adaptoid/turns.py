"""The moves of Adaptoid: which are legal, and their effects."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from game.rules.adaptoid import field
from game.rules.adaptoid.field import ALL, LIMBS, NEAR, Position, TurnPhase, around, places_in
from game.rules.base.moves import MoveList

NOWHERE = -1
ENOUGH = 5  # Number of captured enemies that wins


class Part(Enum):
    """The part that a turn adds; the value is its sign in a record."""

    BODY = "+"
    LEG = "L"
    PINCER = "P"


@dataclass(frozen=True, slots=True)
class Placing:
    """Place the two first bodies."""

    white: int
    black: int


@dataclass(frozen=True, slots=True)
class ColourChoice:
    """Choose a colour."""

    colour: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Move from `start` to `goal`, and grow a `part` at `at`; NOWHERE and None for nothing."""

    start: int = NOWHERE
    goal: int = NOWHERE
    part: Part | None = None
    at: int = NOWHERE


Move: TypeAlias = Placing | ColourChoice | Turn


@dataclass(frozen=True, slots=True)
class Moved:
    """The field after a move; a fight removed the enemies `captured`, and the own bodies `lost`."""

    own: int
    enemy: int
    limbs: bytes | bytearray
    captured: int = 0
    lost: int = 0
    ends: bool = False

    def room(self) -> dict[Part, int]:
        """Return the mask of places where each part can grow; nowhere if the game is over."""
        if self.ends:
            return dict.fromkeys(Part, 0)
        own, limbs = self.own, self.limbs
        legs = pincers = sockets = 0
        rest = own
        while rest:
            low = rest & -rest
            rest ^= low
            each = limbs[low.bit_length() - 1]
            legs += each >> 3
            pincers += each & 7
            if LIMBS[each] < field.SOCKETS:
                sockets |= low
        return {
            Part.BODY: around(own) & ~(own | self.enemy) if own.bit_count() < field.BODIES else 0,
            Part.LEG: sockets if legs < field.LEGS else 0,
            Part.PINCER: sockets if pincers < field.PINCERS else 0,
        }


@dataclass(frozen=True, slots=True)
class Turned:
    """The result of a turn: the position after it, and masks of captured and starved bodies."""

    after: Position
    captured: int = 0
    lost: int = 0
    starved: int = 0


def goals(own: int, enemy: int, limbs: int, start: int) -> int:
    """Return the mask of places where a body with these limbs can end its move."""
    legs = limbs >> 3
    if not legs:
        return 0
    home = 1 << start
    empty = ALL & ~(own | enemy)
    seen = near = home
    for _ in range(legs):
        near = around(seen)
        seen |= near & empty
    return (seen ^ home) | (near & enemy if limbs & 7 else 0)


def moved(position: Position, start: int, goal: int) -> Moved:
    """Make a legal move, with a fight if it ends on an enemy."""
    own, enemy, limbs = position.own, position.enemy, position.limbs
    if start == NOWHERE:
        return Moved(own, enemy, limbs)
    home, there = 1 << start, 1 << goal
    changed = bytearray(limbs)
    mine, its = changed[start], changed[goal]
    changed[start] = 0
    if not enemy & there:
        changed[goal] = mine
        return Moved(own ^ home | there, enemy, changed)
    wins, loses = mine & 7 >= its & 7, mine & 7 <= its & 7
    own ^= home
    if wins:
        enemy ^= there
        changed[goal] = 0
    if not loses:
        own |= there
        changed[goal] = mine
    scores = position.score[position.mover] + wins, position.score[1 - position.mover] + loses
    ends = not own or not enemy or max(scores) >= ENOUGH
    return Moved(own, enemy, changed, there if wins else 0, home if loses else 0, ends)


def turned(position: Position, turn: Turn) -> Turned | None:
    """Compute the result of a turn; None if it is not legal."""
    start, goal, part, at = turn.start, turn.goal, turn.part, turn.at
    if start != NOWHERE:
        own, enemy = position.own, position.enemy
        if not own >> start & goals(own, enemy, position.limbs[start], start) >> goal & 1:
            return None
    step = moved(position, start, goal)
    room = step.room()
    own, enemy, limbs = step.own, step.enemy, step.limbs
    if any(room.values()) if part is None else not room[part] >> at & 1:
        return None
    if part is Part.BODY:
        own |= 1 << at
    elif part is not None:
        limbs = bytearray(limbs)
        limbs[at] += 8 if part is Part.LEG else 1
    starved = 0 if step.ends else starving(enemy, own | enemy, limbs)
    if starved:
        enemy ^= starved
        limbs = bytearray(limbs)
        for place in places_in(starved):
            limbs[place] = 0
    mover, other = position.mover, 1 - position.mover
    gained = position.score[mover] + step.captured.bit_count() + starved.bit_count()
    given = position.score[other] + step.lost.bit_count()
    # If both have won, the mover has.
    won = gained >= ENOUGH or not enemy
    over = won or given >= ENOUGH or not own
    after = Position(
        TurnPhase.PLAY,
        mover if won else other,
        position.white,
        (own, enemy) if mover == position.white else (enemy, own),
        bytes(limbs),
        (given, gained) if mover else (gained, given),
        over,
    )
    return Turned(after, step.captured, step.lost, starved)


def starving(bodies: int, taken: int, limbs: bytes | bytearray) -> int:
    """Return the mask of the bodies with fewer empty neighbours than limbs."""
    room = {place: (NEAR[place] & ~taken).bit_count() for place in places_in(bodies)}
    return sum(1 << place for place in room if room[place] < LIMBS[limbs[place]])


def moves_of(position: Position) -> MoveList[Move]:
    """List the legal moves."""
    if position.over:
        return MoveList()
    if position.phase is TurnPhase.PLACE:
        places = sorted(field.PLACE.values())
        return MoveList(Placing(one, other) for one in places for other in places if one != other)
    if position.phase is TurnPhase.CHOOSE:
        return MoveList((ColourChoice(field.WHITE), ColourChoice(field.BLACK)))
    return MoveList(_turns(position))


def _turns(position: Position) -> Iterator[Turn]:
    for start, goal in _ways(position):
        room = moved(position, start, goal).room()
        if not any(room.values()):
            yield Turn(start, goal)
        for part, mask in room.items():
            for at in places_in(mask):
                yield Turn(start, goal, part, at)


def _ways(position: Position) -> Iterator[tuple[int, int]]:
    """Yield (start, goal) pairs; the first is "no move"."""
    own, enemy, limbs = position.own, position.enemy, position.limbs
    yield NOWHERE, NOWHERE
    for start in places_in(own):
        for goal in places_in(goals(own, enemy, limbs[start], start)):
            yield start, goal


def played(position: Position, move: Move) -> Position | None:
    """Return the position after a move; None if it is not legal."""
    if position.over:
        return None
    if isinstance(move, Turn):
        found = turned(position, move) if position.phase is TurnPhase.PLAY else None
        return None if found is None else found.after
    if isinstance(move, Placing):
        bodies = white, black = 1 << move.white, 1 << move.black
        # Looking for it among all placings would take a thousand times as long.
        legal = position.phase is TurnPhase.PLACE and white != black and not (white | black) & ~ALL
        return Position(TurnPhase.CHOOSE, 1 - position.mover, bodies=bodies) if legal else None
    if move not in moves_of(position):
        return None
    white = position.mover if move.colour == field.WHITE else 1 - position.mover
    return replace(position, phase=TurnPhase.PLAY, mover=white, white=white)


def takeable(position: Position) -> int:
    """Return the mask of the enemies that the mover could capture in one turn."""
    taken = 0
    for start, goal in _ways(position):
        step = moved(position, start, goal)
        taken |= step.captured
        if step.ends:
            continue
        room, blocked = step.room()[Part.BODY], step.own | step.enemy
        for place in places_in(step.enemy & ~taken):
            limbs = LIMBS[step.limbs[place]]
            free = NEAR[place] & ~blocked
            if limbs > free.bit_count() - (1 if free & room else 0):
                taken |= 1 << place
    return taken
