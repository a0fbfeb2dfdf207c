"""A search for any game: Monte Carlo tree search with proofs, in plain Python.

Owns the search of games that have none of their own, for any number of players; a draw is shared.
Knows a game only through `game.rules.base.game`. The tree is UCT (L. Kocsis and C. Szepesvári,
"Bandit based Monte-Carlo Planning", 2006), with max^n for many players and proved results
(M. Winands and others, "Monte-Carlo Tree Search Solver", 2008).

A game may have a thousand moves, more than there is time to search. So a node first tries moves: a
move that wins at once is taken (F. Teytaud and O. Teytaud, "On the huge benefit of decisive moves
in Monte-Carlo tree search algorithms", 2010), the others get the value of `evaluate`. This prior is
mixed with the results of all games in which the move was made later (RAVE: S. Gelly and D. Silver,
"Combining online and offline knowledge in UCT", 2007). The best moves become children first, and
more of them the more often the node was visited (progressive widening: R. Coulom, "Computing Elo
ratings of move patterns in the game of Go", 2007). The value of a leaf is mixed from `evaluate` and
a playout (D. Silver and others, "Mastering the game of Go with deep neural networks and tree
search", 2016), which is cut off if there are many moves (R. Lorentz, "Amazons discover
Monte-Carlo", 2008).

Without goals or a worth of the game, and with `plain`, it is UCT that tries each move once and
plays at random to the end.
"""

from collections.abc import Sequence
from math import exp, inf, log, sqrt
from random import Random
from typing import Any, TypeAlias

from game.engine.search import Choice, Search
from game.rules.base.game import AnyGame

Scores: TypeAlias = tuple[float, ...]
"""Each player's share of one point."""

SHARPNESS = 5.0
"""Odds of winning when one player has every goal and another none: e to the power of this."""
UCT_EXPLORATION = 1.0
"""The constant of UCB1 in plain UCT: how much rarely searched moves are preferred."""
EXPLORATION = 0.4  # the same with priors, which tell more than the number of visits
MOST_PLIES = 2000  # a longer random game counts as a draw
TRIALS = 4  # moves that a node tries at each visit
ROOT_TRIALS = 16  # the same at the root
WIDENING = 2.0  # most children of a node, times the square root of its visits
PLAYOUT_PLIES = 3000  # longest playout, divided by the number of moves at the root
LEAST_PLAYOUT_PLIES = 8  # longest playout at least
EXPAND_VISITS = 2  # visits before a node gets children
PRIOR_VISITS = 20.0  # how many games the prior of a move counts for
VALUE_WEIGHT = 0.9  # share of `evaluate` in the value of a leaf; the rest is the playout's
RAVE_K = 300.0
"""The weight of RAVE is sqrt(k / (k + 3 * visits)): 0.7 after a third of this many visits."""
SINGLE_MOVE_NODES = 100  # nodes for the value of an only move; more would not change the choice
MOST_NODES = 200_000  # most nodes in memory; the search then goes on without new ones
MOST_MOVES = 1_000_000
"""Most moves in memory, over all nodes; moves of further nodes are not listed."""


class _Node:
    """A position, its moves, and the results of the games through it.

    `scores` are sums; `proved` is the result of best play, None if unknown. `untried` are the moves
    not tried yet, the next one last, None before they are listed; `tried` are those that are not
    children yet. `rave_stats` has the sum of scores and the number of games of each tried move.
    """

    __slots__ = (
        *("children", "mover", "position", "proved", "rave_stats", "scores", "tried", "untried"),
        "visits",
    )

    def __init__(self, position: Any, mover: int, players: int) -> None:
        self.position = position
        self.mover = mover
        self.untried: list[Any] | None = None
        self.tried: list[Any] = []
        self.rave_stats: dict[Any, list[float]] = {}
        self.children: list[tuple[Any, _Node]] = []
        self.scores = [0.0] * players
        self.proved: Scores | None = None
        self.visits = 0

    @property
    def complete(self) -> bool:
        """Whether every move is in the tree."""
        return self.untried == [] and not self.tried

    def rave_value(self, move: Any) -> float:
        """Return the mean of a move's prior and RAVE results."""
        total, count = self.rave_stats[move]
        return total / count

    def value(self, player: int) -> float:
        """Return what a player may expect here, 0 to 1."""
        if self.proved is not None:
            return self.proved[player]
        return self.scores[player] / self.visits


