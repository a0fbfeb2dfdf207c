"""Azteka as a fast board, in all its variants.

Owns a fast copy of `game.rules.azteka.play`, an evaluation, and the conversion of positions and
moves. A set of cells is a mask as in the rules. Moves are numbered in this order: placing on each
cell, turning each ring, turning each by two segments, declining a birth. Compiled with the types
of `azteka.pxd`.
"""

import math
from array import array
from collections.abc import Sequence

from game.engine.fast import bits, chance
from game.engine.fast import board as boards
from game.rules.azteka import play
from game.rules.azteka.play import DEATH, FULL, INNERMOST, LIFE

CELLS = 32
RINGS = 4
SEGMENTS = 8
TURN = CELLS
WIDE_TURN = TURN + RINGS
DECLINE = WIDE_TURN + RINGS
TEXTS = (*play.BOARD.cells, *play.TURNS, *play.WIDE_TURNS, play.DECLINE)

INSIDE = FULL ^ play.RING[RINGS - 1]
OUTSIDE = FULL ^ INNERMOST
SEGMENT = play.SEGMENT[0]
ONE = 1
NO_LAST = -1  # no last turns: the disc is not full

SHARPNESS, BOUND_SHARPNESS = 4.0, 2.0  # if pieces go anywhere; if only beside own pieces
TEMPO = 0.5  # worth of being to move, in actions
EVEN, PIECE = 10.3, 0.9
"""A first-round win with EVEN pieces is worth half the game; each further piece costs PIECE.

Measured in 80 games of the search against itself.
"""
KEENNESS = 1.5  # like PIECE, for each piece more than the winner of the first round had
HASTE = 0.01
"""Discount of a result per ply: by the rules a sure winner could wait for ever."""


