"""Monte Carlo tree search for Circle of Life.

Owns the tree, its growth, and what is proved in it. Informed, it prefers placements that the policy
likes (PUCT: D. Silver et al., "Mastering the game of Go with deep neural networks and tree search",
2016) and makes greedy playouts; otherwise it is plain UCT (L. Kocsis and C. Szepesvári, "Bandit
based Monte-Carlo Planning", 2006) with random ones. Both prove wins and losses (M. Winands et al.,
"Monte-Carlo Tree Search Solver", 2008). Compiled like `field`, with the types of `tree.pxd`.
"""

import math
from array import array

from game.engine.circle import field as fields
from game.engine.circle import policy as policies
from game.engine.circle import tables

WON = tables.WON
LOST = tables.LOST
UCT_EXPLORATION = 0.7  # the constant of UCB1 in plain UCT
PUCT_EXPLORATION = 1.0  # the constant of PUCT: how much the policy counts
FPU_REDUCTION = 0.1
"""How much worse than its parent an unvisited node is assumed to be (first-play urgency)."""
EXPAND_VISITS = 4  # visits before a node gets children, since most nodes are visited only once
FIRST_CAPACITY = 1024
MOST_NODES = 1 << 22  # most nodes in memory, 19 bytes each: 80 MB
MOST_CHILDREN = 64
DEEPEST = 200
SINGLE_MOVE_NODES = 100  # nodes for the value of an only move
UNVISITED = 1e6


