"""The sensing layer cut in tiles."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations
from types import MappingProxyType

import pytest
from shapely import Point as Spot
from shapely import Polygon, union_all

from hal.geometry import Point
from hal.profile import built_in, built_in_names
from hardware.kit.circuit import plan
from hardware.kit.circuit.circuit import EDGE_MM, GROUND, Circuit
from hardware.kit.circuit.problem import Problem, Routing
from hardware.kit.circuit.tiling import GAP_MM, Tile, cut
from hardware.kit.errors import KitError
from hardware.kit.layout import BUTTON_MM, Layout
from tests.helpers.kits.boards import layout_of, layout_of_profile, permuted

KINDS = ("hexagon-61", "hexagon-37", "disc-32", "rectangle-88")
MOST_MM = 100.0


@cache
def tiles_of(name: str, most_mm: float = MOST_MM) -> tuple[Tile, ...]:
    return cut(layout_of(name), most_mm)


def shapes(tiles: Iterable[Tile]) -> list[Polygon]:
    return [Polygon(tile.outline) for tile in tiles]


def resized(name: str, **measures: float) -> Layout:
    """Give a board that ships other measures, all else in its place."""
    profile = built_in(name)
    assert profile.geometry is not None
    return layout_of_profile(replace(profile, geometry=replace(profile.geometry, **measures)))


@pytest.fixture
def unrouted(monkeypatch: pytest.MonkeyPatch) -> None:
    def route(_problem: Problem) -> Routing:
        return Routing((), ())

    monkeypatch.setattr(plan, "route", route)


def test_tiles_are_tested_on_every_kind_of_board() -> None:
    kinds = {name.removesuffix("-pico").removesuffix("-mux") for name in built_in_names()}
    assert kinds == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("most_mm", [MOST_MM, 72.0])
def test_tiles_carry_every_pad_once_in_the_order_of_the_board(name: str, most_mm: float) -> None:
    tiles = tiles_of(name, most_mm)
    order = list(layout_of(name).sensors)
    assert sorted(order) == sorted(pad for tile in tiles for pad in tile.names)
    for tile in tiles:
        assert list(tile.names) == [pad for pad in order if pad in tile.names]
    firsts = [order.index(tile.names[0]) for tile in tiles]
    assert firsts == sorted(firsts)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("most_mm", [MOST_MM, 72.0])
def test_tiles_fit_into_what_makers_take(name: str, most_mm: float) -> None:
    for shape in shapes(tiles_of(name, most_mm)):
        left, bottom, right, top = shape.bounds
        assert max(right - left, top - bottom) <= most_mm


@pytest.mark.parametrize(
    ("name", "most"), [("hexagon-61", 11), ("hexagon-37", 7), ("disc-32", 14), ("rectangle-88", 12)]
)
def test_tiles_are_few(name: str, most: int) -> None:
    assert len(tiles_of(name)) <= most


@pytest.mark.parametrize("name", KINDS)
def test_tile_edges_are_one_ring_counter_clockwise(name: str) -> None:
    for tile in tiles_of(name):
        shape = Polygon(tile.outline)
        assert shape.is_valid
        assert shape.exterior.is_ccw
        assert tile.outline[0] != tile.outline[-1]


@pytest.mark.parametrize("name", KINDS)
def test_tiles_leave_a_small_gap_between_them(name: str) -> None:
    made = shapes(tiles_of(name))
    near = [d for one, other in combinations(made, 2) if (d := one.distance(other)) < 3]
    assert near, "no two tiles are side by side"
    assert min(near) >= GAP_MM - 0.02
    assert min(near) <= GAP_MM + 0.02


@pytest.mark.parametrize("name", ["hexagon-61", "hexagon-37", "rectangle-88"])
def test_tiles_cover_all_cells_but_for_the_gaps(name: str) -> None:
    layout = layout_of(name)
    covered = union_all([shape.buffer(GAP_MM) for shape in shapes(tiles_of(name))])
    for cell in layout.cells.values():
        outside = Polygon(cell.outline).difference(covered)
        assert outside.area < 1.5, cell.name


@pytest.mark.parametrize("name", KINDS)
def test_tiles_have_room_for_every_guard(name: str) -> None:
    layout = layout_of(name)
    radius = layout.geometry.guard_outer_mm / 2
    for tile in tiles_of(name):
        edge = Polygon(tile.outline).exterior
        for pad in tile.names:
            assert Polygon(tile.outline).contains(Spot(layout.sensors[pad].at))
            assert edge.distance(Spot(layout.sensors[pad].at)) >= radius + EDGE_MM


@pytest.mark.parametrize("name", KINDS)
def test_tiles_hang_together_by_more_than_a_thread(name: str) -> None:
    for tile in tiles_of(name):
        assert isinstance(Polygon(tile.outline).buffer(-4), Polygon), tile.names


@pytest.mark.parametrize("name", KINDS)
def test_tiles_leave_room_for_what_stands_beside_them(name: str) -> None:
    layout = layout_of(name)
    pads = {sensor.at for sensor in layout.sensors.values()}
    for shape in shapes(tiles_of(name)):
        for button in layout.buttons.values():
            assert shape.distance(Spot(button.at)) >= BUTTON_MM / 2 - 0.1
        for light in layout.lights:
            assert light.at in pads or shape.distance(Spot(light.at)) >= 5.9
        for screw in layout.screws:
            assert shape.distance(Spot(screw)) >= 3.5


def test_tiles_of_one_cell_each_when_no_two_fit() -> None:
    tiles = cut(layout_of("rectangle-88"), 40.0)
    assert [tile.names for tile in tiles] == [(name,) for name in layout_of("rectangle-88").sensors]


@pytest.mark.parametrize(("most_mm", "most"), [(66.3, 1), (66.4, 4)])
def test_tiles_are_as_large_as_they_may(most_mm: float, most: int) -> None:
    assert max(len(tile.names) for tile in tiles_of("rectangle-88", most_mm)) == most


def test_tile_too_small_for_a_cell_is_an_error_that_names_it() -> None:
    with pytest.raises(
        KitError, match=r"a1 takes 33\.\d x 38\.\d mm: allowed is a tile of 36 x 36"
    ):
        cut(layout_of("hexagon-61"), 36.0)


def test_tile_too_small_for_a_guard_is_an_error_that_names_its_pad() -> None:
    with pytest.raises(KitError, match=r"guard of A1 has an outer diameter of 32\.5 mm"):
        cut(resized("rectangle-88", pad_mm=22.5), MOST_MM)


@pytest.mark.parametrize("name", KINDS)
def test_tiles_are_the_same_however_the_board_is_wired(name: str) -> None:
    other = layout_of_profile(permuted(built_in(name), 3))
    assert cut(other, MOST_MM) == tiles_of(name)


def part_of(name: str, *pads: str) -> Layout:
    layout = layout_of(name)
    return replace(
        layout,
        cells=MappingProxyType({n: layout.cells[n] for n in layout.cells if n in pads}),
        sensors=MappingProxyType({n: layout.sensors[n] for n in layout.sensors if n in pads}),
        lights=(),
    )


def test_tiles_of_a_few_cells_are_one() -> None:
    names = ("e4", "e5", "e6", "d4", "d5", "f4", "f5")
    (tile,) = cut(part_of("hexagon-61", *names), MOST_MM)
    assert set(tile.names) == set(names)


def test_tiles_do_not_join_cells_by_their_corners() -> None:
    tiles = cut(part_of("rectangle-88", "A1", "B2"), MOST_MM)
    assert [tile.names for tile in tiles] == [("A1",), ("B2",)]


def test_tiles_join_a_key_to_its_cell_by_a_broad_neck() -> None:
    (tile,) = cut(part_of("hexagon-61", "c1", "choice1"), MOST_MM)
    assert isinstance(Polygon(tile.outline).buffer(-10), Polygon)


@pytest.mark.usefixtures("unrouted")
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", [None, 1])
def test_circuits_of_tiles_have_a_pin_for_each_pad_and_ground_last(
    name: str, seed: int | None
) -> None:
    profile = built_in(name) if seed is None else permuted(built_in(name), seed)
    layout = layout_of_profile(profile)
    circuits = plan.tiles(layout)
    for number, (circuit, tile) in enumerate(zip(circuits, tiles_of(name), strict=True), 1):
        assert circuit.name == f"{name}-t{number}"
        assert circuit.outline == tile.outline
        (connector,) = circuit.connectors
        assert connector.name == f"T{number}"
        assert [pin.net for pin in connector.pins] == [*tile.names, GROUND]
        assert [pin.number for pin in connector.pins] == list(range(1, len(tile.names) + 2))


def pad_places(circuits: Iterable[Circuit]) -> dict[str, tuple[Point, float]]:
    return {pad.net: (pad.at, pad.hole_mm) for circuit in circuits for pad in circuit.pads}


@pytest.mark.usefixtures("unrouted")
@pytest.mark.parametrize("name", KINDS)
def test_circuits_of_tiles_are_together_in_the_places_of_the_whole(name: str) -> None:
    layout = layout_of(name)
    whole, tiles = plan.whole(layout), plan.tiles(layout)
    assert pad_places(tiles) == pad_places([whole])
    assert {g for tile in tiles for g in tile.guards} == set(whole.guards)
    assert {hole for tile in tiles for hole in tile.holes} == set(whole.holes)
