"""Monte Carlo tree search for Circle of Life.

Owns the tree, how it grows, and what is proved in it. With knowledge it tries first what the judge
likes (as in D. Silver et al., "Mastering the game of Go with deep neural networks and tree search",
2016), and plays on greedily; without, it is plain UCT (L. Kocsis and C. Szepesvári,
"Bandit based Monte-Carlo Planning", 2006) with games at random. Both prove wins and losses
(M. Winands et al., "Monte-Carlo Tree Search Solver", 2008). Compiled as `field` is, with the types
in `tree.pxd`.
"""

import math
from array import array

from game.engine.circle import field as fields
from game.engine.circle import judge as judges
from game.engine.circle import tables

WON = tables.WON
LOST = tables.LOST
EXPLORATION = 0.7
"""How much plain UCT prefers what was seldom tried: the constant of UCB1."""
CURIOSITY = 1.0
"""How much what the judge likes is preferred, as long as it was seldom tried."""
DOUBT = 0.1
"""How much worse than its siblings a move seems that was not tried yet."""
PATIENCE = 4
"""A node gets children when it was visited so many times: most that are visited once stay alone."""
FIRST_ROOM = 1024
MOST_ROOM = 1 << 22
"""So many nodes are kept at most, 19 bytes each: 80 MB."""
MOST_CHILDREN = 64
DEEPEST = 200
ENOUGH = 100
"""So many nodes tell what the only move is worth."""
UNTRIED = 1e6


