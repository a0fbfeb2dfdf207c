"""Routes on a grid: found, apart from each other, and only where they may run."""

from itertools import combinations

from shapely import LineString, Point, unary_union
from shapely.geometry.base import BaseGeometry

from hardware.board.routes import Net, Router, Way

COLUMNS, ROWS = 40, 30
AREA = COLUMNS * ROWS
TRACK, VIA = 0.5, 1.5
"""Widths in steps of the grid; the least gap is three eighths of a step."""


def at(x: int, y: int, layer: int = 0) -> int:
    return layer * AREA + y * COLUMNS + x


def place(node: int) -> tuple[int, int]:
    """Return where a node is drawn, with the layers far from each other."""
    return node % COLUMNS + node // AREA * 10 * COLUMNS, node % AREA // COLUMNS


def costs(*layers: int) -> bytearray:
    """Return the cost of each point: one factor per layer, and a forbidden rim."""
    cost = bytearray(len(layers) * AREA)
    for layer, factor in enumerate(layers):
        for y in range(1, ROWS - 1):
            cost[at(1, y, layer) : at(COLUMNS - 1, y, layer)] = bytes([factor]) * (COLUMNS - 2)
    return cost


VIAS = bytes(costs(1))


def net(name: str, *ends: int, cost: bytearray | None = None) -> Net:
    return Net(name, tuple(frozenset({end}) for end in ends), cost or costs(1, 1), {}, VIAS)


def route(*nets: Net) -> tuple[dict[str, Way], set[str]]:
    return Router(COLUMNS, ROWS, 2).route(nets)


def copper(way: Way) -> BaseGeometry:
    """Return all that a way draws."""
    drawn = [line for line in way.lines if line[1:]]
    lines = [LineString(map(place, line)).buffer(TRACK / 2) for line in drawn]
    vias = [Point(place(at + n * AREA)).buffer(VIA / 2) for at in way.vias for n in range(2)]
    return unary_union(lines + vias)


def joined(way: Way, start: int, end: int) -> bool:
    """Return whether lines and vias lead from one node to another."""
    seen, todo = {start}, [start]
    while todo:
        node = todo.pop()
        near = {n for line in way.lines if node in line for n in line}
        if node % AREA in way.vias:
            near |= {node % AREA, node % AREA + AREA}
        todo += near - seen
        seen |= near
    return end in seen


def test_crowd_in_a_narrow_place_is_spread_over_layers_and_lanes():
    cost = costs(1, 1)
    for y in [*range(1, 12), *range(16, ROWS - 1)]:
        for layer in range(2):
            cost[at(20, y, layer)] = cost[at(21, y, layer)] = 0
    nets = [net(f"n{k}", at(5, 4 + 3 * k), at(34, 25 - 3 * k), cost=cost) for k in range(7)]
    ways, failed = route(*nets)
    assert not failed
    for k in range(7):
        assert joined(ways[f"n{k}"], at(5, 4 + 3 * k), at(34, 25 - 3 * k))
    for one, other in combinations(ways.values(), 2):
        assert copper(one).distance(copper(other)) >= 0.375
    again = route(*nets)[0]
    assert {k: way.lines for k, way in ways.items()} == {k: way.lines for k, way in again.items()}


def test_net_of_several_pads_is_one_tree():
    ends = [at(5, 5), at(30, 6), at(18, 24)]
    ways, failed = route(net("a", *ends))
    assert not failed
    assert all(joined(ways["a"], ends[0], end) for end in ends)
    # Shorter than two separate routes from the first pad.
    assert len(ways["a"].centre) < 25 + 1 + 24


def test_drop_ends_in_a_via_where_one_fits():
    fits = bytearray(AREA)
    fits[at(12, 9)] = 1
    net_ = Net("p", (frozenset({at(10, 9)}),), costs(1, 1), {}, fits, drop=True)
    ways, failed = route(net_)
    assert not failed
    assert ways["p"].vias == {at(12, 9)}


def test_nodes_of_ones_own_are_for_that_net_alone():
    cost = costs(1, 0)
    for y in range(1, ROWS - 1):
        cost[at(20, y)] = 0
    gate = {at(20, 14): 1}
    mine = Net("a", (frozenset({at(10, 14)}), frozenset({at(30, 14)})), cost, gate, VIAS)
    ways, failed = route(mine, net("b", at(10, 20), at(30, 20), cost=cost))
    assert failed == {"b"}
    assert at(20, 14) in ways["a"].centre