class AztekaBoard(boards.FastBoard):
    """A position of Azteka, in the words of `play.Position` and `play.Variant`."""

    def __init__(self, sides: int, supply: int, bound: bool, wide: bool) -> None:
        super().__init__(sides, sides, supply, bound, wide)
        self.supply = supply
        self.bound = bound
        self.wide = wide
        self.sharpness = BOUND_SHARPNESS if bound else SHARPNESS
        self.stones = array("Q", bytes(8 * boards.MOST_PLAYERS))
        self.side = LIFE
        self.life = 0
        # The winner of the first round, 0 while it goes on, and their number of pieces.
        self.before = 0
        self.noted = 0
        self.birth = False
        self.last = NO_LAST
        self.played = 0

    def copy_from(self, other: "boards.FastBoard") -> None:
        boards.FastBoard.copy_from(self, other)
        source: AztekaBoard = other  # type: ignore[assignment]
        for side in range(self.players):
            self.stones[side] = source.stones[side]
        self.side = source.side
        self.life = source.life
        self.before = source.before
        self.noted = source.noted
        self.birth = source.birth
        self.last = source.last
        self.played = source.played

    def free(self) -> int:
        """Return the empty cells."""
        return FULL & ~(self.stones[0] | self.stones[1] | self.stones[2])

    def open_cells(self, side: int) -> int:
        """Return the cells on which a side may place a piece, regardless of the turn."""
        own = self.stones[side]
        if bits.count(own) >= self.supply:
            return 0
        free = self.free()
        return free & around(own) if own and self.bound else free

    def list_moves(self) -> int:
        if self.ended:
            return 0
        cells = self.open_cells(self.side) if self.last == NO_LAST else 0
        return self._list_turns(self.list_cells(0, cells, 0))

    def _list_turns(self, count: int) -> int:
        """Add the moves that place no piece; return the new number of moves."""
        if self.birth:
            self.moves[count] = DECLINE
            return count + 1
        for ring in range(RINGS):
            self.moves[count] = TURN + ring
            count = count + 1
        if self.wide:
            for ring in range(RINGS):
                mask = INNERMOST << ring
                own = bits.count(self.stones[self.side] & mask)
                if own > bits.count(self.stones[1 - self.side] & mask):
                    self.moves[count] = WIDE_TURN + ring
                    count = count + 1
        return count

    def play(self, move: int) -> None:
        side = self.side
        self.played = self.played + 1
        self.birth = False
        if move < CELLS:
            self.stones[side] |= ONE << move
            if self.bound:
                segment = SEGMENT << (move & 28)
                if side == DEATH:
                    self._disintegrate()
                elif self.stones[LIFE] & segment == segment and self.open_cells(LIFE):
                    self.birth = True
                    return
        elif move < DECLINE:
            self._turn(move & 3, 4 if move < WIDE_TURN else 8)
        if self.last > 0:
            self.last = self.last - 1
        for step in range(self.players):
            other = (side + step) % self.players
            cells = self.stones[other]
            used_up = self.players == 2 and bits.count(cells) >= self.supply
            if used_up or self.reaches(other, cells):
                self._win(other)
                return
        if self.last == 0:
            self.ended = self.players + 1
            return
        if self.players > 2 and self.last == NO_LAST and not self.free():
            self.last = self.players
        self._pass_to((side + 1) % self.players)

    def reaches(self, side: int, cells: int) -> bool:
        """Return whether these cells reach a goal of a side other than using up its supply."""
        if (self.players > 2 or side == LIFE) and spreads(cells):
            return True
        return (self.players > 2 or side == DEATH) and reigns(cells)

    def _pass_to(self, side: int) -> None:
        self.side = side
        self.mover = (side + self.life) % self.players

    def _disintegrate(self) -> None:
        """Replace the Life pieces that only have Death neighbours, while Death has supply."""
        doomed = self.stones[LIFE] & ~around(FULL ^ self.stones[DEATH])
        left = self.supply - bits.count(self.stones[DEATH])
        while doomed and left > 0:
            low = doomed & (FULL - doomed + 1)
            self.stones[LIFE] ^= low
            self.stones[DEATH] |= low
            doomed = doomed ^ low
            left = left - 1

    def _turn(self, ring: int, shift: int) -> None:
        mask = INNERMOST << ring
        for side in range(self.players):
            cells = self.stones[side]
            part = cells & mask
            self.stones[side] = cells ^ part | (part << shift | part >> CELLS - shift) & mask

    def _win(self, side: int) -> None:
        """End the round, and the game if it was the last one."""
        winner = (side + self.life) % self.players + 1
        pieces = bits.count(self.stones[side])
        if self.players > 2:
            self.ended = winner
        elif not self.before:
            self.before = winner
            self.noted = pieces
            self.life = 1 - self.life
            self.stones[LIFE] = self.stones[DEATH] = 0
            self._pass_to(LIFE)
        elif winner == self.before or pieces < self.noted:
            self.ended = winner
        else:
            self.ended = self.before if pieces > self.noted else self.players + 1

    def winning_cells(self, side: int) -> int:
        """Return the open cells on which a piece of this side reaches a goal at once."""
        own = self.stones[side]
        free = self.open_cells(side)
        if self.players == 2 and bits.count(own) + 1 >= self.supply:
            return free
        found = 0
        if self.players > 2 or side == LIFE:
            found = spreading(own)
        if self.players > 2 or side == DEATH:
            found = found | reigning(own)
        return found & free

    def winning_turn(self, side: int) -> int:
        """Return a turn by one segment by which this side reaches a goal, 0 if there is none."""
        own = self.stones[side]
        for ring in range(RINGS):
            part = own & INNERMOST << ring
            if part:
                cells = own ^ part | (part << 4 | part >> 28) & FULL
                if self.reaches(side, cells):
                    return TURN + ring
        return 0

    def evaluate(self) -> None:
        """Estimate from the actions that each side needs, and what its round would be worth."""
        if self.players > 2:
            self._evaluate_three()
            return
        life_needs = self.need(LIFE)
        death_needs = self.need(DEATH)
        lead = death_needs - life_needs + (TEMPO if self.side == LIFE else -TEMPO)
        odds = 1.0 / (1.0 + math.exp(-lead))
        life_pieces = bits.count(self.stones[LIFE]) + life_needs
        death_pieces = bits.count(self.stones[DEATH]) + death_needs
        if not self.before:
            player = self.life
            value = odds * self.worth(life_pieces)
            value = value + (1.0 - odds) * (1.0 - self.worth(death_pieces))
        else:
            # The winner of the first round can only lose to one who wins with fewer pieces.
            player = 2 - self.before
            value = odds if player == self.life else 1.0 - odds
            pieces = life_pieces if player == self.life else death_pieces
            value = value / (1.0 + math.exp(KEENNESS * (pieces + 0.5 - self.noted)))
        self.shares[player] = value
        self.shares[1 - player] = 1.0 - value

    def _evaluate_three(self) -> None:
        total = 0.0
        for side in range(3):
            later = (side - self.side + 3) % 3
            self.shares[side] = math.exp(-TEMPO * later - self.need(side))
            total = total + self.shares[side]
        for side in range(3):
            self.shares[side] = self.shares[side] / total

    def worth(self, pieces: int) -> float:
        """Estimate the chance to win the game after a first-round win with so many pieces."""
        return 1.0 / (1.0 + math.exp(PIECE * (pieces - EVEN)))

    def need(self, side: int) -> int:
        """Estimate how many actions a side needs to reach a goal."""
        own = self.stones[side]
        least = 99
        if self.players == 2:
            least = self.supply - bits.count(own)
        if self.players > 2 or side == LIFE:
            segments = SEGMENTS - bits.count(in_segments(own))
            rings = RINGS - bits.count(in_rings(own))
            least = min(least, segments if segments > rings else rings)
        if self.players > 2 or side == DEATH:
            free = self.free()
            behind = (own << 4 | own >> 28) & FULL
            near = ~own & (behind | free)
            far = FULL & ~own & ~near
            farther = far & ~(free << 4 | free >> 28)
            for segment in range(SEGMENTS):
                mask = SEGMENT << 4 * segment
                cost = bits.count(near & mask) + 2 * bits.count(far & mask)
                cost = cost + bits.count(farther & mask)
                least = min(least, cost)
            for ring in range(RINGS):
                mask = INNERMOST << ring
                if not mask & ~own & ~free:
                    least = min(least, bits.count(free & mask))
        return least

    def play_out(self, rng: "chance.Xorshift", informed: bool) -> None:
        """Play on at random; if `informed`, take immediate wins, and prefer early results.

        Mixing the evaluation into the result made the search weaker.
        """
        for _ in range(boards.LONGEST):
            if self.ended:
                break
            self.play(self._likely(rng, informed))
        self.share_out(self.ended or self.players + 1)
        if informed:
            even = 1.0 / self.players
            for side in range(self.players):
                self.shares[side] = even + (self.shares[side] - even) / (1.0 + HASTE * self.played)

    def _likely(self, rng: "chance.Xorshift", informed: bool) -> int:
        """Draw a move."""
        cells = self.open_cells(self.side) if self.last == NO_LAST else 0
        if informed:
            found = self.winning_cells(self.side) if cells else 0
            if not found and not self.birth:
                turn = self.winning_turn(self.side)
                if turn:
                    return turn
            if not found and cells and self.bound:
                found = self.winning_cells((self.side + 1) % self.players) & cells
            if found:
                return rng.cell(found)
        places = bits.count(cells)
        drawn = rng.below(places + self._list_turns(0))
        return rng.cell(cells) if drawn < places else self.moves[drawn - places]


