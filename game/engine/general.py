"""A search for every game: Monte Carlo tree search with proofs, in plain Python.

Owns the search of games that have none of their own. Knows a game only through
`game.rules.game`, for any number of players; where a game ends in a draw, all share the point. The
tree is UCT (L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning", 2006), with max^n for
many players and, as M. Winands and others have it in "Monte-Carlo Tree Search Solver" (2008),
results that are sure.

A game may have a thousand moves, far more than there is time to try. So a node first glances at
moves: it makes each on trial, takes one that wins at once (F. Teytaud and O. Teytaud, "On the huge
benefit of decisive moves in Monte-Carlo tree search algorithms", 2010), and asks
`game.engine.promise` about the others. It also hears how all games went in which a move was made
later (S. Gelly and D. Silver, "Combining online and offline knowledge in UCT", 2007). Moves get
into the tree in the order of both, the more of them the oftener the node was visited (progressive
widening: R. Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007; G. Chaslot
and others, "Progressive strategies for Monte-Carlo tree search", 2008). What a position promises is
mixed into the score of the game that is played on from it (D. Silver and others, "Mastering the
game of Go with deep neural networks and tree search", 2016); where moves are many, that game is cut
off and judged by a promise too (R. Lorentz, "Amazons discover Monte-Carlo", 2008).

All this needs goals that a game tells of, or a worth. Without them, and where it is asked to be
`plain`, it is UCT with each move tried once and games at random to their end.
"""

from collections.abc import Sequence
from math import inf, log, sqrt
from random import Random
from typing import Any

from game.engine.promise import Scores, promise, result
from game.engine.search import Choice, Search
from game.rules.game import Game

EXPLORATION = 1.0
"""How much plain UCT prefers a move that was seldom tried (the constant of UCB1)."""
CURIOSITY = 0.4
"""The same where it is known more of a move than how often it was tried."""
MOST_PLIES = 2000
"""A game at random that goes on for longer counts as a draw."""
GLANCES = 4
"""So many moves more a node makes on trial each time that it is visited."""
AT_ONCE = 4
"""The root so many times as many."""
WIDTH = 2.0
"""So many moves a node has in the tree at once, times the square root of its visits."""
ROAD = 3000
"""A game at random goes on for so many plies divided by the moves at the root."""
SHORTEST = 8
"""But for so many."""
PATIENCE = 2
"""A position gets moves in the tree when it was visited so many times."""
TRUST = 20.0
"""What a move promises counts as much as so many games in which it was made."""
LEANING = 0.9
"""How much the promise of a position counts beside the game that was played on from there."""
HEARSAY = 300.0
"""After a third of so many visits what is heard counts 0.7 times as much as at first."""
ENOUGH = 100
"""So many nodes tell what the only move is worth; more would choose nothing else."""
MOST_KEPT = 200_000
"""So many positions are kept at most; the search then goes on without new ones."""
MOST_LISTED = 1_000_000
"""Of positions that have so many moves in all, these are listed; of further ones they are not."""


class _Node:
    """A position that was reached, the moves from it, and what became of the games through it.

    `scores` are sums, `sure` is the result of best play where it is proved. `unseen` are the moves
    that nobody has looked at yet, the next one last, None before they are listed, and `seen` those
    glanced at that are not in the tree. `rumours` are of all that were glanced at: a sum of scores
    for the mover, and of how many.
    """

    __slots__ = (
        *("children", "mover", "position", "rumours", "scores", "seen", "sure", "unseen"),
        "visits",
    )

    def __init__(self, position: Any, mover: int, players: int) -> None:
        self.position = position
        self.mover = mover
        self.unseen: list[Any] | None = None
        self.seen: list[Any] = []
        self.rumours: dict[Any, list[float]] = {}
        self.children: list[tuple[Any, _Node]] = []
        self.scores = [0.0] * players
        self.sure: Scores | None = None
        self.visits = 0

    @property
    def complete(self) -> bool:
        """Whether every move is in the tree."""
        return self.unseen == [] and not self.seen

    def hope(self, move: Any) -> float:
        """Return what is heard of a move before it was tried often."""
        total, count = self.rumours[move]
        return total / count

    def value(self, player: int) -> float:
        """Return what a player may expect here, 0 to 1."""
        if self.sure is not None:
            return self.sure[player]
        return self.scores[player] / self.visits


