"""Routes tracks on a grid by negotiated congestion (PathFinder: McMurchie and Ebeling, 1995).

A node is an index `(layer * rows + row) * columns + column`. One grid step is a track and a gap; a
via takes two steps.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise

STRAIGHT, DIAGONAL = 10, 14
EAGER = 15
"""Estimated cost of each remaining step: above the least cost, so that A* is faster and finds a
nearly optimal path."""
VIA = 60
"""Cost of a via, that of six steps: saves vias, but makes no long detours."""
ROUNDS = 60
DISCOURAGED = 60


@dataclass(frozen=True)
class Net:
    """A net to route, and the nodes that it may use.

    `groups` are sets of nodes: the way reaches one node of each. With `drop`, it also gets a via to
    a plane, where one fits best. `cost` has a factor for each node (0: forbidden), `own` the
    factors of nodes that only this net may use, `via` a flag for each column and row.
    """

    name: str
    groups: tuple[frozenset[int], ...]
    cost: Sequence[int]
    own: Mapping[int, int]
    via: Sequence[int]
    drop: bool = False


@dataclass
class Way:
    """The ways of a net: lines of nodes, each on one layer, and vias (nodes of layer 0)."""

    lines: list[list[int]] = field(default_factory=list)
    vias: set[int] = field(default_factory=set)
    centre: set[int] = field(default_factory=set)
    side: set[int] = field(default_factory=set)
    ring: set[int] = field(default_factory=set)


class Router:
    """Routes nets on a grid whose outermost rows and columns are forbidden in every `cost`."""

    def __init__(self, columns: int, rows: int, layers: int) -> None:
        self.columns, self.area, self.layers = columns, columns * rows, layers
        self._centre = [0] * (self.area * layers)
        self._side = [0] * (self.area * layers)
        self._ring = [0] * self.area
        self._past = [0] * (self.area * layers)
        self._ways: dict[str, Way] = {}
        c = columns
        self._around = (-1, 1, -c, c, -c - 1, -c + 1, c - 1, c + 1)

    def route(self, nets: Iterable[Net]) -> tuple[dict[str, Way], set[str]]:
        """Return the way of each net, and the names of nets that failed or still collide.

        A net that already has a way keeps it unless another net displaces it.
        """
        every = {net.name: net for net in nets}
        lost: set[str] = set()
        todo = [name for name in every if name not in self._ways]
        pressure = 10
        for _ in range(ROUNDS):
            for name in todo:
                self._claim(self._ways.pop(name, Way()), -1)
                way = self._join(every[name], pressure)
                if way is None:
                    lost.add(name)
                    continue
                self._ways[name] = way
                self._claim(way, 1)
            todo = [name for name, way in self._ways.items() if self._collides(way, pressure)]
            if not todo:
                break
            pressure = min(pressure * 5 // 4 + 5, 2000)
        return self._ways, lost | set(todo)

    def beside(self, node: int) -> Iterable[int]:
        """Return the four nearest nodes."""
        return [node + step for step in self._around[:4]]

    def bare(self, nodes: Iterable[int]) -> set[int]:
        """Return those of the nodes that no way uses, and that are next to no track."""
        return {node for node in nodes if not self._centre[node] and not self._side[node]}

    def discourage(self, nodes: Iterable[int]) -> None:
        """Raise the cost of nodes, and remove the ways there; `route` searches them again."""
        cut = set(nodes)
        for node in cut:
            self._past[node] += DISCOURAGED
        self.forget([name for name, way in self._ways.items() if way.centre & cut])

    def forget(self, names: Iterable[str]) -> None:
        """Remove the ways of some nets."""
        for name in names:
            self._claim(self._ways.pop(name, Way()), -1)

    def via_fits(self, node: int) -> bool:
        """Add a via of a new net if it is clear of all ways; return whether it was added."""
        layers = [node + layer * self.area for layer in range(self.layers)]
        near = [at + step for at in layers for step in (0, *self._around)]
        if self._ring[node] or any(self._centre[at] or self._side[at] for at in near):
            return False
        way = Way()
        self._add_via(way, node)
        self._claim(way, 1)
        return True

    def _claim(self, way: Way, sign: int) -> None:
        for counts, nodes in (
            (self._centre, way.centre),
            (self._side, way.side),
            (self._ring, way.ring),
        ):
            for node in nodes:
                counts[node] += sign

    def _collides(self, way: Way, pressure: int) -> bool:
        """Return whether a way is too near to another; raise the history cost there."""
        centre, side, past = self._centre, self._side, self._past
        found = False
        for node in way.centre:
            if centre[node] + side[node] > 1:
                past[node] += pressure // 2
                found = True
        for node in way.side:
            if centre[node]:
                past[node] += pressure // 4
                found = True
        for node in way.vias:
            if self._ring[node] > 1:
                for layer in range(self.layers):
                    past[node + layer * self.area] += pressure // 4
                found = True
        return found

    def _join(self, net: Net, pressure: int) -> Way | None:
        way = Way()
        tree = set(net.groups[0])
        # From near to far, so that the tree grows.
        rest = sorted(net.groups[1:], key=lambda group: self._far(net.groups[0], group))
        for group in rest:
            if not tree & group:
                path = self._path(net, way, tree, group, pressure)
                if path is None:
                    return None
                self._take(way, path)
                tree |= set(path)
            tree |= group
        if net.drop:
            path = self._path(net, way, tree, frozenset(), pressure, drop=True)
            if path is None:
                return None
            self._take(way, path)
            self._add_via(way, path[-1] % self.area)
        return way

    def _far(self, one: Iterable[int], other: Iterable[int]) -> int:
        c, area = self.columns, self.area
        a, b = min(one) % area, min(other) % area
        return abs(a // c - b // c) + abs(a % c - b % c)

    def _take(self, way: Way, path: list[int]) -> None:
        """Add a path to a way: its lines, its vias, and the nodes that they use."""
        area = self.area
        line = [path[0]]
        way.centre.add(path[0])
        for before, after in itertools.pairwise(path):
            step = after - before
            way.centre.add(after)
            if abs(step) >= area:
                way.lines.append(line)
                line = [after]
                self._add_via(way, after % area)
                continue
            line.append(after)
            if step not in self._around[:4]:
                row = self.columns if step > 0 else -self.columns
                way.side.update((before + row, after - row))
        way.lines.append(line)
        way.side -= way.centre

    def _add_via(self, way: Way, node: int) -> None:
        way.vias.add(node)
        way.ring.add(node)
        way.ring.update(node + step for step in self._around)
        for layer in range(self.layers):
            at = node + layer * self.area
            way.centre.add(at)
            way.side.update(at + step for step in self._around[:4])
        way.side -= way.centre

    def _path(
        self,
        net: Net,
        way: Way,
        sources: Iterable[int],
        targets: Iterable[int],
        pressure: int,
        drop: bool = False,
    ) -> list[int] | None:
        """Search for a path whose own vias are not too near to each other."""
        banned: set[int] = set()
        while path := self._search(net, way, sources, targets, pressure, drop, banned):
            flat = [node % self.area for node in path]
            holes = [one for one, other in pairwise(flat) if one == other]
            holes += flat[-1:] if drop else []
            near = [b for a, b in pairwise(holes) if b - a in self._around]
            if not near:
                break
            banned.update(near)
        return path

    def _search(
        self,
        net: Net,
        way: Way,
        sources: Iterable[int],
        targets: Iterable[int],
        pressure: int,
        drop: bool,
        banned: Collection[int],
    ) -> list[int] | None:
        """Search by A* from any source to any target; for a drop, to the best place of a via."""
        cost, own, via_fits = net.cost, net.own.get, net.via
        centre, side, ring, past = self._centre, self._side, self._ring, self._past
        c, area, layers = self.columns, self.area, self.layers
        goal = frozenset(targets)
        rest = self._estimate(goal)
        straight = ((-1), 1, -c, c)
        diagonal = ((-c - 1, -c, -1), (-c + 1, -c, 1), (c - 1, c, -1), (c + 1, c, 1))
        best: dict[int, int] = dict.fromkeys(sources, 0)
        came: dict[int, int] = {}
        heap = [(rest(node), 0, node) for node in best]
        heap.sort()
        done: set[int] = set()
        end = -1
        while heap:
            _, so_far, node = heappop(heap)
            if node in done:
                continue
            done.add(node)
            if node == end or node in goal:
                return self._trace(came, node if node != end else came[end])
            near: list[tuple[int, int]] = []
            for step in straight:
                to = node + step
                factor = cost[to] or own(to, 0)
                if factor:
                    more = STRAIGHT * factor + past[to]
                    if centre[to] or side[to]:
                        more += pressure * (centre[to] + side[to])
                    near.append((to, more))
            for step, one, other in diagonal:
                to = node + step
                factor = cost[to] or own(to, 0)
                beside, across = node + one, node + other
                if factor and (cost[beside] or own(beside, 0)) and (cost[across] or own(across, 0)):
                    more = DIAGONAL * factor + past[to]
                    crowd = centre[to] + side[to] + centre[beside] + centre[across]
                    if crowd:
                        # Add history too, or only the way that cannot move would pay it.
                        more += pressure * crowd + past[beside] + past[across]
                    near.append((to, more))
            flat = node % area
            fits = via_fits[flat] and flat not in banned
            if fits and (flat in way.vias or flat not in way.ring):
                more = VIA
                crowd = ring[flat]
                for layer in range(layers):
                    at = flat + layer * area
                    crowd += centre[at] + side[at]
                    for step in straight:
                        crowd += centre[at + step]
                more += pressure * crowd
                if drop:
                    near.append((end, more))
                else:
                    for layer in range(layers):
                        to = flat + layer * area
                        if to != node and (cost[to] or own(to, 0)):
                            near.append((to, more + past[to]))
            for to, more in near:
                total = so_far + more
                if total < best.get(to, 1 << 60):
                    best[to] = total
                    came[to] = node
                    heappush(heap, (total + (rest(to) if to >= 0 else 0), total, to))
        return None

    def _estimate(self, goal: Collection[int]) -> Callable[[int], int]:
        """Return the estimate of the cost from a node to the rectangle around the goal."""
        if not goal:
            return lambda node: 0
        c, area = self.columns, self.area
        columns, rows = [node % area % c for node in goal], [node % area // c for node in goal]
        left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)

        def rest(node: int) -> int:
            row, column = divmod(node % area, c)
            dx = left - column if column < left else column - right if column > right else 0
            dy = top - row if row < top else row - bottom if row > bottom else 0
            return EAGER * dx + dy * EAGER // 2 if dx > dy else EAGER * dy + dx * EAGER // 2

        return rest

    @staticmethod
    def _trace(came: dict[int, int], node: int) -> list[int]:
        path = [node]
        while path[-1] in came:
            path.append(came[path[-1]])
        return path[::-1]
