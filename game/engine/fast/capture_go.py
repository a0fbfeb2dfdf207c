"""Capture Go as a fast board.

Owns a fast copy of `game.rules.capture_go`, an evaluation by liberties, proofs near the end, and
the conversion of positions and moves. A set of cells is a mask of places: rows of six with an empty
column between them, so that stepping to all neighbours at once is six shifts; a move is its place.
Compiled with the types of `capture_go.pxd`.
"""

from array import array
from collections.abc import Sequence

from game.engine.fast import bits, chance
from game.engine.fast import board as boards
from game.rules.boards.board import axial_cells
from game.rules.capture_go.game import Position

ROW = 6
ONE = 1
PLACES = {
    len(cells): {name: (r + 2) * ROW + q + 2 for name, (q, r) in cells.items()}
    for cells in (axial_cells(2), axial_cells(3))
}
"""The place of each cell of a board, in its order, by the number of its cells."""

WIDE = 9  # most legal moves of a position whose result is proved by trying all of them
CLOSE = 6  # most stones that both players together still need in such a position
TABLE = 18  # log2 of the number of results that are cached: 2 MB
WORD = bits.WORD
HASH_FACTOR = 0x9E3779B97F4A7C15

TAKEN, TURN = 2.0, 0.3
"""Log-odds of winning, for each stone taken and for being to move. ATARI is for each placement that
takes stones; LAST is subtracted for each last liberty of the mover's groups."""
ATARI, LAST = 1.0, 1.0


