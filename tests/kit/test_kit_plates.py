"""The plates of a board: that they fit each other, what they carry, and that they hold together."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Connector
from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.circuit.tiling import cut
from hardware.kit.drawing import Circle, Drawing, Path
from hardware.kit.electric.chain import Kind, Piece, pieces
from hardware.kit.errors import KitError
from hardware.kit.plates.base import base
from hardware.kit.plates.chambers import WALL_MM, chambers, edge_of, lone_lights, lying
from hardware.kit.plates.holes import Holes, holes
from hardware.kit.plates.laser import carrier, cover, diffuser, surround
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import plug_of
from hardware.kit.plates.walls import Layer, Level, Walls, walls, walls_of
from hardware.kit.plates.wire_holes import wire_holes
from tests.helpers.kits.boards import KINDS, layout_of
from tests.helpers.kits.circuits import connectors_of, tile_connectors_of
from tests.helpers.kits.regions import copper_of, marks_of, nearest_mm, region_of

boards = pytest.mark.parametrize("name", KINDS)

PLATES = ("cover", "diffuser", "carrier", "surround", "walls-lower", "walls-upper", "base")
APART_MM = 3.0
Connectors = tuple[Connector, ...]
NO_CONNECTORS: Connectors = ()
WAYS: dict[str, Callable[[str], Connectors]] = {
    "foil": lambda name: NO_CONNECTORS,
    "circuit": connectors_of,
    "tiles": tile_connectors_of,
}
CIRCUITS = [("disc-32", "circuit"), ("rectangle-88", "circuit"), ("hexagon-37", "tiles")]
circuits = pytest.mark.parametrize(("name", "way"), CIRCUITS)
ways = pytest.mark.parametrize(("name", "way"), [*((name, "foil") for name in KINDS), *CIRCUITS])


@cache
def stand_of(name: str, way: str = "foil") -> tuple[Holes, Walls]:
    connectors = WAYS[way](name)
    found = holes(layout_of(name), connectors)
    return found, walls_of(layout_of(name), found, connectors)


def layer_of(name: str, level: Level, way: str = "foil") -> Layer:
    return stand_of(name, way)[1][level]


@cache
def plate_of(plate: str, name: str, way: str = "foil") -> Drawing:
    layout, (found, layers) = layout_of(name), stand_of(name, way)
    match plate:
        case "surround":
            return surround(layout, whole_outline(layout))
        case "walls-lower" | "walls-upper":
            return walls(layout, layers, Level(plate.removeprefix("walls-")))
        case "base":
            return base(layout, found, layers)
        case _:
            return {"cover": cover, "diffuser": diffuser, "carrier": carrier}[plate](layout)


def cuts(drawing: Drawing) -> list[Region]:
    """Give what is cut out of a plate: all lines but the edge, which comes first."""
    return [region_of(mark.shape) for mark in marks_of(drawing, "cut")[1:]]


def circles(drawing: Drawing, diameter_mm: float) -> list[Point]:
    shapes = (mark.shape for mark in marks_of(drawing, "cut"))
    return [s.centre for s in shapes if isinstance(s, Circle) and s.diameter_mm == diameter_mm]


@boards
@pytest.mark.parametrize("plate", PLATES)
def test_plates_have_one_edge_and_the_same_screws(plate: str, name: str) -> None:
    layout = layout_of(name)
    drawing = plate_of(plate, name)

    assert marks_of(drawing, "cut")[0].shape == Path(edge_of(layout), closed=True)
    assert circles(drawing, 3.2) == list(layout.screws)
    assert all(mark.style.name in {"cut", "engrave", "underside"} for mark in drawing.marks)


@boards
@pytest.mark.parametrize("plate", PLATES)
def test_plates_have_holes_inside_the_edge_and_apart_from_each_other(plate: str, name: str) -> None:
    layout = layout_of(name)
    holes = cuts(plate_of(plate, name))
    if plate == "walls-lower":
        # What is loose lies in an opening.
        loose = [Path(a.outline, closed=True) for a in layer_of(name, Level.LOWER).loose.areas]
        drawn = [mark.shape for mark in marks_of(plate_of(plate, name), "cut")[1:]]
        holes = [region_of(shape) for shape in drawn if shape not in loose]

    inside = Region.of(edge_of(layout)).grown(-APART_MM)
    assert all(inside.covers(hole) for hole in holes)
    least = WALL_MM - 0.01 if plate.startswith("walls") else APART_MM
    if plate == "walls-lower":
        # Where two ways of wires pass each other; what hangs on such a neck alone is parted.
        least = 0.3
    if plate == "surround":
        # A light may be near to the circuit, on the outside.
        least = 1.0
    assert nearest_mm(holes) >= least - 1e-6


@boards
def test_carrier_lets_light_and_wires_and_buttons_through(name: str) -> None:
    layout = layout_of(name)
    drawing = plate_of("carrier", name)

    lights = circles(drawing, layout.geometry.hole_mm)
    assert set(lights) == {light.at for light in layout.lights}
    assert circles(drawing, 2.0) == list(copper_of(name).wires)
    assert circles(drawing, 12.2) == [button.at for button in layout.buttons.values()]
    for sensor in layout.sensors.values():
        assert (sensor.at in lights) is sensor.lit


@boards
def test_surround_takes_a_circuit_in_one_piece_and_as_tiles_and_keeps_the_other_lights(
    name: str,
) -> None:
    layout = layout_of(name)
    outlines = [whole_outline(layout), *(tile.outline for tile in cut(layout, 100.0))]
    drawing = surround(layout, *outlines)
    room = max(cuts(drawing), key=lambda each: each.size_mm2)

    assert all(room.covers(Region.of(outline).grown(0.1)) for outline in outlines)
    assert set(circles(drawing, layout.geometry.hole_mm)) == set(lone_lights(layout).values())


@pytest.mark.parametrize("level", Level)
@ways
def test_walls_are_open_above_each_pixel_and_nowhere_thin(
    way: str, level: Level, name: str
) -> None:
    layout = layout_of(name)
    layer = layer_of(name, level, way)

    drawing = plate_of(f"walls-{level.value}", name, way)
    loose = Region.joined(region_of(Path(a.outline, closed=True)) for a in layer.loose.areas)
    opened = Region.joined(cuts(drawing)) - loose
    for light in layout.lights:
        assert opened.covers(Region.disc(light.at, 7.0))
    around = Region.joined(plug_of(each) for each in WAYS[way](name))
    # A wall around a connector, and what it cuts off from a cell.
    around = around.grown(WALL_MM + 10, round_corners=False)
    for name_, room in chambers(layout).items():
        assert not layer.both.meets(room.grown(-0.02) - around), name_
    # Half a wall taken off both sides leaves each of them in one piece.
    for piece in (layer.frame, *layer.loose.pieces):
        assert len(piece.grown(-WALL_MM / 2 + 0.1).pieces) == 1
        sound = piece.grown(-WALL_MM / 2 + 0.15).grown(WALL_MM / 2 - 0.1)
        thin = (piece & Region.of(edge_of(layout))) - sound
        assert thin.size_mm2 < 0.1


@boards
def test_upper_walls_keep_the_light_of_each_cell_to_itself(name: str) -> None:
    layout = layout_of(name)
    frame = layer_of(name, Level.UPPER).frame
    at = [light.at for light in layout.lights]

    for number, here in enumerate(at):
        for there in (place for place in at[:number] if place.distance(here) < 60):
            assert frame.meets(Region.bar(here, there, 0.2))


@ways
def test_lower_walls_stand_on_no_strip_no_pixel_and_no_hole_of_the_base(
    way: str, name: str
) -> None:
    layout = layout_of(name)
    standing = layer_of(name, Level.LOWER, way).both
    below = plate_of("base", name, way)

    screws = [Circle(at, 3.2) for at in layout.screws]
    cut = [mark.shape for mark in marks_of(below, "cut")[1:] if mark.shape not in screws]
    assert len(cut) >= 2 * len(pieces(layout)) + len(layout.buttons)
    assert not any(standing.meets(region_of(shape)) for shape in cut)
    for piece in pieces(layout):
        if piece.kind is Kind.SINGLE:
            lies = Region.disc(piece.places[0], 10)
        else:
            lies = lying(piece).grown(0.5, round_corners=False)
        assert not standing.meets(lies), piece.places[0]


def tips(piece: Piece) -> tuple[Point, Point]:
    """Give where the wires of a piece begin: 5 mm from the ends of a strip."""
    start, end = piece.places[0], piece.places[-1]
    if piece.kind is Kind.SINGLE:
        return start, end
    beyond = (piece.kind.spacing_mm / 2 - 5) / start.distance(end)
    x, y = (end.x - start.x) * beyond, (end.y - start.y) * beyond
    return start.moved(-x, -y), end.moved(x, y)


@ways
def test_lower_walls_leave_wires_a_way_to_their_holes(way: str, name: str) -> None:
    connectors = WAYS[way](name)
    found, layers = stand_of(name, way)
    standing = layers[Level.LOWER].both

    for number, piece in enumerate(pieces(layout_of(name))):
        for end, hole in zip(tips(piece), found.pixels[2 * number :][:2], strict=True):
            assert not standing.meets(Region.bar(end, hole, 5.0))
    for connector, slot in zip(connectors, found.slots, strict=True):
        plug, opening = plug_of(connector).extent, slot.box
        start, end = (
            Point((box.left + box.right) / 2, (box.bottom + box.top) / 2) for box in (plug, opening)
        )
        assert start == end or not standing.meets(Region.bar(start, end, 5.0))


@boards
def test_base_has_a_hole_right_below_each_wire(name: str) -> None:
    assert circles(plate_of("base", name), 3.0) == list(copper_of(name).wires)


@circuits
def test_base_has_a_slot_below_each_connector(way: str, name: str) -> None:
    layout, connectors = layout_of(name), WAYS[way](name)
    drawing = plate_of("base", name, way)

    slots = [mark.shape for mark in marks_of(drawing, "cut")[1:] if isinstance(mark.shape, Path)]
    assert len(slots) == len(connectors)
    for connector, slot in zip(connectors, slots, strict=True):
        there = region_of(slot)
        middle = there.extent
        x, y = (middle.left + middle.right) / 2, (middle.bottom + middle.top) / 2
        assert Point(x, y).distance(_middle(connector.pins[0].at, connector.pins[-1].at)) < 0.01
        sides = sorted((there.extent.width, there.extent.height))
        assert sides == pytest.approx([5, 1.27 * (len(connector.pins) + 2)], abs=0.01)
    assert not circles(drawing, 3.0)
    assert nearest_mm(cuts(drawing)) >= APART_MM - 1e-6
    strips = Region.joined(lying(piece) for piece in pieces(layout))
    assert not any(strips.meets(region_of(slot)) for slot in slots)
    loose = layer_of(name, Level.LOWER, way).loose
    engraved = [mark.shape for mark in marks_of(drawing, "engrave")]
    for piece in loose.areas:
        assert Path(piece.outline, closed=True) in engraved


@boards
def test_base_has_two_holes_for_the_wires_of_each_piece_of_the_chain(name: str) -> None:
    layout = layout_of(name)
    drawing = plate_of("base", name)
    chain = pieces(layout)
    holes = circles(drawing, 6.0)

    assert len(holes) == 2 * len(chain)
    for number, piece in enumerate(chain):
        first, last = holes[2 * number : 2 * number + 2]
        reach = max(piece.kind.spacing_mm / 2, 6.5) + 14
        assert piece.places[0].distance(first) < reach
        assert piece.places[-1].distance(last) < reach
        strip = lying(piece)
        assert not any(strip.meets(Region.disc(at, 6)) for at in holes)


def _middle(one: Point, other: Point) -> Point:
    return Point((one.x + other.x) / 2, (one.y + other.y) / 2)


def test_base_refuses_a_board_where_the_wires_of_a_pixel_have_no_room() -> None:
    layout = layout_of("hexagon-61")
    narrow = replace(layout.box, left=-172.0)

    with pytest.raises(KitError, match=r"wires of pixel 70 find no place .* allowed"):
        wire_holes(replace(layout, box=narrow, buttons={}, screws=()))
