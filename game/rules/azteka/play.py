"""Azteka's disc as sets of cells, positions, the three variants, and the effects of a turn.

A set is an integer with a bit a cell: segment by segment, four bits each from the inside. A move is
its own text: `c3` places, `T2` turns a ring by one segment, `TT2` by two, `-` declines a birth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from game.rules.base.moves import MoveList
from game.rules.boards.board import disc

RINGS, SEGMENTS = 4, 8
BOARD = disc(RINGS, SEGMENTS)
names = BOARD.in_mask
FULL = (1 << RINGS * SEGMENTS) - 1
BIT = {cell: 1 << index for index, cell in enumerate(BOARD.cells)}
RING = tuple(sum(BIT[cell] for cell in cells) for cells in BOARD.rings.values())
INNERMOST = RING[0]
SEGMENT = tuple(0b1111 << RINGS * n for n in range(SEGMENTS))
SEGMENT_OF = {cell: SEGMENT[index // RINGS] for index, cell in enumerate(BOARD.cells)}

_INSIDE, _OUTSIDE = FULL ^ RING[-1], FULL ^ INNERMOST
_STEP = RINGS
_BACK = RINGS * (SEGMENTS - 1)

LIFE, DEATH, MUMMIES = range(3)
CODES = "LDM"
DECLINE = "-"
TURNS = tuple(f"T{ring + 1}" for ring in range(RINGS))
WIDE_TURNS = tuple(f"TT{ring + 1}" for ring in range(RINGS))


def around(cells: int) -> int:
    """Return all neighbours of a set of cells."""
    return (
        (cells << _STEP | cells >> _BACK | cells >> _STEP | cells << _BACK) & FULL
        | (cells & _INSIDE) << 1
        | (cells & _OUTSIDE) >> 1
    )


def turned(cells: int, ring: int, steps: int) -> int:
    """Turn one ring, from 0, clockwise by 1 or 2 segments."""
    mask = RING[ring]
    part = cells & mask
    if not part:
        return cells
    step = _STEP * steps
    return cells ^ part | (part << step | part >> RINGS * SEGMENTS - step) & mask


def spreads(cells: int) -> bool:
    """Return whether a set has a cell in every segment and every ring."""
    if not all(cells & ring for ring in RING):
        return False
    return (cells | cells >> 1 | cells >> 2 | cells >> 3) & INNERMOST == INNERMOST


def reigns(cells: int) -> bool:
    """Return whether a set fills a segment or a ring."""
    if cells & cells >> 1 & cells >> 2 & cells >> 3 & INNERMOST:
        return True
    return any(cells & ring == ring for ring in RING)


def lines_met(cells: int) -> int:
    """Count the segments and rings, 12 in all, in which a set has a cell."""
    return sum(bool(cells & line) for line in (*SEGMENT, *RING))


def fullest_line(cells: int) -> tuple[int, int]:
    """Return the number of cells in the relatively fullest segment or ring, and that one's size."""
    segment = max((cells & line).bit_count() for line in SEGMENT)
    ring = max((cells & line).bit_count() for line in RING)
    return (segment, RINGS) if segment * SEGMENTS >= ring * RINGS else (ring, SEGMENTS)


class Reason(Enum):
    """The reason why a round, or a game for three, ended."""

    SPREAD = "spread"
    REIGN = "reign"
    ALL_PLACED = "all placed"
    BOARD_FULL = "board full"


@dataclass(frozen=True, slots=True)
class Variant:
    """`bound`: sides place beside own pieces, and have powers; `wide`: they may turn by two."""

    name: str
    sides: int
    supply: int
    bound: bool = False
    wide: bool = False

    @property
    def rounds(self) -> int:
        return 2 if self.sides == 2 else 1

    @property
    def codes(self) -> str:
        return CODES[: self.sides]

    def goals(self, side: int) -> tuple[Reason, ...]:
        """List the goals of a side, in the order in which they are shown."""
        if self.sides > 2:
            return (Reason.SPREAD, Reason.REIGN)
        return (Reason.SPREAD if side == LIFE else Reason.REIGN, Reason.ALL_PLACED)

    def reached(self, side: int, cells: int) -> Reason | None:
        """Return the first goal that a side has reached with these pieces."""
        if (self.sides > 2 or side == LIFE) and spreads(cells):
            return Reason.SPREAD
        if (self.sides > 2 or side == DEATH) and reigns(cells):
            return Reason.REIGN
        placed = self.sides == 2 and cells.bit_count() >= self.supply
        return Reason.ALL_PLACED if placed else None

    def first_to_reach(self, stones: Sequence[int], mover: int) -> tuple[int, Reason] | None:
        """Find the side that has reached a goal: the mover first, then in order of play."""
        for step in range(self.sides):
            side = (mover + step) % self.sides
            reason = self.reached(side, stones[side])
            if reason is not None:
                return side, reason
        return None


BASIC = Variant("basic", 2, 14, bound=True)
AGGRESSIVE = Variant("aggressive", 2, 14, wide=True)
THREE = Variant("three", 3, 12)
VARIANTS = {variant.name: variant for variant in (BASIC, AGGRESSIVE, THREE)}


