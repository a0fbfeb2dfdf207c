"""Circle of Life for the tree: a field, and its policy as the weights of moves.

Owns the conversion of positions from the rules. Compiled with the types of `board.pxd`.
"""

import math
from collections.abc import Sequence

from game.engine.circle import field as fields
from game.engine.circle import policy as policies
from game.engine.circle.tables import narrow
from game.engine.fast import bits, chance
from game.engine.fast import board as boards
from game.rules.circle_of_life import Position
from game.rules.circle_of_life.critters import BOARD

MEAL = 0.05
"""What a stone that is eaten adds to the value of a placement at first glance."""


class CircleBoard(boards.Board):
    """A position of Circle of Life; a move is the index of its cell."""

    def __init__(self, target: int = 20) -> None:
        super().__init__(2)
        self.field = fields.Field(target)
        self.policy = policies.Policy()

    def fresh(self) -> "boards.Board":
        return CircleBoard()

    def copy_from(self, other: "boards.Board") -> None:
        source: CircleBoard = other  # type: ignore[assignment]
        self.field.copy_from(source.field)
        self.mover = source.mover

    def list_moves(self) -> int:
        left = self.field.open_cells(self.mover)
        count = 0
        while left:
            self.moves[count] = bits.lowest(left)
            left = left & left - 1
            count = count + 1
        return count

    def play(self, move: int) -> None:
        self.field.place(move)
        self.mover = self.field.mover

    def result(self) -> int:
        return self.field.winner() + 1

    def expand(self, after: "boards.Board", informed: bool) -> int:
        """List the placements; those that win by eating are proved without a search."""
        field = self.field
        mover = self.mover
        count = self.list_moves()
        needed = field.target - field.eaten(mover)
        if informed and count:
            self.policy.set_position(field)
        for index in range(count):
            if informed:
                gain = self.policy.encode(field, self.moves[index])
                self.weights[index] = math.exp(self.policy.score())
            else:
                gain = bits.count(field.prey_at(mover, self.moves[index]))
            self.guesses[index] = 0.5 + MEAL * gain
            self.results[index] = mover + 1 if gain and gain >= needed else 0
        return count

    def play_out(self, rng: "chance.Xorshift", informed: bool) -> None:
        """Play on, greedily if `informed`."""
        winner = self.field.greedy_playout(rng) if informed else self.field.playout(rng)
        self.share_out(winner + 1)


def board_of(position: Position) -> CircleBoard:
    board = CircleBoard(position.target)
    for player, stones in enumerate(position.stones):
        critters = {each for each in position.critter_at if each and each.mask & stones}
        for critter in critters:
            if critter.mask & ~stones == 0:
                board.field.put(player, narrow(critter.mask))
        board.field.set_eaten(player, position.eaten[player])
    board.mover = board.field.mover = position.mover
    return board


def texts(moves: Sequence[int]) -> list[str]:
    return [BOARD.cells[move] for move in moves]
