"""The `Search` interface on top of the tree.

Owns the order of choices, and moves that are entered in parts.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from game.engine.fast.board import Board
from game.engine.fast.tree import Tree
from game.engine.search import Choice, Search

Texts: TypeAlias = Callable[[Sequence[int]], list[str]]
"""Writes a board's moves, from the searched position on, as plain texts of whole moves."""
EVEN_SHARE = 0.5  # share of the nodes that all moves get evenly when they are graded
MOST_BOARDS = 200  # most drawn boards of a search, which are then reused
_Child: TypeAlias = tuple[int, int, int, float, int, float]


class FastSearch(Search):
    """Search a board; a node is one simulation."""

    def __init__(self, board: Board, texts: Texts, seed: int, *, plain: bool = False) -> None:
        self._board = board
        self._texts = texts
        self._tree = Tree(board, seed, not plain)

    @property
    def nodes(self) -> int:
        return self._tree.nodes

    @property
    def settled(self) -> bool:
        return self._tree.settled

    def grade(self) -> None:
        self._tree.even_share = EVEN_SHARE

    def go_on(self, nodes: int) -> None:
        if not self.settled:
            self._tree.go_on(nodes)

    def choices(self) -> tuple[Choice, ...]:
        """List all legal moves: wins first, then the most visited, losses last.

        A proved draw comes before the most visited if that one's value is no higher.
        """
        whole = list(self._whole(()))
        open_ones = [each[1] for each in whole if not each[1][4]]
        likely = max(open_ones, key=lambda child: child[2], default=(0, 0, 0, 0.0, 0, 0.0))[3]
        whole.sort(key=lambda each: self._rank(each, likely))
        return tuple(self._choice(*each) for each in whole)

    def _whole(self, made: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], _Child]]:
        """List the whole moves that start with these parts, each with its last part's node."""
        for child in self._tree.children(made):
            moves = (*made, child[1])
            if self._within(moves):
                yield from self._whole(moves)
            else:
                yield moves, child

    def _within(self, moves: tuple[int, ...]) -> bool:
        board = self._board.fresh()
        board.copy_from(self._board)
        for move in moves:
            board.play(move)
        return board.within

    def _choice(self, moves: tuple[int, ...], child: _Child) -> Choice:
        node, _, visits, value, result, glance = child
        line = tuple(self._texts((*moves, *self._tree.line(node))))
        return Choice(line[0], value, visits, line, result != 0, glance)

    def _rank(
        self, each: tuple[tuple[int, ...], _Child], likely: float
    ) -> tuple[int, bool, int, float]:
        _, _, visits, value, result, _ = each[1]
        decided = (value == 1) - (value == 0) if result else 0
        safe = bool(result) and not decided and value >= likely
        return -decided, not safe, -visits, -value


class DrawnSearch(FastSearch):
    """Search a position as a player sees it: one tree; each simulation uses the next drawn board.

    `draw` returns a board that agrees with what the player sees; all list the same moves.
    """

    def __init__(
        self, draw: Callable[[], Board], texts: Texts, seed: int, *, plain: bool = False
    ) -> None:
        self._draw = draw
        self._boards = [draw()]
        super().__init__(self._boards[0], texts, seed, plain=plain)
        self._tree.hidden = True

    def go_on(self, nodes: int) -> None:
        for number in range(self.nodes, self.nodes + nodes):
            if self.settled:
                return
            if len(self._boards) <= number < MOST_BOARDS:
                self._boards.append(self._draw())
            self._tree.root.copy_from(self._boards[number % len(self._boards)])
            self._tree.go_on(1)