@dataclass(frozen=True, slots=True)
class FirstRound:
    """The winner of the first round, from 1, and their number of pieces on the board."""

    winner: int
    pieces: int


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces, the side that decides next, and the result of the first round.

    Sides are 0 to 2 inside the rules of Azteka, and `stones` has a set of cells for each. `life`
    is the player, from 0, who has Life in this round. Once there is an `ending`, the `mover` is the
    side that won, or Life in a draw.
    """

    variant: Variant
    stones: tuple[int, ...]
    mover: int = LIFE
    life: int = 0
    first_round: FirstRound | None = None
    birth: bool = False
    last_actions: int | None = None
    ending: Reason | None = None

    @property
    def round(self) -> int:
        return 1 if self.first_round is None else 2

    @property
    def rounds_won(self) -> tuple[int, ...]:
        won = [0] * self.variant.sides
        if self.first_round is not None:
            won[self.first_round.winner - 1] += 1
        if self.ending is not None and self.ending is not Reason.BOARD_FULL:
            won[self.player(self.mover) - 1] += 1
        return tuple(won)

    @property
    def free(self) -> int:
        """The empty cells."""
        return FULL & ~sum(self.stones)

    def side(self, player: int) -> int:
        """Return the side that a player, from 1, has in this round."""
        return (player - 1 - self.life) % self.variant.sides

    def player(self, side: int) -> int:
        """Return the player, from 1, who has a side in this round."""
        return (side + self.life) % self.variant.sides + 1

    def left(self, side: int) -> int:
        """Count the pieces that a side has in supply."""
        return self.variant.supply - self.stones[side].bit_count()


def start(variant: Variant, life: int = 0, first_round: FirstRound | None = None) -> Position:
    """Begin a round on an empty board."""
    return Position(variant, (0,) * variant.sides, life=life, first_round=first_round)


def open_cells(variant: Variant, stones: Sequence[int], side: int) -> int:
    """Return the cells on which a side may place a piece, regardless of the turn."""
    own = stones[side]
    if own.bit_count() >= variant.supply:
        return 0
    free = FULL & ~sum(stones)
    return free & around(own) if own and variant.bound else free


def wide_turns(position: Position) -> tuple[str, ...]:
    """List the turns by two segments that the mover may make."""
    if not position.variant.wide:
        return ()
    own, other = position.stones[position.mover], position.stones[1 - position.mover]
    return tuple(
        turn
        for turn, ring in zip(WIDE_TURNS, RING, strict=True)
        if (own & ring).bit_count() > (other & ring).bit_count()
    )


def actions(position: Position) -> MoveList[str]:
    """List the legal moves; none when the game is over."""
    if position.ending is not None:
        return MoveList()
    if position.last_actions is not None:
        return MoveList(TURNS)
    cells = names(open_cells(position.variant, position.stones, position.mover))
    if position.birth:
        return MoveList((*cells, DECLINE))
    return MoveList((*cells, *TURNS, *wide_turns(position)))


def turn_of(move: str) -> tuple[int, int] | None:
    """Return the ring, from 0, that a move turns, and by how many segments; None if it does not."""
    return (int(move[-1]) - 1, len(move) - 1) if move[0] == "T" else None


def disintegrated(variant: Variant, stones: Sequence[int]) -> int:
    """Return the surrounded Life pieces that Death replaces: the first ones, as supply lasts."""
    doomed = left = stones[LIFE] & ~around(FULL ^ stones[DEATH])
    if doomed:
        for _ in range(variant.supply - stones[DEATH].bit_count()):
            left &= left - 1
    return doomed ^ left


@dataclass(frozen=True, slots=True)
class Change:
    """The pieces after a turn, even one that ends the round, and who has reached a goal.

    `doomed` are the Life pieces that disintegrated.
    """

    stones: tuple[int, ...]
    doomed: int = 0
    birth: bool = False
    reached: tuple[int, Reason] | None = None


def change(position: Position, move: str) -> Change:
    """Compute what a legal move does to the board."""
    variant, side, stones = position.variant, position.mover, position.stones
    doomed = 0
    if (turn := turn_of(move)) is not None:
        stones = tuple([turned(cells, *turn) for cells in stones])
    elif move != DECLINE:
        changed = list(stones)
        changed[side] |= BIT[move]
        segment = SEGMENT_OF[move]
        whole = variant.bound and side == LIFE and changed[LIFE] & segment == segment
        if whole and open_cells(variant, changed, LIFE):
            return Change(tuple(changed), birth=True)
        if side == DEATH and variant.bound:
            doomed = disintegrated(variant, changed)
            changed[LIFE] ^= doomed
            changed[DEATH] |= doomed
        stones = tuple(changed)
    return Change(stones, doomed, reached=variant.first_to_reach(stones, side))


def after(position: Position, move: str) -> Position:
    variant, life, before = position.variant, position.life, position.first_round
    made = change(position, move)
    stones = made.stones
    if made.birth:
        return Position(variant, stones, LIFE, life, before, birth=True)
    last = position.last_actions
    if last is not None:
        last -= 1
    if made.reached is not None:
        side, reason = made.reached
        if position.round < variant.rounds:
            noted = FirstRound(position.player(side), stones[side].bit_count())
            return start(variant, 1 - life, noted)
        return Position(variant, stones, side, life, before, last_actions=last, ending=reason)
    if last == 0:
        return Position(variant, stones, last_actions=0, ending=Reason.BOARD_FULL)
    if last is None and variant.sides > 2 and sum(stones) == FULL:
        last = variant.sides
    following = (position.mover + 1) % variant.sides
    return Position(variant, stones, following, life, before, last_actions=last)


def verdict(position: Position) -> tuple[int | None, str] | None:
    """Return the winner, from 1, and the fixed text of the reason; None before the end."""
    if position.ending is None:
        return None
    before = position.first_round
    if before is None:
        drawn = position.ending is Reason.BOARD_FULL
        return None if drawn else position.player(position.mover), position.ending.value
    winner = position.player(position.mover)
    if winner == before.winner:
        return winner, "both rounds"
    pieces = position.stones[position.mover].bit_count()
    if pieces == before.pieces:
        return None, "equal pieces"
    return winner if pieces < before.pieces else before.winner, "fewer pieces"
