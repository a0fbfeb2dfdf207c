"""What the router is made of: its search, its grid and its space, each against another truth."""

from itertools import pairwise
from math import inf, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from shapely.geometry import LineString
from shapely.geometry import Point as Place

from hal.geometry import Point
from hardware.kit.circuit.circuit import GROUND, Hole, Side
from hardware.kit.circuit.grid import ANYBODY, DIRECTIONS, LAYERS, NOBODY, Grid
from hardware.kit.circuit.router import Bar, Copper, Disc, Problem
from hardware.kit.circuit.search import AROUND, Field, find
from hardware.kit.circuit.smoothing import Run, Smoother
from hardware.kit.circuit.space import Line, Space, gap
from hardware.kit.circuit.traffic import Traffic
from hardware.kit.drawing import Box
from tests.helpers.kits.routed_boards import BOTTOM, TOP, Piece, gap_of, piece_of

COLUMNS, ROWS = 6, 5
SIZE = COLUMNS * ROWS

numbers = some.floats(-12, 12).map(lambda number: round(number, 2))
points = some.builds(Point, numbers, numbers)
shapes = some.one_of(
    some.builds(Disc, points, some.just(0.0), some.floats(0.5, 9)),
    some.builds(Disc, points, some.floats(6, 12), some.floats(13, 18)),
    some.builds(Bar, points, some.floats(0.3, 9), some.floats(0.3, 9)),
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(start=points, end=points, shape=shapes)
def test_space_measures_gaps_as_shapely_does(start: Point, end: Point, shape: Disc | Bar) -> None:
    core = Place(start) if start == end else LineString([start, end])
    true = gap_of(Piece("a", Side.TOP, core, 0.125), piece_of("b", Side.TOP, shape))
    ours = gap(Line(start, end, 0.25), shape)
    assert max(ours, 0.0) == pytest.approx(max(true, 0.0), abs=1e-6)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(ends=some.tuples(points, points, points, points))
def test_space_measures_between_tracks_as_shapely_does(ends: tuple[Point, ...]) -> None:
    one, other = LineString(ends[:2]), LineString(ends[2:])
    ours = gap(Line(ends[0], ends[1], 0.25), Line(ends[2], ends[3], 0.25))
    assert ours == pytest.approx(one.distance(other) - 0.25, abs=1e-6)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(shape=shapes, step_mm=some.sampled_from([1.27, 0.635]))
def test_grid_allows_the_steps_and_vias_that_keep_clearances(
    shape: Disc | Bar, step_mm: float
) -> None:
    board = Box(-13, -13, 13, 13).corners
    grid = Grid(Problem(board, (Copper("a", TOP, shape),), ()), step_mm)
    copper = piece_of("a", Side.TOP, shape)
    tight = 1e-6
    for node in range(0, grid.rows * grid.columns, 7):
        row, column = divmod(node, grid.columns)
        here = grid.point(node)
        for direction, (across, up) in enumerate(DIRECTIONS):
            there = here.moved(across * step_mm, up * step_mm)
            core = LineString([here, there])
            inside = max(abs(value) for value in (*here, *there)) - (13 - 0.5 - 0.125)
            if abs(inside) < 1e-3:
                continue
            apart = gap_of(Piece("b", Side.TOP, core, 0.125), copper) - 0.25
            owner, below = grid.steps[direction, :, row, column]
            assert (below == NOBODY) == (inside > 0)
            if inside < 0 and abs(apart) > tight:
                assert owner == (grid.nets["a"] if apart < 0 else ANYBODY)
        inside = max(abs(value) for value in here) - (13 - 0.5 - 0.4)
        apart = gap_of(Piece("b", Side.TOP, Place(here), 0.4), copper) - 0.25
        if inside < -1e-3 and abs(apart) > tight:
            solder = NOBODY if isinstance(shape, Bar) else grid.nets["a"]
            assert grid.vias[row, column] == (solder if apart < 0 else ANYBODY)


def _steps_across(grid: Grid, place: Point) -> list[int]:
    """List whose the steps upward are that pass a place, on the top."""
    row, column = divmod(grid.nearest(place), grid.columns)
    return [int(grid.steps[2, 0, row - 1, column]), int(grid.steps[2, 0, row, column])]


def test_grid_sees_a_bar_that_is_thinner_than_a_step() -> None:
    thin = Copper("a", TOP, Bar(Point(0, 0.635), 20.0, 0.1))
    grid = Grid(Problem(Box(-13, -13, 13, 13).corners, (thin,), ()), 1.27)
    grid_below = Grid(
        Problem(
            Box(-13, -13, 13, 13).corners,
            (thin, *(Copper("", BOTTOM, Bar(Point(0, 2.54 * n), 1, 1)) for n in (-1, 0, 1))),
            (),
        ),
        1.27,
    )
    for each in (grid, grid_below):
        assert each.nets["a"] in _steps_across(each, Point(0, 0.635))


def test_grid_lets_nobody_between_two_nets_that_are_near_to_each_other() -> None:
    pair = [Copper(net, TOP, Disc(Point(x, 0), 0.0, 4.0)) for net, x in (("a", -2.1), ("b", 2.1))]
    grid = Grid(Problem(Box(-13, -13, 13, 13).corners, tuple(pair), ()), 0.635)
    assert set(_steps_across(grid, Point(0, 0))) == {NOBODY}
    assert set(_steps_across(grid, Point(-2.1, 0))) == {grid.nets["a"]}


def test_grid_leaves_what_a_guard_surrounds_to_its_pad() -> None:
    at = Point(0, 0)
    guarded = Copper("a", TOP, Disc(at, 0.0, 8.0)), Copper(GROUND, TOP, Disc(at, 14.0, 18.0))
    grid = Grid(Problem(Box(-13, -13, 13, 13).corners, guarded, ()), 0.635)
    gap = grid.nearest(Point(5.5, 0))
    row, column = divmod(gap, grid.columns)
    assert grid.vias[row, column] == grid.nets["a"]
    assert (grid.steps[:, 0, row, column] == grid.nets["a"]).all()
    assert (grid.steps[:, 1, row, column] == ANYBODY).all()


def _wandered(chance: Random, grid: Grid) -> list[int]:
    """Make a way of some steps about the middle of a grid, with vias."""
    row, column = grid.rows // 2 + chance.randint(-2, 2), grid.columns // 2 + chance.randint(-2, 2)
    layer = chance.randint(0, 1)
    way = [(layer * grid.rows + row) * grid.columns + column]
    for _ in range(chance.randint(1, 4)):
        if chance.random() < 0.3:
            layer = 1 - layer
        else:
            across, up = chance.choice(AROUND)
            row, column = row + up, column + across
        way.append((layer * grid.rows + row) * grid.columns + column)
    return way


def _pieces(net: str, way: list[int], grid: Grid) -> list[Piece]:
    size = grid.rows * grid.columns
    pieces = []
    for start, end in pairwise(way):
        a, b = grid.point(start), grid.point(end)
        if a == b:
            pieces += [Piece(net, side, Place(a), 0.4) for side in Side]
        else:
            pieces.append(Piece(net, LAYERS[start // size], LineString([a, b]), 0.125))
    return pieces


@pytest.mark.parametrize("step_mm", [1.27, 0.635])
def test_traffic_sees_all_ways_that_are_too_near(step_mm: float) -> None:
    grid = Grid(Problem(Box(-9, -9, 9, 9).corners, (), ()), step_mm)
    chance = Random(7)
    seen = 0
    for _ in range(1500):
        ways = {"a": _wandered(chance, grid), "b": _wandered(chance, grid)}
        traffic = Traffic(grid)
        for net, way in ways.items():
            traffic.put(net, way)
        crowds = any(traffic.crowds(net, way) for net, way in ways.items())
        a, b = (_pieces(net, way, grid) for net, way in ways.items())
        near = any(gap_of(p, q) < 0.25 - 1e-6 for p in a for q in b if p.side is q.side)
        seen += near
        assert crowds or not near
        # Only a diagonal past a corner of the finer grid may be seen as nearer than it is.
        assert near or not crowds or step_mm < 1
        for net, way in ways.items():
            traffic.take(net, way)
            assert not traffic.crowds("c", way) or net == "a"
    assert 100 < seen < 1400


def _open_field(step_mm: float = 1.27) -> tuple[Grid, tuple[Copper, Copper]]:
    """Set up a grid on which nothing is but two pins of a net "c", far from its middle."""
    pins = tuple(Copper("c", BOTTOM, Bar(Point(x, -7), 1.0, 1.0)) for x in (-6, 6))
    return Grid(Problem(Box(-9, -9, 9, 9).corners, pins, ()), step_mm), (pins[0], pins[1])


def test_traffic_makes_places_of_past_crowds_dearer_until_it_forgets_them() -> None:
    grid, pins = _open_field()
    traffic = Traffic(grid)
    before = traffic.field(*pins, grid.whole, 1.0)
    node = grid.nearest(Point(0, 3))
    for times in (1, 2):
        traffic.remember([node])
        now = traffic.field(*pins, grid.whole, 1.0)
        dearer = {n for n, price in enumerate(now.prices) if price != before.prices[n]}
        assert dearer == {node}
        assert now.prices[node] == pytest.approx((1 + times) * before.prices[node])
        assert {n for n, price in enumerate(now.vias) if price != before.vias[n]} == {node}
        assert now.vias[node] == pytest.approx((1 + times) * before.vias[node])
    traffic.forget()
    assert traffic.field(*pins, grid.whole, 1.0) == before


def test_traffic_makes_a_node_dearer_for_each_way_of_others_that_is_there() -> None:
    grid, pins = _open_field()
    traffic = Traffic(grid)
    before = traffic.field(*pins, grid.whole, 3.0)
    node = grid.nearest(Point(0, 3))
    way = [node - 1, node, node + 1]
    for others, net in enumerate(("a", "b", "a"), start=1):
        traffic.put(net, way)
        now = traffic.field(*pins, grid.whole, 3.0)
        assert now.prices[node] == pytest.approx((1 + 3 * others) * before.prices[node])
    assert traffic.crowds("a", way) == way
    traffic.take("b", way)
    # Two ways of a net are not in each other's way, and one that goes leaves the other.
    assert traffic.crowds("a", way) == []
    assert traffic.crowds("c", way) == way
    traffic.take("a", way)
    assert traffic.crowds("c", way) == way
    traffic.take("a", way)
    assert traffic.field(*pins, grid.whole, 3.0) == before


def test_traffic_makes_vias_dearer_once_for_each_way_that_passes() -> None:
    grid, pins = _open_field(0.635)
    traffic = Traffic(grid)
    before = traffic.field(*pins, grid.whole, 3.0)
    node = grid.nearest(Point(0, 3))
    traffic.put("a", [node - 1, node, node + 1, node + 2 + grid.columns])
    now = traffic.field(*pins, grid.whole, 3.0)
    dearer = {n for n, price in enumerate(now.vias) if price != before.vias[n]}
    # A via of 0.8 mm keeps 0.25 mm from a track of 0.25 mm: one step is too near, a diagonal not.
    up = grid.columns
    assert dearer == {
        *range(node - 2, node + 3),
        *range(node - up - 1, node - up + 2),
        node + 2 * up + 2,
        *range(node + up - 1, node + up + 4),
    }
    assert all(now.vias[n] == pytest.approx(4 * before.vias[n]) for n in dearer)


def test_traffic_shows_no_vias_right_beside_vias_of_the_same_net() -> None:
    # Their holes would be 0.235 mm apart: allowed are 0.5.
    pins = tuple(Copper(GROUND, BOTTOM, Bar(Point(x, 0), 1.5, 1.5)) for x in (-6, 6))
    grid = Grid(Problem(Box(-9, -9, 9, 9).corners, pins, ()), 0.635)
    traffic = Traffic(grid)
    node = grid.nearest(Point(0, 3))
    traffic.put(GROUND, [node, node + grid.rows * grid.columns])
    vias = traffic.field(*pins, grid.whole, 1.0).vias
    assert vias[node] < inf
    assert vias[node + 1] == vias[node - 1] == vias[node + grid.columns + 1] == inf
    assert vias[node + 2] < inf


def test_grid_keeps_off_holes_on_both_layers() -> None:
    board = Problem(Box(-13, -13, 13, 13).corners, (), (Hole(Point(0, 0), 4.0),))
    grid = Grid(board, 1.27)
    for node in range(grid.rows * grid.columns):
        row, column = divmod(node, grid.columns)
        away = grid.point(node).distance(Point(0, 0))
        if away < 2 + 0.5 + 0.125:
            assert (grid.steps[:, :, row, column] == NOBODY).all()
        if away < 9:
            assert (grid.vias[row, column] == NOBODY) == (away < 2 + 0.5 + 0.4)


def test_grid_begins_where_the_middles_of_most_pins_lie_on_it() -> None:
    pins = [Copper("a", BOTTOM, Bar(Point(0.4 + 2.54 * n, 0.9), 1.5, 1.5)) for n in range(4)]
    odd = Copper("b", BOTTOM, Bar(Point(3.0, 5.0), 1.5, 1.5))
    grid = Grid(Problem(Box(-10, -10, 20, 20).corners, (odd, *pins), ()), 1.27)
    at = pins[2].shape.at
    assert grid.point(grid.nearest(at)).distance(at) < 1e-3


def _cheapest(field: Field) -> float:
    """Find the price of the cheapest way by relaxing all steps until nothing changes."""
    best = [inf] * len(field.prices)
    for node in field.starts:
        best[node] = 0.0
    changed = True
    while changed:
        changed = False
        for node, here in enumerate(best):
            if here == inf:
                continue
            for there, price in _steps(field, node):
                if here + price < best[there] - 1e-12:
                    best[there], changed = here + price, True
    return min((best[node] for node, goal in enumerate(field.goals) if goal), default=inf)


def _steps(field: Field, node: int) -> list[tuple[int, float]]:
    steps = []
    for bit, (across, up) in enumerate(AROUND):
        if field.moves[node] >> bit & 1:
            there = node + up * COLUMNS + across
            price = field.prices[there]
            if across and up:
                price = (
                    price * sqrt(2) + field.squares[node + min(up, 0) * COLUMNS + min(across, 0)]
                )
            steps.append((there, price))
    return [*steps, ((node + SIZE) % (2 * SIZE), field.vias[node % SIZE])]


def _price(field: Field, way: list[int]) -> float:
    total = 0.0
    for start, end in pairwise(way):
        total += min(price for there, price in _steps(field, start) if there == end)
    return total


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=some.data())
def test_search_finds_the_cheapest_way(data: some.DataObject) -> None:
    def listed(values: some.SearchStrategy[float], count: int) -> list[float]:
        return data.draw(some.lists(values, min_size=count, max_size=count))

    moves = []
    for node, allowed in enumerate(listed(some.integers(0, 255), 2 * SIZE)):
        row, column = divmod(node % SIZE, COLUMNS)
        within = [0 <= row + up < ROWS and 0 <= column + across < COLUMNS for across, up in AROUND]
        moves.append(int(allowed) & sum(1 << bit for bit, may in enumerate(within) if may))
    field = Field(
        COLUMNS,
        moves,
        listed(some.sampled_from([1.0, 1.5, 3.0, 9.0]), 2 * SIZE),
        listed(some.sampled_from([2.0, 6.0, inf]), SIZE),
        listed(some.sampled_from([0.0, 0.0, 4.0]), 2 * SIZE),
        [data.draw(some.integers(0, 2 * SIZE - 1))],
        [node in data.draw(some.just({3, SIZE + 9})) for node in range(2 * SIZE)],
        [0.0] * (2 * SIZE),
    )
    way = find(field)
    cheapest = _cheapest(field)
    if way is None:
        assert cheapest == inf
    else:
        assert way[0] in field.starts
        assert field.goals[way[-1]]
        assert _price(field, way) == pytest.approx(cheapest)


STAIRS = tuple(Point(n // 2, (n + 1) // 2) for n in range(20))


def smoother(*coppers: Copper) -> Smoother:
    space = Space(Problem(Box(-9, -9, 30, 30).corners, coppers, ()))
    return Smoother(space, lambda net, side, at: 1.0)


def test_smoothing_makes_stairs_a_diagonal() -> None:
    smooth = smoother().smooth("a", Run(Side.BOTTOM, STAIRS))
    assert (smooth.points[0], smooth.points[-1]) == (STAIRS[0], STAIRS[-1])
    assert len(smooth.points) <= 3


def test_smoothing_keeps_clear_of_other_nets_only() -> None:
    corner = (Point(0, 0), Point(10, 0), Point(10, 10))
    for net, points in (("a", 2), ("b", 3)):
        for side, count in ((BOTTOM, points), (TOP, 2)):
            there = Copper(net, side, Disc(Point(5, 5), 0.0, 6.0))
            assert len(smoother(there).smooth("a", Run(Side.BOTTOM, corner)).points) == count


def test_smoothing_never_makes_a_way_dearer() -> None:
    corner = (Point(0, 0), Point(10, 0), Point(10, 10))
    space = Space(Problem(Box(-9, -9, 30, 30).corners, (), ()))
    dear = Smoother(space, lambda net, side, at: 5.0 if at.distance(Point(5, 5)) < 3 else 1.0)
    assert dear.smooth("a", Run(Side.BOTTOM, corner)).points == corner


def test_smoothing_joins_discs_by_a_straight_line() -> None:
    a = Copper(GROUND, TOP, Disc(Point(0, 0), 4.0, 6.0))
    b = Copper(GROUND, TOP, Disc(Point(6, 8), 4.0, 6.0))
    run = Run(Side.TOP, (Point(2, 2), Point(2, 6), Point(4, 8)))
    straight = smoother(a, b).straightened(run, a, b)
    assert straight.points == (Point(1.56, 2.08), Point(4.44, 5.92))
    assert smoother(a, b).straightened(Run(Side.BOTTOM, run.points), a, b).side is Side.BOTTOM
    between = Copper("a", TOP, Disc(Point(3, 4), 0.0, 1.0))
    assert smoother(a, b, between).straightened(run, a, b) is run
