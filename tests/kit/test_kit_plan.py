"""The sensing layer as printed circuits: what is on each, and that it agrees with the profile."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from shapely import Point as Spot
from shapely import Polygon, box, union_all

from hal.profile import Electrode, Profile, built_in
from hal.profile.geometry import Point
from hardware.kit.circuit import plan
from hardware.kit.circuit.circuit import EDGE_MM, GROUND, Circuit, Side
from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.circuit.problem import Problem, Routing
from hardware.kit.circuit.router import Bar, Copper, route
from hardware.kit.circuit.tiling import GAP_MM, Tile, cut
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.layout import BUTTON_MM, Layout
from tests.helpers.kits.boards import KINDS, VARIED, layout_of, layout_of_profile, permuted

NOTHING = Routing((), ())


@pytest.fixture
def no_router(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "route", lambda _problem: NOTHING)


@pytest.fixture(scope="module")
def boards() -> dict[str, tuple[Layout, Circuit]]:
    """Plan each kind of board as a whole, without tracks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "route", lambda _problem: NOTHING)
        return {name: (layout_of(name), plan.whole(layout_of(name))) for name in KINDS}


def wired(profile: Profile) -> dict[str, Electrode]:
    """List the electrode of each pad that a profile has."""
    keys = {name: key for name, key in profile.keys.items() if isinstance(key, Electrode)}
    return {**profile.cells, **keys}


@pytest.mark.usefixtures("no_router")
@pytest.mark.parametrize(
    ("name", "seed"),
    [*((name, None) for name in VARIED), ("hexagon-37", 1), ("disc-32", 2)],
)
def test_whole_circuit_agrees_with_the_profile(name: str, seed: int | None) -> None:
    profile = built_in(name) if seed is None else permuted(built_in(name), seed)
    circuit = plan.whole(layout_of_profile(profile))
    assert circuit.name == profile.name
    assert [each.name for each in circuit.connectors] == [f"J{c.name}" for c in profile.chips]
    found = {
        pin.net: Electrode(connector.name.removeprefix("J"), pin.number - 1)
        for connector in circuit.connectors
        for pin in connector.pins
        if pin.net not in ("", GROUND)
    }
    assert found == wired(profile)
    for connector in circuit.connectors:
        assert [pin.number for pin in connector.pins] == list(range(1, 14))
        assert connector.pins[-1].net == GROUND
        assert GROUND not in [pin.net for pin in connector.pins[:-1]]


@pytest.mark.parametrize("name", KINDS)
def test_whole_circuit_has_a_pad_guard_and_hole_for_each_sensor(
    name: str, boards: dict[str, tuple[Layout, Circuit]]
) -> None:
    layout, circuit = boards[name]
    geometry = layout.geometry
    assert {pad.net: pad.at for pad in circuit.pads} == {
        sensor.name: sensor.at for sensor in layout.sensors.values()
    }
    assert {pad.diameter_mm for pad in circuit.pads} == {geometry.pad_mm}
    assert [guard.at for guard in circuit.guards] == [pad.at for pad in circuit.pads]
    rings = {(guard.inner_mm, guard.outer_mm) for guard in circuit.guards}
    assert rings == {(geometry.guard_inner_mm, geometry.guard_outer_mm)}
    lit = {sensor.at for sensor in layout.sensors.values() if sensor.lit}
    assert {hole.at for hole in circuit.holes} == lit
    assert {hole.drill_mm for hole in circuit.holes} == {geometry.hole_mm}
    for pad in circuit.pads:
        assert pad.hole_mm == (geometry.hole_mm if pad.at in lit else 0)


@pytest.mark.parametrize("name", KINDS)
def test_whole_outline_is_a_ring_around_all_guards(name: str) -> None:
    layout = layout_of(name)
    outline = whole_outline(layout)
    shape = Polygon(outline)
    assert shape.is_valid
    assert shape.exterior.is_ccw
    radius = layout.geometry.guard_outer_mm / 2
    for sensor in layout.sensors.values():
        assert shape.contains(Spot(sensor.at))
        assert shape.exterior.distance(Spot(sensor.at)) >= radius + EDGE_MM
    board = layout.box
    assert box(board.left, board.bottom, board.right, board.top).contains(shape)


@pytest.mark.parametrize("name", KINDS)
def test_whole_outline_leaves_out_what_stands_beside_the_pads(name: str) -> None:
    layout = layout_of(name)
    shape = Polygon(whole_outline(layout))
    pads = {sensor.at for sensor in layout.sensors.values()}
    for button in layout.buttons.values():
        assert shape.distance(Spot(button.at)) >= BUTTON_MM / 2 - 0.1, button.name
    for light in layout.lights:
        assert light.at in pads or shape.distance(Spot(light.at)) >= 5.9, light.name
    for screw in layout.screws:
        assert shape.distance(Spot(screw)) >= 3.5


def test_whole_outline_without_room_is_an_error_that_names_a_pad() -> None:
    layout = layout_of("hexagon-61")
    beside = layout.sensors["e1"].at.moved(x=-16)
    lights = (*layout.lights, replace(layout.lights[0], name="extra.0", at=beside))
    with pytest.raises(KitError, match="the guard of e1"):
        whole_outline(replace(layout, lights=lights))


def pin(net: str, x: float, y: float) -> Copper:
    return Copper(net, frozenset({Side.BOTTOM}), Bar(Point(x, y), 1.5, 1.5))


def wall(x: float, low: float, high: float) -> Copper:
    middle = Point(x, (low + high) / 2)
    return Copper("", frozenset(Side), Bar(middle, 2.0, high - low))


