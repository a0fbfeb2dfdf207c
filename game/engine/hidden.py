"""A search for games with hidden information, over worlds that are possible.

Owns the search of hidden games. Knows a game only through `game.rules.base.game`, and decides by
what the player to move knows. It is information-set Monte Carlo tree search with one observer
(P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012): each
simulation draws one possible world, and all walk down the same tree. A branch of that tree is a
move and the faces that it shows. An opponent knows their own pieces, so their moves depend on the
world: a move that shows another face is another branch, whose UCB1 counts how often it could be
chosen. The prior of such a move comes from worlds that the opponent thinks possible.

Moves are tried in the order of their priors (`evaluate`), with progressive widening as in
`game.engine.general`. There are no playouts, which would take too long; leaves are evaluated.
"""

from math import inf, log, sqrt
from random import Random
from typing import Any, TypeAlias

from game.engine.evaluation import Scores, evaluate, final_scores
from game.engine.search import Choice, Search
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.hidden import hiding

EXPLORATION = 0.03  # the constant of UCB1
UCT_EXPLORATION = 0.7  # the same without priors
PRIOR_VISITS = 2.0  # how many visits the prior of a move counts for
OPPONENT_PRIOR = 0.8
"""Share of the prior in the value of an opponent's move that shows faces: the opponent knows less
than the tree."""
TRIALS = 8  # moves that a node tries at each visit
EXTRA_TRIALS = 6  # further worlds in which moves of the root, and moves that show faces, are tried
WIDENING = 2.0  # most branches of a node, times the square root of its visits
MOST_NODES = 20_000  # most nodes in memory; the search then goes on without new ones
MOST_PLIES = 2000  # a longer random game counts as a draw

Faces: TypeAlias = tuple[tuple[str, str], ...]
"""Cells and their faces, sorted."""


class _Branch:
    """A move of a player who holds certain faces.

    `available` counts how often it could be chosen since its first visit. `prior_total` is the sum
    of evaluations over its `trials`, `total` the sum of scores over its `visits`.
    """

    __slots__ = ("available", "move", "nodes", "prior_total", "total", "trials", "visits")

    def __init__(self, move: Any) -> None:
        self.move = move
        self.prior_total = self.total = 0.0
        self.trials = self.visits = self.available = 0
        self.nodes: dict[Faces, _Node] = {}

    @property
    def prior(self) -> float:
        """The mean evaluation of the move."""
        return self.prior_total / self.trials if self.trials else 0.0

    @property
    def value(self) -> float:
        """The score that its player may expect of it."""
        return self.total / self.visits if self.visits else self.prior


class _Node:
    """What all players see after some moves: who moves next, and the statistics of their moves.

    `untried` are the moves not tried yet, the next one last, None before they are listed; `tried`
    are the others. `revealing` are all moves that show faces.
    """

    __slots__ = ("branches", "mover", "revealing", "tried", "untried", "visits")

    def __init__(self, mover: int) -> None:
        self.mover = mover
        self.untried: list[Any] | None = None
        self.tried: list[Any] = []
        self.revealing: set[Any] = set()
        self.branches: dict[tuple[Any, Faces], _Branch] = {}
        self.visits = 0


