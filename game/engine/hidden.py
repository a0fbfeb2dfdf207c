"""A search for games in which players do not see all: it thinks about worlds that there could be.

Owns the search of hidden games. Knows a game only through `game.rules.game`, and decides by what
the position tells: where one holds all faces, they are what the player knows. It is
information-set Monte Carlo tree search with one observer (P. Cowling, E. Powley and D. Whitehouse,
"Information Set Monte Carlo Tree Search", 2012): every node draws a whole world out of those that
may be, and walks down one tree for all of them. A branch of that tree is a move and the faces that
it has shown. The other player knows his own pieces, so what he may do depends on the world: a move
that shows a face of his is another one with another face, and is measured by how often it could be
chosen. What he hopes of such a move is what it promises in worlds that he may think of.

Moves are looked at in the order of what they promise (`Game.worth`), those that show faces first,
and the more of them the oftener a node was visited, as in `game.engine.general`. There is no time
to play such games to their end: a few more plies are played, and the rest is judged.
"""

from math import inf, log, sqrt
from random import Random
from typing import Any, TypeAlias

from game.engine.promise import Scores, promise, result
from game.engine.search import Choice, Search
from game.rules.errors import RulesError
from game.rules.game import Game

CURIOSITY = 0.03
"""How much a move is preferred that was seldom tried (the constant of UCB1)."""
PLAIN_CURIOSITY = 0.7
TRUST = 2.0
"""What a move promises counts as much as so many visits."""
CONVICTION = 0.8
"""Where another player shows faces he goes so much by his hopes: the tree knows more than he."""
GLANCES = 8
"""So many moves more a node makes on trial each time that it is visited."""
SURVEYS = 6
"""A move of the root, or one that shows faces, is made on trial in so many more worlds."""
WIDTH = 2.0
"""So many moves of a node are tried at once, times the square root of its visits."""
MOST_KEPT = 20_000
"""So many nodes are kept at most; the search then goes on without new ones."""
MOST_PLIES = 2000
"""A game at random that goes on for longer is worth the same to each."""

Shown: TypeAlias = tuple[tuple[str, str], ...]
"""Faces by their cells, in order."""


class _Branch:
    """A move of a node, of one who holds certain faces.

    `available` is how often it could be chosen since it was first tried. `hopes` is the sum of what
    it has promised its player in so many `glances`, `total` that of what came of its `visits`.
    """

    __slots__ = ("available", "glances", "hopes", "move", "nodes", "total", "visits")

    def __init__(self, move: Any) -> None:
        self.move = move
        self.hopes = self.total = 0.0
        self.glances = self.visits = self.available = 0
        self.nodes: dict[Shown, _Node] = {}

    @property
    def hope(self) -> float:
        """What the move promises before it is tried."""
        return self.hopes / self.glances if self.glances else 0.0

    @property
    def value(self) -> float:
        """What its player may expect of it."""
        return self.total / self.visits if self.visits else self.hope


class _Node:
    """What everybody sees after some moves: whose turn it is, and what was found about his moves.

    `unseen` are the moves at which nobody has looked, the next one last, None before they are
    listed; `seen` are the others. `showing` are those of both that show faces.
    """

    __slots__ = ("branches", "mover", "seen", "showing", "unseen", "visits")

    def __init__(self, mover: int) -> None:
        self.mover = mover
        self.unseen: list[Any] | None = None
        self.seen: list[Any] = []
        self.showing: set[Any] = set()
        self.branches: dict[tuple[Any, Shown], _Branch] = {}
        self.visits = 0


