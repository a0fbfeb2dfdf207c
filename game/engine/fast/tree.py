"""Monte Carlo tree search on any fast board.

Owns the tree, its growth, and its proofs. Informed, it prefers moves with high weights of the board
(PUCT: D. Silver et al., "Mastering the game of Go with deep neural networks and tree search",
2016) and uses the board's informed playouts; otherwise it is plain UCT (L. Kocsis and C.
Szepesvári, "Bandit based Monte-Carlo Planning", 2006) with random playouts. Both prove results (M.
Winands et al., "Monte-Carlo Tree Search Solver", 2008). For any number of players (max^n).
Compiled with the types of `tree.pxd`.
"""

import math
from array import array

from game.engine.fast import board as boards
from game.engine.fast import chance

UCT_EXPLORATION = 0.7  # the constant of UCB1 in plain UCT
PUCT_EXPLORATION = 1.0  # the constant of PUCT: how much the weights of moves count
FPU_REDUCTION = 0.1
"""How much worse than its parent an unvisited node is assumed to be (first-play urgency)."""
EXPAND_VISITS = 4  # visits before a node gets children, since most nodes are visited only once
FIRST_CAPACITY = 1024
MOST_NODES = 1 << 22  # most nodes in memory, 22 bytes each: 92 MB
MOST_CHILDREN = boards.MOST_MOVES
DEEPEST = 200
SINGLE_MOVE_NODES = 100  # nodes for the value of an only move
UNVISITED = 1e6


