"""The plates of a board: that they fit each other, what they carry, and that they hold together."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from hal.geometry import Point
from hal.profile import built_in, built_in_names
from hardware.kit.circuit.circuit import Connector
from hardware.kit.circuit.outlines import whole_outline
from hardware.kit.drawing import Area, Circle, Drawing, Label, Path
from hardware.kit.electric.chain import Kind, Piece, pieces
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.places import places
from hardware.kit.plates.base import base
from hardware.kit.plates.chambers import WALL_MM, chambers, edge_of, light_holes, lone_lights, lying
from hardware.kit.plates.holes import Holes, holes
from hardware.kit.plates.laser import carrier, cover, diffuser, surround
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import plug_of
from hardware.kit.plates.walls import Layer, Level, Walls, walls, walls_of
from hardware.kit.plates.wire_holes import wire_holes
from tests.helpers.kits.boards import layout_of, layout_of_profile, permuted
from tests.helpers.kits.connectors import connectors_of, tile_connectors_of
from tests.helpers.kits.regions import copper_of, labels_of, marks_of, nearest_mm, region_of

# The others have the same parts at the same places, but chips elsewhere.
BOARDS = ("disc-32", "hexagon-37", "hexagon-61", "rectangle-88")
boards = pytest.mark.parametrize("name", BOARDS)

PLATES: dict[str, Callable[[Layout], Drawing]] = {
    "cover": cover,
    "diffuser": diffuser,
    "carrier": carrier,
    "surround": lambda layout: surround(layout, whole_outline(layout)),
    "walls-lower": lambda layout: drawn_walls(layout, Level.LOWER),
    "walls-upper": lambda layout: drawn_walls(layout, Level.UPPER),
    "base": lambda layout: drawn_base(layout),
}
APART_MM = 3.0
Connectors = tuple[Connector, ...]
NO_CONNECTORS: Connectors = ()
WAYS: dict[str, Callable[[str], Connectors]] = {
    "foil": lambda name: NO_CONNECTORS,
    "circuit": connectors_of,
    "tiles": tile_connectors_of,
}
ways = pytest.mark.parametrize("way", WAYS)
# Here a connector of a tile comes so near to a pixel that its wall ends beside it.
NARROW = ("disc-32", "hexagon-37")


def drawn_walls(layout: Layout, level: Level, connectors: Connectors = ()) -> Drawing:
    return walls(layout, walls_of(layout, holes(layout, connectors), connectors), level)


def drawn_base(layout: Layout, connectors: Connectors = ()) -> Drawing:
    found = holes(layout, connectors)
    return base(layout, found, walls_of(layout, found, connectors))


@cache
def stand_of(name: str, way: str = "foil") -> tuple[Holes, Walls]:
    connectors = WAYS[way](name)
    found = holes(layout_of(name), connectors)
    return found, walls_of(layout_of(name), found, connectors)


def layer_of(name: str, level: Level, way: str = "foil") -> Layer:
    return stand_of(name, way)[1][level]


@cache
def plate_of(plate: str, board: str) -> Drawing:
    return PLATES[plate](layout_of(board))


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
@pytest.mark.parametrize("plate", ["cover", "diffuser"])
def test_cover_has_holes_for_buttons_and_screws_and_nothing_else(plate: str, name: str) -> None:
    layout = layout_of(name)
    drawing = plate_of(plate, name)

    assert circles(drawing, 12.2) == [button.at for button in layout.buttons.values()]
    assert len(drawing.marks) == 1 + len(layout.screws) + len(layout.buttons)


@boards
def test_carrier_lets_light_and_wires_and_buttons_through(name: str) -> None:
    layout = layout_of(name)
    drawing = carrier(layout)

    lights = circles(drawing, layout.geometry.hole_mm)
    assert set(lights) == {light.at for light in layout.lights}
    assert circles(drawing, 2.0) == list(copper_of(name).wires)
    assert circles(drawing, 12.2) == [button.at for button in layout.buttons.values()]
    for sensor in layout.sensors.values():
        assert (sensor.at in lights) is sensor.lit


@boards
def test_surround_leaves_the_circuit_room_and_keeps_the_other_lights(name: str) -> None:
    layout = layout_of(name)
    edge = Region.of(whole_outline(layout))
    drawing = surround(layout, whole_outline(layout))

    openings = [
        region_of(mark.shape)
        for mark in marks_of(drawing, "cut")[1:]
        if isinstance(mark.shape, Path)
    ]
    assert Region.joined(openings).covers(edge.grown(0.9))
    assert set(circles(drawing, layout.geometry.hole_mm)) == set(lone_lights(layout).values())
    assert set(light_holes(layout)) >= set(lone_lights(layout).values())


@boards
@pytest.mark.parametrize("level", Level)
@ways
def test_walls_are_open_above_each_pixel_and_nowhere_thin(
    way: str, level: Level, name: str
) -> None:
    layout = layout_of(name)
    layer = layer_of(name, level, way)

    drawing = drawn_walls(layout, level, WAYS[way](name))
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
def test_upper_walls_hold_together_where_no_connector_parts_them(name: str) -> None:
    assert not layer_of(name, Level.UPPER).loose.pieces


@boards
def test_upper_walls_keep_the_light_of_each_cell_to_itself(name: str) -> None:
    layout = layout_of(name)
    frame = layer_of(name, Level.UPPER).frame
    at = [light.at for light in layout.lights]

    for number, here in enumerate(at):
        for there in (place for place in at[:number] if place.distance(here) < 60):
            assert frame.meets(Region.bar(here, there, 0.2))


@boards
@ways
def test_lower_walls_stand_on_no_strip_no_pixel_and_no_hole_of_the_base(
    way: str, name: str
) -> None:
    layout, connectors = layout_of(name), WAYS[way](name)
    standing = layer_of(name, Level.LOWER, way).both
    below = drawn_base(layout, connectors)

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


@boards
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
@ways
def test_upper_walls_stand_on_the_lower_ones_and_keep_light_above_strips(
    way: str, name: str
) -> None:
    layout = layout_of(name)
    lower, upper = layer_of(name, Level.LOWER, way), layer_of(name, Level.UPPER, way)

    assert upper.both.grown(0.01).covers(lower.both)
    for piece in upper.loose.pieces:
        assert (piece & lower.both).size_mm2 >= 25
    # Walls go on above each strip; but what connectors part has nothing to stand on there.
    plugs = Region.joined(plug_of(each) for each in WAYS[way](name))
    whole = layer_of(name, Level.UPPER).frame
    crossed = Region.joined(lying(piece) for piece in pieces(layout)) & whole
    assert crossed.size_mm2 > (0 if name == "disc-32" else 100)
    gaps = (crossed - upper.both).grown(-0.05)
    assert all(gap.distance(plugs) < 9 for gap in gaps.pieces)


@boards
@ways
def test_upper_walls_open_no_cell_to_another_nor_to_the_wires_of_a_circuit(
    way: str, name: str
) -> None:
    layout = layout_of(name)
    openings = Region.box(layout.box) - layer_of(name, Level.UPPER, way).both
    pads = {each.at for each in layout.sensors.values()}
    plugs = [plug_of(each) for each in WAYS[way](name)]
    walls = layer_of(name, Level.UPPER).both

    for piece in openings.pieces:
        inside = [at for at in pads if piece.contains(at)]
        assert len(inside) <= 1, inside
        parting = [plug for plug in plugs if plug.meets(walls) and piece.meets(plug)]
        assert len(inside) + len(parting) <= 1 or name in NARROW, inside


@boards
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("way", ["circuit", "tiles"])
def test_walls_give_way_to_connectors_and_hold_together(way: str, level: Level, name: str) -> None:
    layout, connectors = layout_of(name), WAYS[way](name)
    frame, loose = (layer := layer_of(name, level, way)).frame, layer.loose
    screws = Region.joined(Region.disc(at, 8.2) for at in layout.screws)

    assert len(connectors) >= 2
    for connector in connectors:
        assert not layer.both.meets(plug_of(connector).grown(-0.05) - screws)
    assert not frame.meets(loose)
    drawn = drawn_walls(layout, level, connectors)
    solid = Region.box(layout.box)
    for piece in loose.areas:
        for ring in (piece.outline, *piece.holes):
            assert Path(ring, closed=True) in [mark.shape for mark in drawn.marks]
        solid = solid - Region.of(piece.outline)
    assert (frame - solid).size_mm2 == 0


@boards
def test_base_has_a_hole_right_below_each_wire(name: str) -> None:
    assert circles(plate_of("base", name), 3.0) == list(copper_of(name).wires)


@boards
@pytest.mark.parametrize("way", ["circuit", "tiles"])
def test_base_has_a_slot_below_each_connector(way: str, name: str) -> None:
    layout, connectors = layout_of(name), WAYS[way](name)
    drawing = drawn_base(layout, connectors)

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


@boards
def test_base_shows_each_pixel_with_its_number_and_direction(name: str) -> None:
    layout = layout_of(name)
    _check_pixels(layout, plate_of("base", name))


def test_base_follows_a_permuted_chain() -> None:
    layout = layout_of_profile(permuted(built_in("hexagon-37"), seed=3))
    _check_pixels(layout, drawn_base(layout))


def _check_pixels(layout: Layout, drawing: Drawing) -> None:
    numbers = [label for label in _on(drawing, "engrave") if label.text.isdigit()]
    paths = [mark.shape for mark in marks_of(drawing, "engrave") if isinstance(mark.shape, Path)]
    arrows = [path.points for path in paths if not path.closed]
    faces = [region_of(path) for path in paths if path.closed and len(path.points) == 4]
    at = {light.pixel: light.at for light in layout.lights}
    assert sorted(int(label.text) for label in numbers) == sorted(at)
    for label in numbers:
        here = at[int(label.text)]
        near = min(at.values(), key=lambda place: place.distance(label.at))
        assert near == here, f"{label.text} is nearest to its own pixel"
        assert any(face.contains(here) for face in faces)
        following = at.get(int(label.text) + 1)
        (arrow,) = (
            points for points in arrows if _middle(points[0], points[1]).distance(here) < 0.1
        )
        if following is not None:
            ahead = (arrow[1].x - arrow[0].x, arrow[1].y - arrow[0].y)
            if here in {piece.places[-1] for piece in pieces(layout) if len(piece.places) > 1}:
                continue
            assert ahead[0] * (following.x - here.x) + ahead[1] * (following.y - here.y) > 0


def _middle(one: Point, other: Point) -> Point:
    return Point((one.x + other.x) / 2, (one.y + other.y) / 2)


def _on(drawing: Drawing, layer: str) -> list[Label]:
    return [mark.shape for mark in marks_of(drawing, layer) if isinstance(mark.shape, Label)]


@boards
def test_base_names_what_is_underneath_within_its_place(name: str) -> None:
    layout = layout_of(name)
    drawing = plate_of("base", name)

    names = {label.text: region_of(label) for label in _on(drawing, "underside")}
    buttons = {button.at for button in layout.buttons.values()}
    for part, place in places(layout).items():
        if place.at in buttons:
            assert part not in names
        else:
            assert Region.box(place.box).covers(names[part])


@pytest.mark.parametrize("name", built_in_names())
def test_base_names_no_part_beyond_its_box(name: str) -> None:
    layout = layout_of(name)
    drawing = drawn_base(layout)
    buttons = {button.at for button in layout.buttons.values()}
    lines = {label.text: region_of(label) for label in _on(drawing, "underside")}

    for part, place in places(layout).items():
        if place.at in buttons:
            continue
        own = [text for text in lines if part.startswith(text) or part.endswith(text)]
        assert sum(len(text) + 1 for text in own) == len(part) + 1
        for text in own:
            assert Region.box(place.box).covers(lines[text]), text


@boards
@pytest.mark.parametrize("way", ["circuit", "tiles"])
def test_base_names_each_slot_beside_it(way: str, name: str) -> None:
    connectors = WAYS[way](name)
    drawing = drawn_base(layout_of(name), connectors)
    slots = {slot.connector: slot.region for slot in stand_of(name, way)[0].slots}

    assert set(slots) == {each.name for each in connectors}
    for connector in slots:
        (label,) = (each for each in _on(drawing, "engrave") if each.text == connector)
        written = region_of(label)
        nearest = min(slots, key=lambda other: slots[other].distance(written))
        assert nearest == connector
        assert written.distance(slots[connector]) < 12
    texts = [region_of(label) for label in labels_of(drawing)]
    assert nearest_mm(texts) > 0
    holes = Region.joined(cuts(drawing))
    assert not any(holes.meets(text) for text in texts)


@boards
def test_base_writes_nothing_over_holes_or_other_words(name: str) -> None:
    drawing = plate_of("base", name)
    texts = [region_of(label) for label in labels_of(drawing)]

    assert nearest_mm(texts) > 0
    holes = Region.joined(cuts(drawing))
    assert not any(holes.meets(text) for text in texts)


@pytest.mark.parametrize("name", sorted(set(built_in_names()) - set(BOARDS)))
def test_plates_can_be_made_of_the_other_boards_too(name: str) -> None:
    layout = layout_of(name)

    for plate, draw in PLATES.items():
        drawing = draw(layout)
        assert not any(isinstance(mark.shape, Area) for mark in drawing.marks), plate


def test_base_refuses_a_board_where_the_wires_of_a_pixel_have_no_room() -> None:
    layout = layout_of("hexagon-61")
    narrow = replace(layout.box, left=-172.0)

    with pytest.raises(KitError, match=r"wires of pixel 70 find no place .* allowed"):
        wire_holes(replace(layout, box=narrow, buttons={}, screws=()))
