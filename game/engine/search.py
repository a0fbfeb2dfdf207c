"""The search of one position: of any game, by a fast board if it has one, else by its rules.

Must not know clocks or processes: the caller decides how long to search. Boards and the tree are
imported only when a search begins: the process that runs the table never searches.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from game.rules.base.game import AnyGame

if TYPE_CHECKING:
    from game.engine.fast.board import FastBoard

Texts: TypeAlias = Callable[[Sequence[int]], list[str]]
"""Writes a board's moves, from the searched position on, as plain texts of whole moves."""
MOST_BOARDS = 200  # most drawn boards of a search, which are then reused

FAST = {
    "adaptoid": "fast.adaptoid",
    "circle-of-life": "food_web.board",
    **dict.fromkeys(("eat-your-neighbor", "eat-your-neighbor-large"), "food_web.board"),
    "cirkle-mind": "fast.cirkle_mind",
    **dict.fromkeys(("azteka", "azteka-aggressive", "azteka-three"), "fast.azteka"),
    **dict.fromkeys(("capture-go", "capture-go-7"), "fast.capture_go"),
}
"""By game, the module of its fast board.

Its `board_of` makes a board of a position; if the game hides pieces, of a drawn position and of the
one that the player sees. Its `texts` writes moves of a position.
"""


@dataclass(frozen=True, slots=True)
class SearchedMove:
    """One move of a searched position.

    `move` is its plain text. `value` is the expected score of its player, from 0 (loss) to 1 (win);
    `decided` means that it is proved. `visits` counts the nodes below it. `line` is the likeliest
    play, `move` first, in plain texts. `glance` is its value before any reply is considered; only
    the glances of one search can be compared.
    """

    move: str
    value: float
    visits: int
    line: tuple[str, ...]
    decided: bool = False
    glance: float = 0.5


class Search:
    """A search of a board, whose game is not over, for the player to move.

    The same seed and numbers of nodes give the same choices. When moves are graded, all of them get
    `even_share` of the nodes evenly.
    """

    even_share = 0.9

    def __init__(self, board: "FastBoard", texts: Texts, seed: int, *, plain: bool = False) -> None:
        from game.engine.fast.tree import Tree

        self._texts = texts
        self._tree = Tree(board, seed, not plain)

    @property
    def nodes(self) -> int:
        """How many nodes have been searched; one node is one simulation."""
        return self._tree.nodes

    @property
    def settled(self) -> bool:
        """Whether more nodes cannot change the result: the best move is proved or the only one."""
        return self._tree.settled

    def grade(self) -> None:
        """Search every move enough to be graded, also when the best one is proved."""
        self._tree.even_share = self.even_share

    def go_on(self, nodes: int) -> None:
        """Search more nodes, or fewer if the search becomes settled."""
        self._tree.go_on(nodes)

    def choices(self) -> tuple[SearchedMove, ...]:
        """List all legal moves: wins first, then the most visited, losses last.

        A proved draw comes before the most visited if that one's value is no higher.
        """
        choices = list(self._choices(()))
        undecided = [choice for choice in choices if not choice.decided]
        likely = max(undecided, key=lambda choice: choice.visits).value if undecided else 0.0

        def rank(choice: SearchedMove) -> tuple[int, bool, int, float]:
            won = (choice.value == 1) - (choice.value == 0) if choice.decided else 0
            safe = choice.decided and not won and choice.value >= likely
            return -won, not safe, -choice.visits, -choice.value

        return tuple(sorted(choices, key=rank))

    def _choices(self, made: tuple[int, ...]) -> Iterator[SearchedMove]:
        """List the whole moves that start with these parts."""
        board = self._tree.root.fresh()
        for node, move, visits, value, result, glance in self._tree.children(made):
            moves = (*made, move)
            board.copy_from(self._tree.root)
            for part in moves:
                board.play(part)
            if board.within:
                yield from self._choices(moves)
            else:
                line = tuple(self._texts((*moves, *self._tree.line(node))))
                yield SearchedMove(line[0], value, visits, line, result != 0, glance)


class DrawnSearch(Search):
    """Search a position as a player sees it: one tree; each simulation uses the next drawn board.

    `draw` returns a board that agrees with what the player sees; all list the same moves.
    """

    even_share = 0.5

    def __init__(
        self, draw: "Callable[[], FastBoard]", texts: Texts, seed: int, *, plain: bool = False
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


class OnlyMove(Search):
    """A search result without a search: one move, with the value of an even position."""

    nodes, settled = 0, True

    def __init__(self, move: str, even: float) -> None:
        self._choice = SearchedMove(move, even, 0, (move,))

    def grade(self) -> None:
        return

    def go_on(self, nodes: int) -> None:
        return

    def choices(self) -> tuple[SearchedMove, ...]:
        return (self._choice,)


def new_search(game: AnyGame, position: Any, seed: int, *, plain: bool = False) -> Search:
    """Create the best search for a game, in a position where the game is not over.

    `plain` asks for UCT with random playouts, without knowledge of the game.
    """
    rng = Random(seed)
    if game.arranging(position, game.to_move(position) or 1) is not None:
        # All hidden set-ups are equally good, so nothing is searched.
        move = game.legal_moves(position).pick(rng)
        return OnlyMove(game.plain_text(position, move), 1 / len(game.players))
    if game.name not in FAST:
        from game.engine.general import GeneralBoard

        board = GeneralBoard(game, game.supposed(position, rng), seed)
        plain = plain or not (game.goals(position) or game.evaluate(position))
        if not plain:
            board.prepare()
        return Search(board, board.texts, seed, plain=plain)
    fast = import_module(f"game.engine.{FAST[game.name]}")
    texts = partial(fast.texts, position)
    if game.supposed(position, rng) is position:
        return Search(fast.board_of(position), texts, seed, plain=plain)
    return DrawnSearch(
        lambda: fast.board_of(game.supposed(position, rng), position), texts, seed, plain=plain
    )