class Tree:
    """The nodes below one position, in arrays: a node is an index, its children are neighbours.

    A node's score sums the shares of the player who moved there; `proofs` holds the proved result,
    coded as in boards, 0 if unknown. `movers` is valid for nodes with children. `hidden` means that
    `root` may be overwritten between simulations by a board that looks the same to the searching
    player (information-set search); then a board reports which moves it `allows`. The moves of the
    root divide `even_share` of its visits evenly; above 0, a search goes on until all are proved.
    """

    def __init__(self, root: "boards.FastBoard", seed: int, informed: bool) -> None:
        self.root = root.fresh()
        self.root.copy_from(root)
        self.board = root.fresh()
        self.after = root.fresh()
        self.rng = chance.Xorshift(seed)
        self.informed = informed
        self.hidden = False
        self.exploration = PUCT_EXPLORATION if informed else UCT_EXPLORATION
        self.fpu_reduction = FPU_REDUCTION
        self.expand_visits = EXPAND_VISITS if informed else 1
        self.even_share = 0.0
        self.nodes = 0
        self.path = array("I", bytes(4 * DEEPEST))
        self.deciders = array("B", bytes(DEEPEST))
        # Assume that the previous player moved to the root.
        self.deciders[0] = (root.mover + root.players - 1) % root.players
        self.capacity = 0
        self.used = 1
        self.first = array("I")
        self.visits = array("I")
        self.child_counts = array("H")
        self.moves = array("H")
        self.movers = array("B")
        self.proofs = array("b")
        self.scores = array("f")
        self.priors = array("f")
        self._grow(FIRST_CAPACITY)

    @property
    def settled(self) -> bool:
        """Whether the best move is proved, or is the only one and has a rough value."""
        if self.even_share:
            return self._all_proved(0)
        only_move = self.child_counts[0] == 1
        return self.proofs[0] != 0 or (only_move and self.nodes >= SINGLE_MOVE_NODES)

    def go_on(self, nodes: int) -> None:
        """Search more nodes, or until the root is settled."""
        done = 0
        while done < nodes and not self.settled:
            self._simulate()
            done = done + 1
        self.nodes = self.nodes + done

    def children(
        self, made: "tuple[int, ...]" = ()
    ) -> "list[tuple[int, int, int, float, int, float]]":
        """List what can follow the parts in `made`: node, move, visits, value, result and guess.

        The node is 0 if the tree has none.
        """
        board, node, known = self.board, 0, True
        board.copy_from(self.root)
        for move in made:
            board.play(move)
            node = self._child(node, move)
            known = known and node > 0
        mover = board.mover
        found = []
        for index in range(board.expand(self.after, self.informed)):
            child = visits = 0
            proof = board.results[index]
            value = guess = board.guesses[index]
            if known and self.child_counts[node]:
                child = self.first[node] + index
                visits, proof = self.visits[child], self.proofs[child]
                score = self.scores[child]
                value = score / visits if visits else value
            if proof:
                board.share_out(proof)
                value = board.shares[mover]
            found.append((child, board.moves[index], visits, value, proof, guess))
        return found

    def line(self, node: int) -> "list[int]":
        """List the moves of the likeliest play after a node."""
        moves = []
        while node and self.child_counts[node]:
            best = first = self.first[node]
            for child in range(first, first + self.child_counts[node]):
                better = self._rank(node, child) - self._rank(node, best)
                if better > 0 or (better == 0 and self.visits[child] > self.visits[best]):
                    best = child
            if not self.visits[best] and not self.proofs[best]:
                break
            moves.append(self.moves[best])
            node = best
        return moves

    def _rank(self, node: int, child: int) -> int:
        """Return 1 for a child proved to be won by its player, -1 for a lost one, else 0."""
        proof = self.proofs[child]
        if not proof or proof > self.root.players:
            return 0
        return 1 if proof == self.movers[node] + 1 else -1

    def _child(self, node: int, move: int) -> int:
        """Return the child of a node by its move; 0 if there is none."""
        first = self.first[node]
        for child in range(first, first + self.child_counts[node]):
            if self.moves[child] == move:
                return child
        return 0

    def _all_proved(self, node: int) -> bool:
        """Return whether the results of all moves at a node are proved, with all their parts."""
        first = self.first[node]
        for child in range(first, first + self.child_counts[node]):
            if not self._is_done(child):
                return False
        return self.child_counts[node] > 0 or self.proofs[node] != 0

    def _is_done(self, child: int) -> bool:
        """Return whether a node is proved, and so are the parts that can complete its move."""
        if not self.proofs[child]:
            return False
        begun = self.child_counts[child] > 0 and self.movers[child] == self.root.mover
        return not begun or self._all_proved(child)

    def _simulate(self) -> int:
        """Walk down to a leaf, play on from there, and update all nodes on the way."""
        board = self.board
        board.copy_from(self.root)
        node = depth = 0
        self.path[0] = 0
        while True:
            if not self.child_counts[node]:
                few = self.visits[node] < self.expand_visits
                if self.even_share > 0 and depth < 3 and self.deciders[depth] == self.root.mover:
                    # A grade needs all replies: a move, of one or two parts, may lose at once.
                    few = False
                if (node and few) or depth == DEEPEST - 1:
                    break
                self._expand(node)
                if self.proofs[node] or not self.child_counts[node]:
                    break
            decider = self.deciders[depth]
            depth = depth + 1
            self.deciders[depth] = board.mover
            if board.outcome >= 0:
                node = self._child(node, board.outcome)
            elif (
                self.even_share
                and (depth == 1 or self.proofs[node])
                and (child := self._neglected(node))
            ):
                node = child
            elif self.informed:
                node = self._select_puct(node, decider)
            else:
                node = self._select_ucb(node)
            board.play(self.moves[node])
            self.path[depth] = node
        proof = self.proofs[node]
        if proof:
            board.share_out(proof)
        else:
            board.play_out(self.rng, self.informed)
        while True:
            node = self.path[depth]
            self.visits[node] += 1
            self.scores[node] += board.shares[self.deciders[depth]]
            if proof:
                self.proofs[node] = proof
            if depth == 0:
                return 0
            depth = depth - 1
            if proof:
                proof = self._proof_of(self.path[depth], proof)

    def _proof_of(self, node: int, proof: int) -> int:
        """Return the result that a proved child proves for its node, 0 for none.

        If a lost player only chooses which opponent wins, nothing is proved.
        """
        if proof == self.movers[node] + 1:
            return proof
        first = self.first[node]
        for child in range(first, first + self.child_counts[node]):
            other = self.proofs[child]
            if not other:
                return 0
            if other > self.root.players:
                proof = other
            elif proof != other and proof <= self.root.players:
                proof = 0
        return proof

    def _neglected(self, node: int) -> int:
        """Return a node's least visited open child if it lacks its even share of visits, or 0."""
        best = 0
        count = self.child_counts[node]
        fewest = self.even_share * self.visits[node] / count
        first = self.first[node]
        for child in range(first, first + count):
            if self._is_done(child) or (self.hidden and not self.board.allows(self.moves[child])):
                continue
            if self.visits[child] < fewest:
                fewest = self.visits[child]
                best = child
        return best

    def _select_ucb(self, node: int) -> int:
        """Return the child with the highest upper confidence bound (UCB1)."""
        best = first = self.first[node]
        most = -1.0
        factor = self.exploration * self.exploration * math.log(self.visits[node] + 1.0)
        for child in range(first, first + self.child_counts[node]):
            if self.proofs[child] or (self.hidden and not self.board.allows(self.moves[child])):
                continue
            visits = self.visits[child]
            if visits:
                score = self.scores[child]
                value = score / visits + math.sqrt(factor / visits)
            else:
                # Unvisited children come first, in random order.
                value = UNVISITED + (self.rng.draw() >> 40)
            if value > most:
                most = value
                best = child
        return best

    def _select_puct(self, node: int, decider: int) -> int:
        """Return the child with the highest PUCT value; `decider` moved to the node."""
        best = first = self.first[node]
        most = -UNVISITED
        total = self.visits[node]
        expected = 1.0 / self.root.players
        if total:
            expected = self.scores[node] / total
            if self.movers[node] != decider:
                expected = (1.0 - expected) / (self.root.players - 1)
            expected = expected - self.fpu_reduction
        factor = self.exploration * math.sqrt(total + 1.0)
        for child in range(first, first + self.child_counts[node]):
            if self.proofs[child] or (self.hidden and not self.board.allows(self.moves[child])):
                continue
            visits = self.visits[child]
            score = self.scores[child]
            value = score / visits if visits else expected
            value = value + factor * self.priors[child] / (visits + 1.0)
            if value > most:
                most = value
                best = child
        return best

    def _expand(self, node: int) -> int:
        """Add a node's children unless memory is full; prove ended games and immediate wins."""
        board = self.board
        if self.used + MOST_CHILDREN > self.capacity:
            if self.capacity >= MOST_NODES:
                return 0
            self._grow(self.capacity * 2)
        count = board.expand(self.after, self.informed)
        if not count:
            self.proofs[node] = board.ended
            return 0
        total = 0.0
        first = self.used
        for index in range(count):
            child = first + index
            self.moves[child] = board.moves[index]
            self.priors[child] = board.weights[index]
            self.proofs[child] = board.results[index]
            total = total + board.weights[index]
            if board.results[index] == board.mover + 1:
                self.proofs[node] = board.mover + 1
        if self.informed:
            for child in range(first, first + count):
                self.priors[child] = self.priors[child] / total
        self.first[node] = first
        self.child_counts[node] = count
        # A move of chance belongs to no player.
        self.movers[node] = board.mover if board.outcome < 0 else board.players
        self.used = first + count
        return 0

    def _grow(self, capacity: int) -> int:
        """Grow the arrays through bytes: compiled code would copy an array element by element."""
        more = capacity - self.capacity
        self.first = array("I", bytes(memoryview(self.first)) + bytes(4 * more))
        self.visits = array("I", bytes(memoryview(self.visits)) + bytes(4 * more))
        self.child_counts = array("H", bytes(memoryview(self.child_counts)) + bytes(2 * more))
        self.moves = array("H", bytes(memoryview(self.moves)) + bytes(2 * more))
        self.movers = array("B", bytes(memoryview(self.movers)) + bytes(more))
        self.proofs = array("b", bytes(memoryview(self.proofs)) + bytes(more))
        self.scores = array("f", bytes(memoryview(self.scores)) + bytes(4 * more))
        self.priors = array("f", bytes(memoryview(self.priors)) + bytes(4 * more))
        self.capacity = capacity
        return 0
