"""What every fast board offers to the tree: a position whose moves are small integers.

A board is a subclass that defines what a move does; it may add an evaluation, and faster versions
of the methods here. Compiled with the types of `board.pxd`.
"""

import math
from array import array
from typing import Any, Self

from game.engine.fast import bits, chance

MOST_PLAYERS = 3
MOST_MOVES = 512  # most moves of a position
SHARPNESS = 6.0  # a move's weight for the search is e**(SHARPNESS * its expected score)
LONGEST = 1000  # a longer random game counts as a draw


class FastBoard:
    """A position; player `mover`, from 0, decides. `within` means that a move has been begun.

    `kind` are the arguments with which a subclass makes another board of the same kind.

    A move of several parts is entered part by part: each part is a number, and the mover stays the
    same. Where chance decides next, `outcome` is its move on this board, else -1; `expand` lists
    all of them. A result is 0 while the game goes on, the number from 1 of the player who won, or
    the number of players plus 1 for a draw; `ended` is the game's.

    `list_moves` fills `moves`. `expand` also fills `results` (known results of moves), `guesses`
    (the expected score of the player who moves), and `weights` (how promising each move is).
    `evaluate` and `play_out` fill `shares`, each player's share of the point.
    """

    def __init__(self, players: int, *kind: Any) -> None:
        self.players = players
        self.kind = kind
        self.mover = 0
        self.within = False
        self.outcome = -1
        self.ended = 0
        self.sharpness = SHARPNESS
        self.plies = LONGEST  # random plies before a position is evaluated
        self.moves = array("H", bytes(2 * MOST_MOVES))
        self.results = array("b", bytes(MOST_MOVES))
        self.guesses = array("f", [0.5] * MOST_MOVES)
        self.weights = array("d", bytes(8 * MOST_MOVES))
        self.shares = array("d", bytes(8 * MOST_PLAYERS))

    def fresh(self) -> Self:
        """Return a new board of the same kind as a target of `copy_from`."""
        return type(self)(*self.kind)

    def copy_from(self, other: "FastBoard") -> None:
        """Copy what all boards have; a subclass adds what it has."""
        self.mover = other.mover
        self.within = other.within
        self.outcome = other.outcome
        self.ended = other.ended

    def list_moves(self) -> int:
        """Fill `moves` and return their number.

        Called only while the game goes on; `play_out` also stops if there are no moves.
        """
        raise NotImplementedError

    def list_cells(self, count: int, cells: int, offset: int) -> int:
        """Add a move for each cell of a mask; return the new number of moves."""
        while cells:
            self.moves[count] = offset + bits.lowest(cells)
            cells = cells & cells - 1
            count = count + 1
        return count

    def allows(self, move: int) -> bool:
        """Return whether a listed move is legal on this one of the boards that share a tree."""
        return True

    def play(self, move: int) -> None:
        """Make a legal move, or a part of one."""
        raise NotImplementedError

    def proof(self) -> int:
        """Return the result that is known without a search, 0 if none is."""
        return self.ended

    def evaluate(self) -> None:
        """Fill `shares` with an estimate (here: all equal), while the game goes on."""
        self.share_out(self.players + 1)

    def share_odds(self, lead: float) -> None:
        """Fill `shares` of a game for two with the log-odds of the player who moves."""
        share = 1.0 / (1.0 + math.exp(-lead))
        self.shares[self.mover] = share
        self.shares[1 - self.mover] = 1.0 - share

    def share_out(self, result: int) -> None:
        """Fill `shares` with a result."""
        for player in range(self.players):
            if result > self.players:
                self.shares[player] = 1.0 / self.players
            else:
                self.shares[player] = 1.0 if result == player + 1 else 0.0

    def expand(self, after: "FastBoard", informed: bool) -> int:
        """List the moves; if `informed`, evaluate each by playing it on the board `after`."""
        count = self.list_moves()
        mover = self.mover
        for index in range(count):
            self.results[index] = 0
            if not informed:
                continue
            after.copy_from(self)
            after.play(self.moves[index])
            if after.ended:
                after.share_out(after.ended)
            else:
                after.evaluate()
            self.results[index] = after.proof()
            self.guesses[index] = after.shares[mover]
            self.weights[index] = math.exp(self.sharpness * after.shares[mover])
        return count

    def play_out(self, rng: "chance.Xorshift", informed: bool) -> None:
        """Play on at random and fill `shares`; if `informed`, only `plies`, then evaluate.

        If informed, a subclass may play better than at random.
        """
        for _ in range(self.plies if informed else LONGEST):
            count = 0 if self.ended else self.list_moves()
            if not count:
                break
            self.play(self.moves[rng.below(count)])
        if self.ended or not informed:
            self.share_out(self.ended or self.players + 1)
        else:
            self.evaluate()