class GeneralSearch(Search):
    """Search a position of any game; a node is one game played on from the tree."""

    def __init__(
        self, game: Game[Any, Any], position: Any, seed: int, *, plain: bool = False
    ) -> None:
        self._game = game
        self._rng = Random(seed)
        self._players = len(game.score(position))
        self._nodes = 0
        self._kept = self._listed = 0
        self._even: Scores = (1 / self._players,) * self._players
        self._plain = plain or not (game.goals(position) or game.worth(position))
        self._curiosity = EXPLORATION if self._plain else CURIOSITY
        self._root = self._reach(position)
        moves = len(self._moves(self._root))
        self._plies = MOST_PLIES if self._plain else max(SHORTEST, ROAD // max(1, moves))
        self._only = moves == 1

    @property
    def nodes(self) -> int:
        """How many games have been played."""
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
            text = self._game.plain_text(root.position, self._moves(root)[-1])
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
        node = _Node(position, (mover or 1) - 1, self._players)
        if mover is None:
            node.sure = result(self._game, position)
        return node

    def _moves(self, node: _Node) -> list[Any]:
        """Return the moves of a node at which nobody has looked, listed when they are needed."""
        if node.unseen is None:
            node.unseen = list(self._game.legal_moves(node.position))
            self._rng.shuffle(node.unseen)
            self._listed += len(node.unseen)
        return node.unseen

    def _simulate(self) -> None:
        """Walk down the tree, add a node, play on from there, and tell all on the way."""
        node = self._root
        path = [node]
        made: list[tuple[int, Any]] = []
        while node.sure is None:
            opened = self._opened(node)
            step = opened
            if step is None and node.children:
                step = self._most_promising(node)
            if step is None:
                # It is not time for its first child, or there is no room.
                break
            made.append((node.mover, step[0]))
            node = step[1]
            path.append(node)
            if opened is not None:
                break
        scores = node.sure if node.sure is not None else self._judged(node.position, made)
        for each in reversed(path):
            each.visits += 1
            for player, score in enumerate(scores):
                each.scores[player] += score
            if each.sure is None:
                each.sure = _proved(each)
        if not self._plain:
            _spread(path, made, scores)

    def _opened(self, node: _Node) -> tuple[Any, _Node] | None:
        """Take one more move of a node into the tree if it is time for it."""
        if node.complete or self._kept >= MOST_KEPT:
            return None
        if node.unseen is None and self._listed >= MOST_LISTED:
            return None
        if self._plain:
            return self._taken_in(node, self._moves(node).pop())
        if node.visits < PATIENCE and node is not self._root:
            return None
        # The first of all is any move: who asks for one node only gets one by chance.
        glances = GLANCES * AT_ONCE if node is self._root else GLANCES
        winning = self._glance(node, glances if node.visits else 1)
        if winning is not None:
            return self._taken_in(node, winning)
        open_ones = sum(child.sure is None for _, child in node.children)
        if open_ones and len(node.children) >= WIDTH * sqrt(node.visits):
            return None
        best = max(range(len(node.seen)), key=lambda at: node.hope(node.seen[at]))
        node.seen[best], node.seen[-1] = node.seen[-1], node.seen[best]
        return self._taken_in(node, node.seen.pop())

    def _taken_in(self, node: _Node, move: Any) -> tuple[Any, _Node]:
        child = self._reach(self._game.play(node.position, move))
        node.children.append((move, child))
        self._kept += 1
        return move, child

    def _glance(self, node: _Node, glances: int) -> Any:
        """Make some moves on trial, and note them; return one that wins at once, else None."""
        game, mover, unseen = self._game, node.mover, self._moves(node)
        if not unseen:
            return None
        for _ in range(min(glances, len(unseen))):
            move = unseen.pop()
            after = game.play(node.position, move)
            over = game.to_move(after) is None
            told = result(game, after) if over else promise(game, after) or self._even
            worth = told[mover]
            if worth == 1:
                return move
            node.seen.append(move)
            node.rumours[move] = [TRUST * worth, TRUST]
        return None

    def _judged(self, position: Any, made: list[tuple[int, Any]]) -> Scores:
        """Say what each may expect: what comes of a game at random, and what is promised."""
        played = self._played_on(position, made)
        told = None if self._plain else promise(self._game, position)
        if told is None:
            return played
        pairs = zip(played, told, strict=True)
        return tuple([score + LEANING * (worth - score) for score, worth in pairs])

    def _played_on(self, position: Any, made: list[tuple[int, Any]]) -> Scores:
        """Play moves by chance, to the end of the game or so far that a promise will do."""
        game = self._game
        for _ in range(self._plies):
            mover = game.to_move(position)
            if mover is None:
                return result(game, position)
            move = game.legal_moves(position).pick(self._rng)
            position = game.play(position, move)
            made.append((mover - 1, move))
        if game.to_move(position) is None:
            return result(game, position)
        return self._even if self._plain else promise(game, position) or self._even

    def _most_promising(self, node: _Node) -> tuple[Any, _Node]:
        """Choose by UCB1 the move to look at next; proved ones only where no other is left.

        While a move was seldom tried, what is heard of it counts beside what came of it.
        """
        mover, weight = node.mover, log(node.visits)
        open_ones = [each for each in node.children if each[1].sure is None]
        if not open_ones:
            return max(node.children, key=lambda each: each[1].value(mover))
        curiosity = self._curiosity

        def urgency(each: tuple[Any, _Node]) -> float:
            move, child = each
            value, visits = child.scores[mover] / child.visits, child.visits
            if not self._plain:
                heard = sqrt(HEARSAY / (HEARSAY + 3 * visits))
                value += heard * (node.hope(move) - value)
            return value + curiosity * sqrt(weight / visits)

        return max(open_ones, key=urgency)


def _spread(path: Sequence[_Node], made: Sequence[tuple[int, Any]], scores: Scores) -> None:
    """Let each position on the way hear how the game went in which its moves were made later."""
    for depth, node in enumerate(path):
        rumours, mover = node.rumours, node.mover
        if not rumours:
            continue
        score = scores[mover]
        for move in {move for who, move in made[depth:] if who == mover}:
            heard = rumours.get(move)
            if heard is not None:
                heard[0] += score
                heard[1] += 1


def _proved(node: _Node) -> Scores | None:
    """Find the result of best play if it is sure: a win that was found, or the best of all moves.

    Where several of the best differ for the other players, what they get is not sure.
    """
    mover = node.mover
    results = [child.sure for _, child in node.children if child.sure is not None]
    for each in results:
        if each[mover] == 1:
            return each
    if not node.complete or not results or len(results) < len(node.children):
        return None
    best = max(each[mover] for each in results)
    alike = {each for each in results if each[mover] == best}
    return alike.pop() if len(alike) == 1 else None


def _ranked(node: _Node) -> list[tuple[Any, _Node]]:
    """Order the moves of a node, best first: proved wins, then the most visited, losses last.

    A result between win and loss that is proved is taken before moves that promise less.
    """
    mover = node.mover
    open_ones = [child for _, child in node.children if child.sure is None]
    likely = max(open_ones, key=lambda child: child.visits).value(mover) if open_ones else 0.0

    def rank(each: tuple[Any, _Node]) -> tuple[float, float]:
        child = each[1]
        if child.sure is None:
            return child.visits, child.value(mover)
        worth = child.sure[mover]
        if worth in (0, 1):
            return (inf, worth) if worth else (-1, child.visits)
        return (inf if worth >= likely else 0), worth

    return sorted(node.children, key=rank, reverse=True)