def around(cells: int) -> int:
    """Return all neighbours of the cells of a mask."""
    sideways = cells << 4 | cells >> 28 | cells >> 4 | cells << 28
    return (sideways | (cells & INSIDE) << 1 | (cells & OUTSIDE) >> 1) & FULL


def in_segments(cells: int) -> int:
    """Return the innermost cells of the segments that contain a cell of the mask."""
    return (cells | cells >> 1 | cells >> 2 | cells >> 3) & INNERMOST


def in_rings(cells: int) -> int:
    """Return, as the lowest four bits, the rings that contain a cell of the mask."""
    cells = cells | cells >> 16
    cells = cells | cells >> 8
    return (cells | cells >> 4) & 15


def spreads(cells: int) -> bool:
    return in_segments(cells) == INNERMOST and in_rings(cells) == 15


def reigns(cells: int) -> bool:
    if cells & cells >> 1 & cells >> 2 & cells >> 3 & INNERMOST:
        return True
    cells = cells & cells >> 16
    cells = cells & cells >> 8
    return (cells & cells >> 4 & 15) != 0


def spreading(cells: int) -> int:
    """Return the cells each of which alone would complete a spread."""
    segments = INNERMOST & ~in_segments(cells)
    rings = 15 & ~in_rings(cells)
    if segments & segments - 1 or rings & rings - 1:
        return 0
    found = segments * 15 if segments else FULL
    return found & rings * INNERMOST if rings else found


def reigning(cells: int) -> int:
    """Return the cells each of which alone would fill a segment or ring."""
    found = 0
    for segment in range(SEGMENTS):
        left = 15 & ~(cells >> 4 * segment)
        if not left & left - 1:
            found = found | left << 4 * segment
    for ring in range(RINGS):
        left = INNERMOST & ~(cells >> ring)
        if not left & left - 1:
            found = found | left << ring
    return found


def board_of(position: play.Position, _: play.Position | None = None) -> AztekaBoard:
    variant, before = position.variant, position.first_round
    board = AztekaBoard(variant.sides, variant.supply, variant.bound, variant.wide)
    for side, cells in enumerate(position.stones):
        board.stones[side] = cells
    board.side, board.life, board.birth = position.mover, position.life, position.birth
    board.mover = position.player(position.mover) - 1
    if before is not None:
        board.before, board.noted = before.winner, before.pieces
    if position.last_actions is not None:
        board.last = position.last_actions
    ended = play.verdict(position)
    if ended is not None:
        board.ended = ended[0] or variant.sides + 1
    return board


def texts(_: play.Position, moves: Sequence[int]) -> list[str]:
    return [TEXTS[move] for move in moves]