class Tree:
    """The nodes below one position, in arrays: a node is an index, its children stand in a row.

    A node's `score` counts the games through it that were won by whoever made its move, and
    `proofs` holds WON or LOST, for the same player, where that is certain.
    """

    def __init__(self, root: "fields.Field", seed: int, knows: bool) -> None:
        self.root = fields.Field()
        self.root.copy_from(root)
        self.field = fields.Field()
        self.chance = fields.Chance(seed)
        self.judge = judges.Judge()
        self.knows = knows
        self.curiosity = CURIOSITY if knows else EXPLORATION
        self.doubt = DOUBT
        self.patience = PATIENCE if knows else 1
        self.nodes = 0
        self.path = array("I", bytes(4 * DEEPEST))
        self.room = 0
        self.used = 1
        self.first = array("I")
        self.visits = array("I")
        self.kids = array("B")
        self.cells = array("B")
        self.proofs = array("b")
        self.scores = array("f")
        self.priors = array("f")
        self._widen(FIRST_ROOM)

    @property
    def settled(self) -> bool:
        """Whether the best move is proved, or is the only one and known well enough."""
        return self.proofs[0] != 0 or (self.kids[0] == 1 and self.nodes >= ENOUGH)

    def go_on(self, nodes: int) -> None:
        """Search so many nodes more, or until the root is settled."""
        done = 0
        while done < nodes and not self.settled:
            self._simulate()
            done = done + 1
        self.nodes = self.nodes + done

    def children(self) -> "list[tuple[int, int, int, float, int]]":
        """List the moves of the root: node, cell, visits, score, and what is proved."""
        if not self.kids[0]:
            self.field.copy_from(self.root)
            self._expand(0)
        first = self.first[0]
        return [
            (kid, self.cells[kid], self.visits[kid], self.scores[kid], self.proofs[kid])
            for kid in range(first, first + self.kids[0])
        ]

    def line(self, node: int) -> "list[int]":
        """List the cells of the likeliest play after a node."""
        cells = []
        while self.kids[node]:
            best = first = self.first[node]
            for kid in range(first, first + self.kids[node]):
                if self.proofs[kid] > self.proofs[best] or (
                    self.proofs[kid] == self.proofs[best] and self.visits[kid] > self.visits[best]
                ):
                    best = kid
            if not self.visits[best]:
                break
            cells.append(self.cells[best])
            node = best
        return cells

    def _simulate(self) -> int:
        """Walk down to a leaf, play on from there, and tell all nodes on the way who won."""
        field = self.field
        field.copy_from(self.root)
        node = depth = 0
        self.path[0] = 0
        while True:
            if not self.kids[node]:
                if (node and self.visits[node] < self.patience) or depth == DEEPEST - 1:
                    break
                self._expand(node)
                if self.proofs[node] or not self.kids[node]:
                    break
            node = self._preferred(node) if self.knows else self._bound(node)
            field.place(self.cells[node])
            depth = depth + 1
            self.path[depth] = node
        proof = self.proofs[node]
        player = 1 - field.mover
        if proof == WON:
            winner = player
        elif proof == LOST:
            winner = 1 - player
        elif self.knows:
            winner = field.greedy_playout(self.chance)
        else:
            winner = field.playout(self.chance)
        while True:
            node = self.path[depth]
            self.visits[node] += 1
            if winner == player:
                self.scores[node] += 1
            self.proofs[node] |= proof
            if depth == 0:
                return 0
            player = 1 - player
            depth = depth - 1
            if proof:
                proof = self._deduce(self.path[depth], proof)

    def _deduce(self, node: int, proof: int) -> int:
        """Return what is proved of a node when this was proved of one of its children."""
        if proof == WON:
            return LOST
        first = self.first[node]
        for kid in range(first, first + self.kids[node]):
            if self.proofs[kid] != LOST:
                return 0
        return WON

    def _bound(self, node: int) -> int:
        """Return the child with the highest upper confidence bound (UCB1)."""
        best = first = self.first[node]
        most = -1.0
        factor = self.curiosity * self.curiosity * math.log(self.visits[node] + 1.0)
        for kid in range(first, first + self.kids[node]):
            if self.proofs[kid] == LOST:
                continue
            visits = self.visits[kid]
            if visits:
                value = self.scores[kid] / visits + math.sqrt(factor / visits)
            else:
                # Those never tried come first, in any order.
                value = UNTRIED + (self.chance.draw() >> 40)
            if value > most:
                most = value
                best = kid
        return best

    def _preferred(self, node: int) -> int:
        """Return the child that did best or promises most (PUCT)."""
        best = first = self.first[node]
        most = -UNTRIED
        total = self.visits[node]
        expected = 0.5
        if total:
            expected = 1.0 - self.scores[node] / total - self.doubt
        factor = self.curiosity * math.sqrt(total + 1.0)
        for kid in range(first, first + self.kids[node]):
            if self.proofs[kid] == LOST:
                continue
            visits = self.visits[kid]
            value = self.scores[kid] / visits if visits else expected
            value = value + factor * self.priors[kid] / (visits + 1.0)
            if value > most:
                most = value
                best = kid
        return best

    def _expand(self, node: int) -> int:
        """Give a node its children, unless there is no room; prove what is over or won at once."""
        field = self.field
        mover = field.mover
        open_cells = field.open_cells(mover)
        if not open_cells:
            # Who cannot place wins: not the one who moved here.
            self.proofs[node] = LOST
            return 0
        if self.used + MOST_CHILDREN > self.room:
            if self.room >= MOST_ROOM:
                return 0
            self._widen(self.room * 2)
        if self.knows:
            self.judge.look(field)
        needed = field.target - field.eaten(mover)
        total = 0.0
        first = self.used
        end = first
        while open_cells:
            cell = fields.lowest(open_cells)
            open_cells = open_cells & open_cells - 1
            self.cells[end] = cell
            if self.knows:
                gain = self.judge.study(field, cell)
                weight = math.exp(self.judge.weigh())
                self.priors[end] = weight
                total = total + weight
            else:
                gain = fields.count(field.bite(mover, cell))
            if gain and gain >= needed:
                self.proofs[end] = WON
                self.proofs[node] = LOST
            end = end + 1
        if self.knows:
            for kid in range(first, end):
                self.priors[kid] = self.priors[kid] / total
        self.first[node] = first
        self.kids[node] = end - first
        self.used = end
        return 0

    def _widen(self, room: int) -> int:
        """Make room for so many nodes; the new ones are empty.

        By way of bytes, since compiled an array would be copied number by number.
        """
        more = room - self.room
        self.first = array("I", bytes(memoryview(self.first)) + bytes(4 * more))
        self.visits = array("I", bytes(memoryview(self.visits)) + bytes(4 * more))
        self.kids = array("B", bytes(memoryview(self.kids)) + bytes(more))
        self.cells = array("B", bytes(memoryview(self.cells)) + bytes(more))
        self.proofs = array("b", bytes(memoryview(self.proofs)) + bytes(more))
        self.scores = array("f", bytes(memoryview(self.scores)) + bytes(4 * more))
        self.priors = array("f", bytes(memoryview(self.priors)) + bytes(4 * more))
        self.room = room
        return 0
