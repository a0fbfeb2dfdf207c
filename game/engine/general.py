"""A search for every game: Monte Carlo tree search with random play and proofs, in plain Python.

Owns the search of games that have none of their own, and the plain opponent that others are
measured by. Knows a game only through `game.rules.game`, for any number of players; where a game
ends in a draw, all share the point. The tree is UCT (L. Kocsis and C. Szepesvári, "Bandit based
Monte-Carlo Planning", 2006), with max^n for many players and, as M. Winands and others have it in
"Monte-Carlo Tree Search Solver" (2008), results that are sure.
"""

from math import inf, log, sqrt
from random import Random
from typing import Any, TypeAlias

from game.engine.search import Choice, Search
from game.rules.game import Game

Scores: TypeAlias = tuple[float, ...]
"""What a result is worth: a share of one point for each player."""

EXPLORATION = 1.0
"""How much a move that was seldom tried is preferred (the constant of UCB1)."""
MOST_PLIES = 2000
"""A game at random that goes on for longer counts as a draw."""
ENOUGH = 100
"""So many nodes tell what the only move is worth; more would choose nothing else."""
MOST_KEPT = 200_000
"""So many positions are kept at most; the search then goes on without new ones."""


class _Node:
    """A position that was reached, the moves from it, and what became of the games through it.

    `scores` are sums, `sure` is the result of best play where it is proved. `untried` are the moves
    without a child, in the order in which they will get one, the last first.
    """

    __slots__ = ("children", "mover", "position", "scores", "sure", "untried", "visits")

    def __init__(self, position: Any, mover: int, players: int, untried: list[Any]) -> None:
        self.position = position
        self.mover = mover
        self.untried = untried
        self.children: list[tuple[Any, _Node]] = []
        self.scores = [0.0] * players
        self.sure: Scores | None = None
        self.visits = 0

    def value(self, player: int) -> float:
        """Return what a player may expect here, 0 to 1."""
        if self.sure is not None:
            return self.sure[player]
        return self.scores[player] / self.visits


class GeneralSearch(Search):
    """Search a position of any game; a node is one game played at random to its end."""

    def __init__(self, game: Game[Any, Any], position: Any, seed: int) -> None:
        self._game = game
        self._rng = Random(seed)
        self._players = len(game.players)
        self._nodes = 0
        self._kept = 0
        self._root = self._reach(position)
        self._only = len(self._root.untried) == 1

    @property
    def nodes(self) -> int:
        """How many games have been played at random."""
        return self._nodes

    @property
    def settled(self) -> bool:
        """Whether the result is proved, or there is no choice and its worth is roughly known."""
        return self._root.sure is not None or (self._only and self._nodes >= ENOUGH)

    def go_on(self, nodes: int) -> None:
        """Search so many nodes more, fewer if it becomes settled."""
        for _ in range(nodes):
            if self.settled:
                return
            self._simulate()
            self._nodes += 1

    def choices(self) -> tuple[Choice, ...]:
        """List the moves that were looked at, best first; the first legal one if none was."""
        root = self._root
        if not root.children:
            text = self._game.plain_text(root.position, root.untried[-1])
            return (Choice(text, 1 / self._players, 0, (text,)),)
        return tuple(
            Choice(
                move=self._game.plain_text(root.position, move),
                value=child.value(root.mover),
                visits=child.visits,
                line=self._line(root.position, move, child),
                decided=child.sure is not None,
            )
            for move, child in _ranked(root)
        )

    def _line(self, position: Any, move: Any, node: _Node) -> tuple[str, ...]:
        texts = [self._game.plain_text(position, move)]
        while node.children:
            move, child = _ranked(node)[0]
            texts.append(self._game.plain_text(node.position, move))
            node = child
        return tuple(texts)

    def _reach(self, position: Any) -> _Node:
        """Make the node of a position, sure where the game is over."""
        mover = self._game.to_move(position)
        if mover is None:
            node = _Node(position, 0, self._players, [])
            node.sure = self._result(position)
            return node
        moves = list(self._game.legal_moves(position))
        self._rng.shuffle(moves)
        return _Node(position, mover - 1, self._players, moves)

    def _simulate(self) -> None:
        """Walk down the tree, add a node, play to the end at random, and tell all on the way."""
        node = self._root
        path = [node]
        while not node.untried and node.sure is None:
            node = _most_promising(node)
            path.append(node)
        if node.sure is None and self._kept < MOST_KEPT:
            move = node.untried.pop()
            child = self._reach(self._game.play(node.position, move))
            node.children.append((move, child))
            self._kept += 1
            node = child
            path.append(node)
        scores = node.sure if node.sure is not None else self._at_random(node.position)
        for each in reversed(path):
            each.visits += 1
            for player, score in enumerate(scores):
                each.scores[player] += score
            if each.sure is None:
                each.sure = _proved(each)

    def _at_random(self, position: Any) -> Scores:
        """Play legal moves by chance to the end of the game."""
        game = self._game
        for _ in range(MOST_PLIES):
            if game.to_move(position) is None:
                return self._result(position)
            position = game.play(position, game.legal_moves(position).pick(self._rng))
        return (1 / self._players,) * self._players

    def _result(self, position: Any) -> Scores:
        """Share one point out: all of it to the winner, or the same to each."""
        outcome = self._game.outcome(position)
        if outcome is None or outcome.winner is None:
            return (1 / self._players,) * self._players
        return tuple(float(n + 1 == outcome.winner) for n in range(self._players))


def _most_promising(node: _Node) -> _Node:
    """Choose by UCB1 the child to look at next; proved ones only where no other is left."""
    mover, weight = node.mover, log(node.visits)
    open_ones = [child for _, child in node.children if child.sure is None]
    if not open_ones:
        return max((child for _, child in node.children), key=lambda child: child.value(mover))
    return max(
        open_ones,
        key=lambda child: child.value(mover) + EXPLORATION * sqrt(weight / child.visits),
    )


def _proved(node: _Node) -> Scores | None:
    """Find the result of best play if it is sure: a win that was found, or the best of all moves.

    Where several of the best differ for the other players, what they get is not sure.
    """
    mover = node.mover
    results = [child.sure for _, child in node.children if child.sure is not None]
    for result in results:
        if result[mover] == 1:
            return result
    if node.untried or not results or len(results) < len(node.children):
        return None
    best = max(result[mover] for result in results)
    alike = {result for result in results if result[mover] == best}
    return alike.pop() if len(alike) == 1 else None


def _ranked(node: _Node) -> list[tuple[Any, _Node]]:
    """Order the moves of a node, best first: proved wins, then the most visited, losses last.

    A result between win and loss that is proved is taken before moves that promise less.
    """
    mover = node.mover
    open_ones = [child for _, child in node.children if child.sure is None]
    promise = max(open_ones, key=lambda child: child.visits).value(mover) if open_ones else 0.0

    def rank(each: tuple[Any, _Node]) -> tuple[float, float]:
        child = each[1]
        if child.sure is None:
            return child.visits, child.value(mover)
        worth = child.sure[mover]
        if worth in (0, 1):
            return (inf, worth) if worth else (-1, child.visits)
        return (inf if worth >= promise else 0), worth

    return sorted(node.children, key=rank, reverse=True)