class GeneralSearch(Search):
    """Search a position of any game; a node is one playout."""

    nodes = 0

    def __init__(self, game: AnyGame, position: Any, seed: int, *, plain: bool = False) -> None:
        self._game = game
        self._rng = Random(seed)
        self._players = len(game.score(position))
        self._node_count = self._move_count = 0
        self._even: Scores = (1 / self._players,) * self._players
        self._plain = plain or not (game.goals(position) or game.evaluate(position))
        self._exploration = UCT_EXPLORATION if self._plain else EXPLORATION
        self._root = self._node_of(position)
        moves = len(self._moves(self._root))
        plies = max(LEAST_PLAYOUT_PLIES, PLAYOUT_PLIES // max(1, moves))
        self._plies = MOST_PLIES if self._plain else plies
        self._only = moves == 1

    @property
    def settled(self) -> bool:
        """Whether the result is proved, or an only move has a rough value."""
        return self._root.proved is not None or (self._only and self.nodes >= SINGLE_MOVE_NODES)

    def go_on(self, nodes: int) -> None:
        for _ in range(nodes):
            if self.settled:
                return
            self._simulate()
            self.nodes += 1

    def choices(self) -> tuple[Choice, ...]:
        """List the children of the root, best first; one legal move if there are none."""
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
                decided=child.proved is not None,
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

    def _node_of(self, position: Any) -> _Node:
        """Make the node of a position, proved if the game is over."""
        mover = self._game.to_move(position)
        node = _Node(position, (mover or 1) - 1, self._players)
        if mover is None:
            node.proved = final_scores(self._game, position)
        return node

    def _moves(self, node: _Node) -> list[Any]:
        """Return the untried moves of a node, listed on first use."""
        if node.untried is None:
            node.untried = list(self._game.legal_moves(node.position))
            self._rng.shuffle(node.untried)
            self._move_count += len(node.untried)
        return node.untried

    def _simulate(self) -> None:
        """Walk down the tree, add a node, value it, and update all nodes on the way."""
        node = self._root
        path = [node]
        moves: list[tuple[int, Any]] = []
        while node.proved is None:
            expanded = self._expand(node)
            step = expanded
            if step is None and node.children:
                step = self._select(node)
            if step is None:
                # Too few visits for a first child, or no memory.
                break
            moves.append((node.mover, step[0]))
            node = step[1]
            path.append(node)
            if expanded is not None:
                break
        scores = node.proved if node.proved is not None else self._value_of(node.position, moves)
        for each in reversed(path):
            each.visits += 1
            for player, score in enumerate(scores):
                each.scores[player] += score
            if each.proved is None:
                each.proved = _proof(each)
        if not self._plain:
            _update_rave(path, moves, scores)

    def _expand(self, node: _Node) -> tuple[Any, _Node] | None:
        """Add a child to a node if it is time for one."""
        if node.complete or self._node_count >= MOST_NODES:
            return None
        if node.untried is None and self._move_count >= MOST_MOVES:
            return None
        if self._plain:
            return self._add_child(node, self._moves(node).pop())
        if node.visits < EXPAND_VISITS and node is not self._root:
            return None
        # The very first move is random: the weakest level searches one node.
        trials = ROOT_TRIALS if node is self._root else TRIALS
        winning = self._try_moves(node, trials if node.visits else 1)
        if winning is not None:
            return self._add_child(node, winning)
        unproved = sum(child.proved is None for _, child in node.children)
        if unproved and len(node.children) >= WIDENING * sqrt(node.visits):
            return None
        best = max(range(len(node.tried)), key=lambda at: node.rave_value(node.tried[at]))
        node.tried[best], node.tried[-1] = node.tried[-1], node.tried[best]
        return self._add_child(node, node.tried.pop())

    def _add_child(self, node: _Node, move: Any) -> tuple[Any, _Node]:
        child = self._node_of(self._game.play(node.position, move))
        node.children.append((move, child))
        self._node_count += 1
        return move, child

    def _try_moves(self, node: _Node, trials: int) -> Any:
        """Try moves and store their priors; return a move that wins at once, else None."""
        game, mover, untried = self._game, node.mover, self._moves(node)
        if not untried:
            return None
        for _ in range(min(trials, len(untried))):
            move = untried.pop()
            after = game.play(node.position, move)
            over = game.to_move(after) is None
            told = final_scores(game, after) if over else evaluate(game, after) or self._even
            value = told[mover]
            if value == 1:
                return move
            node.tried.append(move)
            node.rave_stats[move] = [PRIOR_VISITS * value, PRIOR_VISITS]
        return None

    def _value_of(self, position: Any, moves: list[tuple[int, Any]]) -> Scores:
        """Value a leaf by a playout and by `evaluate`."""
        played = self._playout(position, moves)
        told = None if self._plain else evaluate(self._game, position)
        if told is None:
            return played
        pairs = zip(played, told, strict=True)
        return tuple([score + VALUE_WEIGHT * (worth - score) for score, worth in pairs])

    def _playout(self, position: Any, moves: list[tuple[int, Any]]) -> Scores:
        """Play at random to the end of the game, or to the longest playout and evaluate."""
        game = self._game
        for _ in range(self._plies):
            mover = game.to_move(position)
            if mover is None:
                return final_scores(game, position)
            move = game.legal_moves(position).pick(self._rng)
            position = game.play(position, move)
            moves.append((mover - 1, move))
        if game.to_move(position) is None:
            return final_scores(game, position)
        return self._even if self._plain else evaluate(game, position) or self._even

    def _select(self, node: _Node) -> tuple[Any, _Node]:
        """Choose a child by UCB1 and RAVE; a proved one only if all are."""
        mover, weight = node.mover, log(node.visits)
        unproved = [each for each in node.children if each[1].proved is None]
        if not unproved:
            return max(node.children, key=lambda each: each[1].value(mover))
        exploration = self._exploration

        def ucb(each: tuple[Any, _Node]) -> float:
            move, child = each
            value, visits = child.scores[mover] / child.visits, child.visits
            if not self._plain:
                weight_of_rave = sqrt(RAVE_K / (RAVE_K + 3 * visits))
                value += weight_of_rave * (node.rave_value(move) - value)
            return value + exploration * sqrt(weight / visits)

        return max(unproved, key=ucb)


def _update_rave(path: Sequence[_Node], moves: Sequence[tuple[int, Any]], scores: Scores) -> None:
    """Count a game's scores for all moves that were made after each node of its path."""
    for depth, node in enumerate(path):
        rave_stats, mover = node.rave_stats, node.mover
        if not rave_stats:
            continue
        score = scores[mover]
        for move in {move for who, move in moves[depth:] if who == mover}:
            stats = rave_stats.get(move)
            if stats is not None:
                stats[0] += score
                stats[1] += 1


def _proof(node: _Node) -> Scores | None:
    """Return the result of best play if it is proved by the children, else None.

    If the best results differ for the other players, nothing is proved.
    """
    mover = node.mover
    results = [child.proved for _, child in node.children if child.proved is not None]
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

    A proved result between win and loss comes before moves of a lower value.
    """
    mover = node.mover
    unproved = [child for _, child in node.children if child.proved is None]
    likely = max(unproved, key=lambda child: child.visits).value(mover) if unproved else 0.0

    def rank(each: tuple[Any, _Node]) -> tuple[float, float]:
        child = each[1]
        if child.proved is None:
            return child.visits, child.value(mover)
        worth = child.proved[mover]
        if worth in (0, 1):
            return (inf, worth) if worth else (-1, child.visits)
        return (inf if worth >= likely else 0), worth

    return sorted(node.children, key=rank, reverse=True)


def final_scores(game: AnyGame, position: Any) -> Scores:
    """Return the scores of an ended game: one point for the winner, or shared by all."""
    players = len(game.score(position))
    outcome = game.outcome(position)
    if outcome is None or outcome.winner is None:
        return (1 / players,) * players
    return tuple([float(n + 1 == outcome.winner) for n in range(players)])


def evaluate(game: AnyGame, position: Any) -> Scores | None:
    """Estimate each player's score; None if there is nothing to tell players apart.

    A game may have an evaluation of its own (`Game.evaluate`). Else it comes from the goals: one is
    enough to win, so what lacks for each is multiplied, and last steps count more than first ones.
    Goals of a whole match count the rounds won before.
    """
    worth = game.evaluate(position)
    if worth is not None:
        return worth
    goals = game.goals(position)
    if not any(goal.reached > 0 for goal in goals):
        return None
    players = len(game.score(position))
    lacking, before, rounds = [1.0] * players, [0] * players, [1] * players
    for goal in goals:
        if goal.of_match:
            before[goal.player - 1], rounds[goal.player - 1] = goal.reached, goal.wanted
        elif goal.reached > 0:
            share = min(1.0, goal.reached / goal.wanted)
            lacking[goal.player - 1] *= 1 - share * share
    come = [(won + 1 - each) / of for won, each, of in zip(before, lacking, rounds, strict=True)]
    weights = [exp(SHARPNESS * each) for each in come]
    total = sum(weights)
    return tuple([weight / total for weight in weights])