class CaptureGoBoard(boards.FastBoard):
    """A position of Capture Go, and what `survey` finds for the mover.

    `open` are the legal placements, `safe` those that leave two liberties or more, `taking` those
    that take stones, `winning` those that take enough, `hunting` those that leave one liberty to a
    group that is enough. `last` are the only liberties of the mover's groups, `deadly` those of
    groups that are enough to lose. `keys` and `known` are the table of proofs.
    """

    def __init__(self, cells: int, target: int, keys: "array[int]", known: "array[int]") -> None:
        super().__init__(2, cells, target, keys, known)
        self.cells = cells
        self.target = target
        self.stones = array("Q", bytes(16))
        self.taken = array("B", bytes(2))
        self.open = self.safe = self.taking = self.winning = self.hunting = 0
        self.last = self.deadly = 0
        self.deeper: CaptureGoBoard | None = None
        self.keys = keys
        self.known = known

    def copy_from(self, other: "boards.FastBoard") -> None:
        boards.FastBoard.copy_from(self, other)
        source: CaptureGoBoard = other  # type: ignore[assignment]
        for index in range(2):
            self.stones[index] = source.stones[index]
            self.taken[index] = source.taken[index]
        self.open = source.open
        self.safe = source.safe
        self.taking = source.taking
        self.winning = source.winning
        self.hunting = source.hunting
        self.last = source.last
        self.deadly = source.deadly

    def list_moves(self) -> int:
        return 0 if self.ended else self.list_cells(0, self.open, 0)

    def play(self, move: int) -> None:
        mover = self.mover
        placed = ONE << move
        self.stones[mover] |= placed
        if self.taking & placed:
            others = self.stones[1 - mover]
            empty = self.cells & ~(self.stones[0] | self.stones[1])
            left = others & around(placed)
            while left:
                group = group_of(left & -left, others)
                left = left & ~group
                if not around(group) & empty:
                    self.stones[1 - mover] ^= group
                    self.taken[mover] += bits.count(group)
        self.mover = 1 - mover
        self.survey()

    def survey(self) -> None:
        """Find what the mover can do, and whether the game is over."""
        own = self.stones[self.mover]
        others = self.stones[1 - self.mover]
        empty = self.cells & ~(own | others)
        need = self.target - self.taken[self.mover]
        spare = self.target - self.taken[1 - self.mover]
        self.open = empty & around(empty)
        self.safe = empty & several(empty)
        self.taking = self.winning = self.hunting = self.last = self.deadly = 0
        left = others
        while left:
            group = group_of(left & -left, others)
            left = left ^ group
            liberties = around(group) & empty
            few = bits.count(liberties)
            if few == 1:
                self.taking |= liberties
                if bits.count(group) >= need:
                    self.winning |= liberties
            elif few == 2 and bits.count(group) >= need:
                self.hunting |= liberties
        left = own
        while left:
            group = group_of(left & -left, own)
            left = left ^ group
            liberties = around(group) & empty
            few = bits.count(liberties)
            if few > 1:
                self.open |= liberties
                if few > 2:
                    self.safe |= liberties
            else:
                self.last |= liberties
                if bits.count(group) >= spare:
                    self.deadly |= liberties
        self.open |= self.taking
        if spare <= 0 or not self.open:
            self.ended = 2 - self.mover

    def proof(self) -> int:
        known = self.proved()
        if not known:
            return 0
        return self.mover + 1 if known > 0 else 2 - self.mover

    def proved(self) -> int:
        """Return 1 if the mover is known to win, -1 to lose, 0 if neither is found.

        Far from the end only threats to take enough are tried, and all answers to them.
        """
        if self.ended:
            return -1
        if self.winning:
            return 1
        need = self.target - self.taken[self.mover]
        spare = self.target - self.taken[1 - self.mover]
        moves = self.open
        best = -1
        if self.deadly:
            moves = moves & (self.deadly | self.taking)
        elif bits.count(moves) > WIDE or need + spare > CLOSE:
            moves = moves & self.hunting
            best = 0
        if not moves:
            return best
        key = self.stones[self.mover] << 37 | self.stones[1 - self.mover] << 12 | need << 7 | spare
        index = (key * HASH_FACTOR & WORD) >> 64 - TABLE
        if self.keys[index] == key:
            return self.known[index]
        if self.deeper is None:
            self.deeper = self.fresh()
        after: CaptureGoBoard = self.deeper
        while moves and best < 1:
            first = moves & (self.hunting | self.taking) or moves & self.safe or moves
            move = first & -first
            moves = moves ^ move
            after.copy_from(self)
            after.play(bits.lowest(move))
            best = max(best, -after.proved())
        self.keys[index] = key
        self.known[index] = best
        return best

    def evaluate(self) -> None:
        """Estimate from the stones taken, and the last liberties of both sides."""
        lead = TAKEN * (1.0 * self.taken[self.mover] - self.taken[1 - self.mover])
        lead = lead + ATARI * bits.count(self.taking) - LAST * bits.count(self.last)
        self.share_odds(lead + TURN)

    def play_out(self, rng: "chance.Xorshift", informed: bool) -> None:
        """Play to the end at random; if `informed`, take, save, and avoid what is not safe."""
        while not self.ended:
            self.play(rng.cell(self.promising() if informed else self.open))
        self.share_out(self.ended)

    def promising(self) -> int:
        """Return the best kind of placements that there is; own eyes are filled last."""
        urgent = self.deadly or self.last & self.safe
        shared = self.safe & around(self.safe | self.stones[1 - self.mover])
        found = self.winning or self.open & (self.taking | urgent)
        return found or shared or self.safe or self.open


def around(mask: int) -> int:
    """Return all neighbours of the cells of a mask, and places that are no cells."""
    return mask << 1 | mask >> 1 | mask << 5 | mask >> 5 | mask << 6 | mask >> 6


def several(mask: int) -> int:
    """Return the places with two or more neighbours in a mask."""
    one = two = 0
    for step in (1, ROW - 1, ROW):
        two = two | one & mask << step
        one = one | mask << step
        two = two | one & mask >> step
        one = one | mask >> step
    return two


def group_of(group: int, stones: int) -> int:
    """Return the group of one of these stones."""
    before = 0
    while before != group:
        before = group
        group = group | around(group) & stones
    return group


def board_of(position: Position, _: Position | None = None) -> CaptureGoBoard:
    places = PLACES[position.cells].values()
    proofs = array("Q", bytes(8 << TABLE)), array("b", bytes(1 << TABLE))
    board = CaptureGoBoard(sum(ONE << place for place in places), position.target, *proofs)
    for player, stones in enumerate(position.stones):
        board.taken[player] = position.taken[player]
        for index, place in enumerate(places):
            if stones >> index & 1:
                board.stones[player] |= ONE << place
    board.mover = position.mover - 1
    board.survey()
    return board


def texts(position: Position, moves: Sequence[int]) -> list[str]:
    names = {place: name for name, place in PLACES[position.cells].items()}
    return [names[move] for move in moves]
