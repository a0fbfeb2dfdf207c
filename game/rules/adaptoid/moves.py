"""All legal moves of a position of Adaptoid, as views that compute on demand, and their effect."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import TypeVar

from game.rules.adaptoid import field, turns
from game.rules.adaptoid.field import LIMBS, NEAR, PLACE, Position, TurnPhase, around, places_in
from game.rules.adaptoid.turns import Part, Placing, Turn, goals, moved, turned
from game.rules.base.moves import MoveList, Moves

T = TypeVar("T")
_MORE_ROOM = 7
"""Most cells that a move opens for a new body: its start, and all neighbours of its goal."""


_PLACES = set(PLACE.values())


class Placings:
    """The ways to place the two first bodies: on any two places."""

    def __iter__(self) -> Iterator[Placing]:
        places = sorted(PLACE.values())
        return (Placing(one, other) for one in places for other in places if one != other)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Placing) or move.white == move.black:
            return False
        return {move.white, move.black} <= _PLACES

    def __len__(self) -> int:
        return len(PLACE) * (len(PLACE) - 1)

    def pick(self, rng: Random) -> Placing:
        """Draw a turn uniformly: draw again if the drawn move has no growth of the drawn number."""
        white, black = rng.sample(sorted(PLACE.values()), 2)
        return Placing(white, black)


class Turns:
    """The legal turns of a position in play; at least one, as the game is not over."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def ways(self) -> Iterator[tuple[int, int]]:
        """Yield (start, goal) pairs; the first is "no move"."""
        yield turns.NOWHERE, turns.NOWHERE
        for start, ends in self._reach():
            for goal in places_in(ends):
                yield start, goal

    def __iter__(self) -> Iterator[Turn]:
        for start, goal in self.ways():
            room = moved(self._position, start, goal).room()
            if not len(room):
                yield Turn(start, goal)
            for part in Part:
                for at in places_in(room.mask(part)):
                    yield Turn(start, goal, part, at)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Turn) and turned(self._position, move) is not None

    def __len__(self) -> int:
        position = self._position
        return sum(len(moved(position, *way).room()) or 1 for way in self.ways())

    def __bool__(self) -> bool:
        return True

    def pick(self, rng: Random) -> Turn:
        """Draw a turn uniformly: a move, and one of as many growths as any move can have.

        If this move has no growth of that number, draw both again.
        """
        position = self._position
        reach = self._reach()
        moves = 1 + sum(ends.bit_count() for _, ends in reach)
        still = moved(position, turns.NOWHERE, turns.NOWHERE)
        if moves > 1:
            cells = (around(still.own) & ~(still.own | still.enemy)).bit_count()
            most = cells + _MORE_ROOM + 2 * still.own.bit_count()
        else:
            most = len(still.room()) or 1
        while True:
            number, growth = int(rng.random() * moves), int(rng.random() * most)
            start = goal = turns.NOWHERE
            step = still
            if number:
                start, goal = _nth(reach, number - 1)
                step = moved(position, start, goal)
            room = step.room()
            if growth < len(room):
                masks = ((part, room.mask(part)) for part in Part)
                return Turn(start, goal, *_nth(masks, growth))
            if not growth:
                return Turn(start, goal)

    def _reach(self) -> list[tuple[int, int]]:
        position = self._position
        own, enemy, limbs = position.own, position.enemy, position.limbs
        found = ((place, goals(own, enemy, limbs[place], place)) for place in places_in(own))
        return [(place, ends) for place, ends in found if ends]


def _nth(masks: Iterable[tuple[T, int]], number: int) -> tuple[T, int]:
    """Return the n-th place of all masks, with what its mask belongs to."""
    for owner, mask in masks:
        count = mask.bit_count()
        if number < count:
            for _ in range(number):
                mask &= mask - 1
            return owner, (mask & -mask).bit_length() - 1
        number -= count
    raise LookupError("no such place")


def moves_of(position: Position) -> Moves[turns.Move]:
    if position.over:
        return MoveList()
    if position.phase is TurnPhase.PLACE:
        return Placings()
    if position.phase is TurnPhase.CHOOSE:
        return MoveList((turns.Choice(field.WHITE), turns.Choice(field.BLACK)))
    return Turns(position)


def played(position: Position, move: turns.Move) -> Position | None:
    """Return the position after a move; None if it is not legal."""
    if position.over:
        return None
    if isinstance(move, Turn):
        found = turned(position, move) if position.phase is TurnPhase.PLAY else None
        return None if found is None else found.after
    if move not in moves_of(position):
        return None
    if isinstance(move, Placing):
        bodies = 1 << move.white, 1 << move.black
        return Position(TurnPhase.CHOOSE, 1 - position.mover, bodies=bodies)
    white = position.mover if move.colour == field.WHITE else 1 - position.mover
    return replace(position, phase=TurnPhase.PLAY, mover=white, white=white)


def takeable(position: Position) -> int:
    """Return the mask of the enemies that the mover could capture in one turn."""
    taken = 0
    for start, goal in Turns(position).ways():
        step = moved(position, start, goal)
        taken |= step.captured
        if step.ends:
            continue
        room, blocked = step.room().bodies, step.own | step.enemy
        for place in places_in(step.enemy & ~taken):
            limbs = LIMBS[step.limbs[place]]
            free = NEAR[place] & ~blocked
            if limbs > free.bit_count() - (1 if free & room else 0):
                taken |= 1 << place
    return taken