class HiddenSearch(Search):
    """Search what a player sees of a position; a node is one simulated world."""

    nodes = 0

    def __init__(self, game: AnyGame, position: Any, seed: int, *, plain: bool = False) -> None:
        self._game = game
        self._position = position
        self._rng = Random(seed)
        self._players = len(game.score(position))
        self._even: Scores = (1 / self._players,) * self._players
        self._node_count = 0
        mover = game.to_move(position) or 1
        self._root = _Node(mover)
        self._root_tried = False
        self._only_choice: Choice | None = None
        self._plain = plain
        self._exploration = UCT_EXPLORATION if plain else EXPLORATION
        if hiding(game).arranging(position, mover) is not None:
            self._only_choice = self._random_arrangement(mover)
            return
        if not plain:
            whole = hiding(game).supposed(position, self._rng)
            self._plain = evaluate(game, whole) is None
        moves = self._untried(self._root, position)
        if len(moves) == 1:
            self._only_choice = self._choice_of(moves[0], 1 / self._players)
        elif not plain:
            self._only_choice = self._certain_win(moves)

    @property
    def settled(self) -> bool:
        """Whether there is only one choice, or a move wins whatever is hidden."""
        return self._only_choice is not None

    def go_on(self, nodes: int) -> None:
        if self.settled:
            return
        for _ in range(nodes):
            self._simulate()
            self.nodes += 1

    def choices(self) -> tuple[Choice, ...]:
        if self._only_choice is not None:
            return (self._only_choice,)
        tried = _visited(self._root)
        if not tried:
            return (self._choice_of(self._untried(self._root, self._position)[-1], self._even[0]),)
        tried.sort(key=lambda each: (each.visits, each.value), reverse=True)
        return tuple(
            Choice(
                move=self._game.plain_text(self._position, each.move),
                value=each.value,
                visits=each.visits,
                line=self._line(each),
            )
            for each in tried
        )

    def _random_arrangement(self, mover: int) -> Choice:
        """Lay out the player's pieces at random: there is nothing to search for."""
        game = self._game
        pieces = hiding(game).arranged_at_random(self._position, mover, self._rng)
        text = hiding(game).arrangement(self._position, mover, pieces)
        return Choice(text, 1 / self._players, 0, (text,))

    def _choice_of(self, move: Any, value: float, *, decided: bool = False) -> Choice:
        text = self._game.plain_text(self._position, move)
        return Choice(text, value, self.nodes, (text,), decided)

    def _certain_win(self, moves: list[Any]) -> Choice | None:
        """Find a move that wins in all possible worlds."""
        for move in moves:
            try:
                after = self._game.play(self._position, move)
            except RulesError:
                # It depends on an unknown face.
                continue
            over = self._game.to_move(after) is None
            if over and final_scores(self._game, after)[self._root.mover - 1] == 1:
                return self._choice_of(move, 1.0, decided=True)
        return None

    def _line(self, branch: _Branch) -> tuple[str, ...]:
        """Return the expected play, up to a move that depends on an unknown face."""
        game, position, texts = self._game, self._position, []
        while True:
            texts.append(game.plain_text(position, branch.move))
            try:
                faces = _sorted_faces(hiding(game).faces(position, branch.move))
                position = game.play(position, branch.move)
            except RulesError:
                return tuple(texts)
            node = branch.nodes.get(faces)
            tried = _visited(node) if node is not None else []
            if not tried:
                return tuple(texts)
            branch = max(tried, key=lambda each: (each.visits, each.value))

    def _untried(self, node: _Node, position: Any) -> list[Any]:
        """Return the untried moves, listed on first use.

        All players see which moves there are, and which of them show faces.
        """
        if node.untried is None:
            moves = list(self._game.legal_moves(position))
            self._rng.shuffle(moves)
            node.revealing = {move for move in moves if hiding(self._game).faces(position, move)}
            node.untried = sorted(moves, key=node.revealing.__contains__)
        return node.untried

    def _simulate(self) -> None:
        """Draw a world, walk down the tree, add a node, value it, and update the path."""
        world = hiding(self._game).supposed(self._position, self._rng)
        node, path = self._root, []
        while True:
            available = self._available(node, world)
            branch = self._select(node, available)
            path.append((node, branch, available))
            faces: Faces = ()
            if branch.move in node.revealing:
                faces = _sorted_faces(hiding(self._game).faces(world, branch.move))
            world = self._game.play(world, branch.move)
            mover = self._game.to_move(world)
            if mover is None:
                scores = final_scores(self._game, world)
                break
            child = branch.nodes.get(faces)
            if child is None:
                if self._node_count < MOST_NODES:
                    branch.nodes[faces] = _Node(mover)
                    self._node_count += 1
                scores = self._value_of(world)
                break
            node = child
        for node, branch, available in path:
            node.visits += 1
            for each in available:
                each.available += each.visits > 0
            branch.visits += 1
            branch.available += branch.visits == 1
            branch.total += scores[node.mover - 1]

    def _available(self, node: _Node, world: Any) -> list[_Branch]:
        """Try more moves, and list the branches that can be chosen in a world."""
        untried = self._untried(node, world)
        if node is self._root and self.nodes == 0:
            # The very first move is random: the weakest level searches one node.
            return [self._branch(node, self._rng.choice(untried), world)]
        if node is self._root and not self._root_tried:
            self._try_root(world)
        trials = len(untried) if self._plain or node is self._root else TRIALS
        for _ in range(min(trials, len(untried))):
            node.tried.append(untried.pop())
        available = [self._branch(node, move, world) for move in node.tried]
        if node.revealing and node.mover != self._root.mover and not self._plain:
            self._try_as_opponent(node, available, world)
        return available

    def _try_as_opponent(self, node: _Node, available: list[_Branch], world: Any) -> None:
        """Try moves that show faces in a world that the opponent thinks possible."""
        seen = hiding(self._game).seen_by(world, node.mover, remembers=True)
        supposed = hiding(self._game).supposed(seen, self._rng)
        for each in available:
            if each.move in node.revealing and each.trials < EXTRA_TRIALS:
                self._try_move(node, each, supposed)

    def _branch(self, node: _Node, move: Any, world: Any) -> _Branch:
        """Return the branch of a move in a world; a new one is tried."""
        known: Faces = ()
        if node is not self._root and move in node.revealing:
            known = self._known_faces(node.mover, world, move)
        branch = node.branches.get((move, known))
        if branch is None:
            branch = node.branches[move, known] = _Branch(move)
            if not (known and node.mover != self._root.mover):
                self._try_move(node, branch, world)
        return branch

    def _known_faces(self, mover: int, world: Any, move: Any) -> Faces:
        """Return the faces of a move that its player knows before it shows them."""
        game = self._game
        side = game.presentation.side_of(world, mover)
        faces = hiding(game).faces(world, move).items()
        return tuple(
            sorted((cell, face) for cell, face in faces if game.presentation.side(face) == side)
        )

    def _try_root(self, world: Any) -> None:
        """Try all moves of the root in the same worlds, so that they can be compared."""
        self._root_tried = True
        worlds = [
            hiding(self._game).supposed(self._position, self._rng) for _ in range(EXTRA_TRIALS)
        ]
        for move in self._untried(self._root, world):
            branch = self._branch(self._root, move, world)
            for each in worlds:
                self._try_move(self._root, branch, each)

    def _try_move(self, node: _Node, branch: _Branch, world: Any) -> None:
        """Add the evaluation of a move in a world to its prior."""
        branch.trials += 1
        if self._plain:
            branch.prior_total += self._even[0]
            return
        after = self._game.play(world, branch.move)
        branch.prior_total += self._evaluate(after)[node.mover - 1]

    def _evaluate(self, world: Any) -> Scores:
        game = self._game
        if game.to_move(world) is None:
            return final_scores(game, world)
        return evaluate(game, world) or self._even

    def _select(self, node: _Node, available: list[_Branch]) -> _Branch:
        """Choose the best unvisited branch if it is time for one, else by UCB1 with priors."""
        unvisited = [each for each in available if not each.visits]
        tried = len(available) - len(unvisited)
        width = inf if self._plain else WIDENING * sqrt(node.visits + 1)
        if unvisited and tried < width:
            return max(unvisited, key=lambda each: each.prior)
        exploration, prior_visits = self._exploration, 0.0 if self._plain else PRIOR_VISITS
        guessing = node.mover != self._root.mover and not self._plain

        def ucb(each: _Branch) -> float:
            value = (each.total + prior_visits * each.prior) / (each.visits + prior_visits)
            if guessing and each.move in node.revealing:
                value += OPPONENT_PRIOR * (each.prior - value)
            return value + exploration * sqrt(log(each.available) / each.visits)

        return max((each for each in available if each.visits), key=ucb)

    def _value_of(self, world: Any) -> Scores:
        """Evaluate a world; if plain, by a random game to its end."""
        if not self._plain:
            return self._evaluate(world)
        game = self._game
        for _ in range(MOST_PLIES):
            if game.to_move(world) is None:
                return final_scores(game, world)
            world = game.play(world, game.legal_moves(world).pick(self._rng))
        return self._even


def _visited(node: _Node) -> list[_Branch]:
    return [each for each in node.branches.values() if each.visits]


def _sorted_faces(faces: Any) -> Faces:
    return tuple(sorted(faces.items()))