def problem(*coppers: Copper) -> Problem:
    return Problem(Box(0, 0, 30, 20).corners, coppers, ())


PAIR = problem(pin("a", 5, 5), pin("a", 25, 5))


@pytest.mark.parametrize("gap_mm", [0.0, 0.7])
def test_router_names_the_net_that_has_no_way(gap_mm: float) -> None:
    halves = wall(15, -1, 10 - gap_mm / 2), wall(15, 10 + gap_mm / 2, 21)
    board = problem(pin("b", 3, 15), pin("b", 10, 15), *PAIR.coppers, *halves)
    with pytest.raises(KitError, match=r'"a".*allowed'):
        route(board)


def test_router_names_nets_for_which_there_is_no_room_together() -> None:
    # Three nets, and a gap for one track on each side.
    pins = [pin(net, x, y) for net, y in (("a", 5.0), ("b", 15.0), ("c", 10.0)) for x in (5, 25)]
    board = problem(*pins, wall(15, -1, 9.5), wall(15, 10.5, 21))
    with pytest.raises(KitError, match=r'"[abc]", "[abc]".*allowed'):
        route(board)


@cache
def cut_of(name: str, most_mm: float = plan.MOST_MM) -> tuple[Tile, ...]:
    return cut(layout_of(name), most_mm)


def shapes(tiles: Iterable[Tile]) -> list[Polygon]:
    return [Polygon(tile.outline) for tile in tiles]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("most_mm", [plan.MOST_MM, 72.0])
def test_tiles_carry_every_pad_once_in_the_order_of_the_board(name: str, most_mm: float) -> None:
    tiles = cut_of(name, most_mm)
    order = list(layout_of(name).sensors)
    assert sorted(order) == sorted(pad for tile in tiles for pad in tile.names)
    for tile in tiles:
        assert list(tile.names) == [pad for pad in order if pad in tile.names]
    firsts = [order.index(tile.names[0]) for tile in tiles]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("most_mm", [plan.MOST_MM, 72.0])
def test_tiles_fit_into_what_makers_take(name: str, most_mm: float) -> None:
    for shape in shapes(cut_of(name, most_mm)):
        left, bottom, right, top = shape.bounds
        assert max(right - left, top - bottom) <= most_mm


@pytest.mark.parametrize("name", KINDS)
def test_tiles_leave_a_small_gap_between_them(name: str) -> None:
    made = shapes(cut_of(name))
    near = [d for one, other in combinations(made, 2) if (d := one.distance(other)) < 3]
    assert near, "no two tiles are side by side"
    assert min(near) >= GAP_MM - 0.02
    assert min(near) <= GAP_MM + 0.02


@pytest.mark.parametrize("name", ["hexagon-61", "hexagon-37", "rectangle-88"])
def test_tiles_cover_all_cells_but_for_the_gaps(name: str) -> None:
    layout = layout_of(name)
    covered = union_all([shape.buffer(GAP_MM) for shape in shapes(cut_of(name))])
    for cell in layout.cells.values():
        outside = Polygon(cell.outline).difference(covered)
        assert outside.area < 1.5, cell.name


@pytest.mark.parametrize("name", KINDS)
def test_tiles_have_room_for_every_guard(name: str) -> None:
    layout = layout_of(name)
    radius = layout.geometry.guard_outer_mm / 2
    for tile in cut_of(name):
        edge = Polygon(tile.outline).exterior
        for pad in tile.names:
            assert Polygon(tile.outline).contains(Spot(layout.sensors[pad].at))
            assert edge.distance(Spot(layout.sensors[pad].at)) >= radius + EDGE_MM


def test_tile_too_small_for_a_cell_is_an_error_that_names_it() -> None:
    with pytest.raises(
        KitError, match=r"a1 takes 33\.\d x 38\.\d mm: allowed is a tile of 36 x 36"
    ):
        cut(layout_of("hexagon-61"), 36.0)


@pytest.mark.usefixtures("no_router")
@pytest.mark.parametrize(
    ("name", "seed"), [("hexagon-37", None), ("disc-32", 1), ("rectangle-88", None)]
)
def test_circuits_of_tiles_have_a_pin_for_each_pad_and_ground_last(
    name: str, seed: int | None
) -> None:
    profile = built_in(name) if seed is None else permuted(built_in(name), seed)
    layout = layout_of_profile(profile)
    circuits = plan.tiles(layout)
    for number, (circuit, tile) in enumerate(zip(circuits, cut_of(name), strict=True), 1):
        assert circuit.name == f"{name}-t{number}"
        assert circuit.outline == tile.outline
        (connector,) = circuit.connectors
        assert connector.name == f"T{number}"
        assert [pin.net for pin in connector.pins] == [*tile.names, GROUND]
        assert [pin.number for pin in connector.pins] == list(range(1, len(tile.names) + 2))


def pad_places(circuits: Iterable[Circuit]) -> dict[str, tuple[Point, float]]:
    return {pad.net: (pad.at, pad.hole_mm) for circuit in circuits for pad in circuit.pads}


@pytest.mark.usefixtures("no_router")
@pytest.mark.parametrize("name", ["hexagon-37", "disc-32"])
def test_circuits_of_tiles_are_together_in_the_places_of_the_whole(name: str) -> None:
    layout = layout_of(name)
    whole, tiles = plan.whole(layout), plan.tiles(layout)
    assert pad_places(tiles) == pad_places([whole])
    assert {g for tile in tiles for g in tile.guards} == set(whole.guards)
    assert {hole for tile in tiles for hole in tile.holes} == set(whole.holes)