class Tree:
    """The nodes below one position, in arrays: a node is an index, its children are neighbours.

    A node's score counts the games through it that the player of its move won; `proofs` holds WON
    or LOST for the same player, 0 if unknown.
    """

    def __init__(self, root: "fields.Field", seed: int, informed: bool) -> None:
        self.root = fields.Field()
        self.root.copy_from(root)
        self.field = fields.Field()
        self.rng = fields.Xorshift(seed)
        self.policy = policies.Policy()
        self.informed = informed
        self.exploration = PUCT_EXPLORATION if informed else UCT_EXPLORATION
        self.fpu_reduction = FPU_REDUCTION
        self.expand_visits = EXPAND_VISITS if informed else 1
        self.nodes = 0
        self.path = array("I", bytes(4 * DEEPEST))
        self.capacity = 0
        self.used = 1
        self.first = array("I")
        self.visits = array("I")
        self.child_counts = array("B")
        self.cells = array("B")
        self.proofs = array("b")
        self.scores = array("f")
        self.priors = array("f")
        self._grow(FIRST_CAPACITY)

    @property
    def settled(self) -> bool:
        """Whether the best move is proved, or an only move has a rough value."""
        only_move = self.child_counts[0] == 1
        return self.proofs[0] != 0 or (only_move and self.nodes >= SINGLE_MOVE_NODES)

    def go_on(self, nodes: int) -> None:
        """Search more nodes, or until the root is settled."""
        done = 0
        while done < nodes and not self.settled:
            self._simulate()
            done = done + 1
        self.nodes = self.nodes + done

    def children(self) -> "list[tuple[int, int, int, float, int]]":
        """List the moves of the root: node, cell, visits, score and proof."""
        if not self.child_counts[0]:
            self.field.copy_from(self.root)
            self._expand(0)
        first = self.first[0]
        return [
            (child, self.cells[child], self.visits[child], self.scores[child], self.proofs[child])
            for child in range(first, first + self.child_counts[0])
        ]

    def line(self, node: int) -> "list[int]":
        """List the cells of the likeliest play after a node."""
        cells = []
        while self.child_counts[node]:
            best = first = self.first[node]
            for child in range(first, first + self.child_counts[node]):
                better = self.proofs[child] - self.proofs[best]
                if better > 0 or (better == 0 and self.visits[child] > self.visits[best]):
                    best = child
            if not self.visits[best]:
                break
            cells.append(self.cells[best])
            node = best
        return cells

    def _simulate(self) -> int:
        """Walk down to a leaf, play on from there, and update all nodes on the way."""
        field = self.field
        field.copy_from(self.root)
        node = depth = 0
        self.path[0] = 0
        while True:
            if not self.child_counts[node]:
                if (node and self.visits[node] < self.expand_visits) or depth == DEEPEST - 1:
                    break
                self._expand(node)
                if self.proofs[node] or not self.child_counts[node]:
                    break
            node = self._select_puct(node) if self.informed else self._select_ucb(node)
            field.place(self.cells[node])
            depth = depth + 1
            self.path[depth] = node
        proof = self.proofs[node]
        player = 1 - field.mover
        if proof == WON:
            winner = player
        elif proof == LOST:
            winner = 1 - player
        elif self.informed:
            winner = field.greedy_playout(self.rng)
        else:
            winner = field.playout(self.rng)
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
                proof = self._proof_of(self.path[depth], proof)

    def _proof_of(self, node: int, proof: int) -> int:
        """Return what a proof of one of its children proves of a node."""
        if proof == WON:
            return LOST
        first = self.first[node]
        for child in range(first, first + self.child_counts[node]):
            if self.proofs[child] != LOST:
                return 0
        return WON

    def _select_ucb(self, node: int) -> int:
        """Return the child with the highest upper confidence bound (UCB1)."""
        best = first = self.first[node]
        most = -1.0
        factor = self.exploration * self.exploration * math.log(self.visits[node] + 1.0)
        for child in range(first, first + self.child_counts[node]):
            if self.proofs[child] == LOST:
                continue
            visits = self.visits[child]
            if visits:
                value = self.scores[child] / visits + math.sqrt(factor / visits)
            else:
                # Unvisited ones come first, in random order.
                value = UNVISITED + (self.rng.draw() >> 40)
            if value > most:
                most = value
                best = child
        return best

    def _select_puct(self, node: int) -> int:
        """Return the child with the highest PUCT value."""
        best = first = self.first[node]
        most = -UNVISITED
        total = self.visits[node]
        expected = 0.5
        if total:
            expected = 1.0 - self.scores[node] / total - self.fpu_reduction
        factor = self.exploration * math.sqrt(total + 1.0)
        for child in range(first, first + self.child_counts[node]):
            if self.proofs[child] == LOST:
                continue
            visits = self.visits[child]
            value = self.scores[child] / visits if visits else expected
            value = value + factor * self.priors[child] / (visits + 1.0)
            if value > most:
                most = value
                best = child
        return best

    def _expand(self, node: int) -> int:
        """Give a node its children unless memory is full; prove what is over or won at once."""
        field = self.field
        mover = field.mover
        open_cells = field.open_cells(mover)
        if not open_cells:
            # The player who cannot place wins: not the one who moved here.
            self.proofs[node] = LOST
            return 0
        if self.used + MOST_CHILDREN > self.capacity:
            if self.capacity >= MOST_NODES:
                return 0
            self._grow(self.capacity * 2)
        if self.informed:
            self.policy.set_position(field)
        needed = field.target - field.eaten(mover)
        total = 0.0
        first = self.used
        end = first
        while open_cells:
            cell = fields.lowest(open_cells)
            open_cells = open_cells & open_cells - 1
            self.cells[end] = cell
            if self.informed:
                gain = self.policy.encode(field, cell)
                weight = math.exp(self.policy.score())
                self.priors[end] = weight
                total = total + weight
            else:
                gain = fields.count(field.prey_at(mover, cell))
            if gain and gain >= needed:
                self.proofs[end] = WON
                self.proofs[node] = LOST
            end = end + 1
        if self.informed:
            for child in range(first, end):
                self.priors[child] = self.priors[child] / total
        self.first[node] = first
        self.child_counts[node] = end - first
        self.used = end
        return 0

    def _grow(self, capacity: int) -> int:
        """Grow the arrays, by way of bytes: compiled, an array would be copied by element."""
        more = capacity - self.capacity
        self.first = array("I", bytes(memoryview(self.first)) + bytes(4 * more))
        self.visits = array("I", bytes(memoryview(self.visits)) + bytes(4 * more))
        self.child_counts = array("B", bytes(memoryview(self.child_counts)) + bytes(more))
        self.cells = array("B", bytes(memoryview(self.cells)) + bytes(more))
        self.proofs = array("b", bytes(memoryview(self.proofs)) + bytes(more))
        self.scores = array("f", bytes(memoryview(self.scores)) + bytes(4 * more))
        self.priors = array("f", bytes(memoryview(self.priors)) + bytes(4 * more))
        self.capacity = capacity
        return 0