class HiddenSearch(Search):
    """Search what a player sees of a position; a node is one world that was played on."""

    def __init__(
        self, game: Game[Any, Any], position: Any, seed: int, *, plain: bool = False
    ) -> None:
        self._game = game
        self._position = position
        self._rng = Random(seed)
        self._players = len(game.score(position))
        self._even: Scores = (1 / self._players,) * self._players
        self._nodes = self._kept = 0
        mover = game.to_move(position) or 1
        self._root = _Node(mover)
        self._surveyed = False
        self._sure: Choice | None = None
        self._plain = plain
        self._curiosity = PLAIN_CURIOSITY if plain else CURIOSITY
        if game.arranging(position, mover) is not None:
            self._sure = self._by_chance(mover)
            return
        if not plain:
            whole = game.supposed(position, self._rng)
            self._plain = promise(game, whole) is None
        moves = self._listed(self._root, position)
        if len(moves) == 1:
            self._sure = self._plainly(moves[0], 1 / self._players)
        elif not plain:
            self._sure = self._winning(moves)

    @property
    def nodes(self) -> int:
        """How many worlds have been played on."""
        return self._nodes

    @property
    def settled(self) -> bool:
        """Whether there is no choice, or a move wins whatever is hidden."""
        return self._sure is not None

    def go_on(self, nodes: int) -> None:
        """Search so many nodes more; none if it is settled."""
        if self.settled:
            return
        for _ in range(nodes):
            self._simulate()
            self._nodes += 1

    def choices(self) -> tuple[Choice, ...]:
        """List the moves that were tried, best first; the first legal one if none was."""
        if self._sure is not None:
            return (self._sure,)
        tried = _tried(self._root)
        if not tried:
            return (self._plainly(self._listed(self._root, self._position)[-1], self._even[0]),)
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

    def _by_chance(self, mover: int) -> Choice:
        """Lay out the player's pieces: there is nothing that could be searched for."""
        game = self._game
        pieces = game.arranged_at_random(self._position, mover, self._rng)
        return self._told(game.arrangement(self._position, mover, pieces), 1 / self._players)

    def _plainly(self, move: Any, value: float, *, decided: bool = False) -> Choice:
        return self._told(self._game.plain_text(self._position, move), value, decided=decided)

    def _told(self, text: str, value: float, *, decided: bool = False) -> Choice:
        return Choice(text, value, self._nodes, (text,), decided)

    def _winning(self, moves: list[Any]) -> Choice | None:
        """Find a move that wins by what is known."""
        for move in moves:
            try:
                after = self._game.play(self._position, move)
            except RulesError:
                # An unknown face decides it.
                continue
            over = self._game.to_move(after) is None
            if over and result(self._game, after)[self._root.mover - 1] == 1:
                return self._plainly(move, 1.0, decided=True)
        return None

    def _line(self, branch: _Branch) -> tuple[str, ...]:
        """Tell the play that is expected, as far as no unknown face decides it."""
        game, position, texts = self._game, self._position, []
        while True:
            texts.append(game.plain_text(position, branch.move))
            try:
                shown = _in_order(game.faces(position, branch.move))
                position = game.play(position, branch.move)
            except RulesError:
                return tuple(texts)
            node = branch.nodes.get(shown)
            tried = _tried(node) if node is not None else []
            if not tried:
                return tuple(texts)
            branch = max(tried, key=lambda each: (each.visits, each.value))

    def _listed(self, node: _Node, position: Any) -> list[Any]:
        """Return the moves at which nobody has looked, listed when they are needed.

        What moves there are, and which of them show faces, everybody can see.
        """
        if node.unseen is None:
            moves = list(self._game.legal_moves(position))
            self._rng.shuffle(moves)
            node.showing = {move for move in moves if self._game.faces(position, move)}
            node.unseen = sorted(moves, key=node.showing.__contains__)
        return node.unseen

    def _simulate(self) -> None:
        """Draw a world, walk down the tree with it, add a node, judge, and tell all on the way."""
        world = self._game.supposed(self._position, self._rng)
        node, path = self._root, []
        while True:
            available = self._available(node, world)
            branch = self._chosen(node, available)
            path.append((node, branch, available))
            shown: Shown = ()
            if branch.move in node.showing:
                shown = _in_order(self._game.faces(world, branch.move))
            world = self._game.play(world, branch.move)
            mover = self._game.to_move(world)
            if mover is None:
                scores = result(self._game, world)
                break
            child = branch.nodes.get(shown)
            if child is None:
                if self._kept < MOST_KEPT:
                    branch.nodes[shown] = _Node(mover)
                    self._kept += 1
                scores = self._judged(world)
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
        """List the branches that can be chosen in a world, and look at some more moves for it."""
        unseen = self._listed(node, world)
        if node is self._root and self._nodes == 0:
            # The first of all is any move: who asks for one node only gets one by chance.
            return [self._branch(node, self._rng.choice(unseen), world)]
        if node is self._root and not self._surveyed:
            self._survey(world)
        glances = len(unseen) if self._plain or node is self._root else GLANCES
        for _ in range(min(glances, len(unseen))):
            node.seen.append(unseen.pop())
        available = [self._branch(node, move, world) for move in node.seen]
        if node.showing and node.mover != self._root.mover and not self._plain:
            self._imagine(node, available, world)
        return available

    def _imagine(self, node: _Node, available: list[_Branch], world: Any) -> None:
        """Let another player look at moves that show faces, in a world that he may think of."""
        seen = self._game.seen_by(world, node.mover, remembers=True)
        imagined = self._game.supposed(seen, self._rng)
        for each in available:
            if each.move in node.showing and each.glances < SURVEYS:
                self._glance(node, each, imagined)

    def _branch(self, node: _Node, move: Any, world: Any) -> _Branch:
        """Find the branch of a move in a world; a new one is glanced at."""
        own: Shown = ()
        if node is not self._root and move in node.showing:
            own = self._own(node.mover, world, move)
        branch = node.branches.get((move, own))
        if branch is None:
            branch = node.branches[move, own] = _Branch(move)
            if not (own and node.mover != self._root.mover):
                self._glance(node, branch, world)
        return branch

    def _own(self, mover: int, world: Any, move: Any) -> Shown:
        """Tell the faces of a move that its player knows before it shows them."""
        game = self._game
        side = game.side_of(world, mover)
        faces = game.faces(world, move)
        return _in_order({cell: each for cell, each in faces.items() if game.side(each) == side})

    def _survey(self, world: Any) -> None:
        """Look at all moves of the root, in the same worlds, so that they can be compared."""
        self._surveyed = True
        worlds = [world, *(self._game.supposed(self._position, self._rng) for _ in range(SURVEYS))]
        for move in self._listed(self._root, world):
            branch = self._branch(self._root, move, world)
            for each in worlds[1:]:
                self._glance(self._root, branch, each)

    def _glance(self, node: _Node, branch: _Branch, world: Any) -> None:
        """Make a move on trial, and note what it promises."""
        branch.glances += 1
        if self._plain:
            branch.hopes += self._even[0]
            return
        after = self._game.play(world, branch.move)
        branch.hopes += self._promised(after)[node.mover - 1]

    def _promised(self, world: Any) -> Scores:
        game = self._game
        if game.to_move(world) is None:
            return result(game, world)
        return promise(game, world) or self._even

    def _chosen(self, node: _Node, available: list[_Branch]) -> _Branch:
        """Choose by UCB1, with what is promised, or the next one to be tried if it is its time."""
        fresh = [each for each in available if not each.visits]
        tried = len(available) - len(fresh)
        width = inf if self._plain else WIDTH * sqrt(node.visits + 1)
        if fresh and tried < width:
            return max(fresh, key=lambda each: each.hope)
        curiosity, trust = self._curiosity, 0.0 if self._plain else TRUST
        blind = node.mover != self._root.mover and not self._plain

        def urgency(each: _Branch) -> float:
            value = (each.total + trust * each.hope) / (each.visits + trust)
            if blind and each.move in node.showing:
                value += CONVICTION * (each.hope - value)
            return value + curiosity * sqrt(log(each.available) / each.visits)

        return max((each for each in available if each.visits), key=urgency)

    def _judged(self, world: Any) -> Scores:
        """Say what each may expect of a world; if plain, by a game at random to its end."""
        if not self._plain:
            return self._promised(world)
        game = self._game
        for _ in range(MOST_PLIES):
            if game.to_move(world) is None:
                return result(game, world)
            world = game.play(world, game.legal_moves(world).pick(self._rng))
        return self._even


def _tried(node: _Node) -> list[_Branch]:
    return [each for each in node.branches.values() if each.visits]


def _in_order(faces: Any) -> Shown:
    return tuple(sorted(faces.items()))
