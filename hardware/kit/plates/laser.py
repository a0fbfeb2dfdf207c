"""The plates of a board for a laser cutter: cover, diffuser, carrier, surround.

Owns how they are cut, and what walls and base begin with. All have the same edge and the same
screws. Layers: "cut" goes through, "engrave" is for orientation and may be left out.
"""

from collections.abc import Iterator
from dataclasses import replace

from hal.profile.geometry import Point
from hardware.kit.drawing import Anchor, Box, Circle, Drawing, Label, Path, Points, Style
from hardware.kit.electric.sensing import BOARD_MM
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.plates.chambers import (
    BUTTON_HOLE_MM,
    SCREW_HOLE_MM,
    WALL_MM,
    edge_of,
    light_holes,
)
from hardware.kit.plates.copper import WIRE_HOLE_MM, copper
from hardware.kit.plates.lettering import corners
from hardware.kit.plates.regions import Region

CUT = Style("cut", stroke="#e00000", width_mm=0.1)
ENGRAVE = Style("engrave", stroke="#000000", width_mm=0.1)
WORDS = Style("engrave", stroke=None, fill="#007a00")
_LEAST_PIECE_MM2 = 25.0
_BETWEEN_MM = 0.5
"""Between two pieces that hung together by a neck."""
AROUND_MM = 1.0
"""Between the edge of a printed circuit and its surround."""
_INSET_MM = 4.5
_WORDS_MM, _WORDS_STEP_MM, _CLEAR_MM = 3.0, 1.0, 1.0


def plate(layout: Layout, what: str, buttons_mm: float = 0.0, words: str = "") -> Drawing:
    """Begin a plate: its edge, screws, buttons if any, and words in its lower left corner."""
    drawing = Drawing(f"{layout.profile.title}: {what}", layout.box.grown(1))
    drawing.add(CUT, Path(edge_of(layout), closed=True))
    drawing.add(CUT, *(Circle(at, SCREW_HOLE_MM) for at in layout.screws))
    if buttons_mm:
        drawing.add(CUT, *(Circle(each.at, buttons_mm) for each in layout.buttons.values()))
    if words:
        drawing.add(WORDS, caption(layout, words))
    return drawing


def caption(layout: Layout, words: str) -> Label:
    """Write what a plate is in its lower left corner."""
    at = Point(layout.box.left + 13, layout.box.bottom + _INSET_MM)
    return Label(f"{layout.profile.name}: {words}", at, _WORDS_MM, Anchor.START)


def clear_caption(layout: Layout, words: str, room: Region) -> Label:
    """Write what a plate is near its edge, where no cut goes through the words.

    `room` is what is left of the plate. Raises KitError where there is no place for them.
    """
    free = room.grown(-_CLEAR_MM)
    label = caption(layout, words)
    for at, turn_deg in _along_edges(layout.box):
        moved = replace(label, at=at, turn_deg=turn_deg)
        if free.covers(Region.of(corners(moved))):
            return moved
    raise KitError(
        f'the words "{label.text}" find no place on their plate: allowed is a board with more'
        " margin_mm",
        "margin_mm",
    )


def _along_edges(box: Box) -> Iterator[tuple[Point, float]]:
    """Give where words may begin, and how they are turned: below, above, left and right."""
    across = int(box.width / _WORDS_STEP_MM)
    along = int(box.height / _WORDS_STEP_MM)
    for y in (box.bottom + _INSET_MM, box.top - _INSET_MM - _WORDS_MM):
        for step in range(across):
            yield Point(box.left + step * _WORDS_STEP_MM, y), 0.0
    for x in (box.left + _INSET_MM + _WORDS_MM, box.right - _INSET_MM):
        for step in range(along):
            yield Point(x, box.bottom + step * _WORDS_STEP_MM), 90.0


def cover(layout: Layout) -> Drawing:
    """Draw the clear cover: fingers touch through it, so it has holes for buttons and screws only.

    Nothing is engraved on it.
    """
    return plate(layout, "cover", BUTTON_HOLE_MM)


def diffuser(layout: Layout) -> Drawing:
    """Draw the sheet that spreads the light, under the print."""
    return plate(layout, "diffuser", BUTTON_HOLE_MM)


def carrier(layout: Layout) -> Drawing:
    """Draw the plate under copper of foil, with holes for light and for the wires of the pads."""
    geometry = layout.geometry
    words = f"carrier, {geometry.carrier_mm:g} mm"
    drawing = plate(layout, "carrier", BUTTON_HOLE_MM)
    lights, wires = light_holes(layout), copper(layout).wires
    drawing.add(CUT, *(Circle(at, geometry.hole_mm) for at in lights))
    drawing.add(CUT, *(Circle(at, WIRE_HOLE_MM) for at in wires))
    pierced = _pierced(layout) | Region.joined(
        (
            *(Region.disc(at, geometry.hole_mm) for at in lights),
            *(Region.disc(at, WIRE_HOLE_MM) for at in wires),
        )
    )
    drawing.add(WORDS, clear_caption(layout, words, Region.box(layout.box) - pierced))
    drawing.add(ENGRAVE, *(Circle(s.at, geometry.pad_mm) for s in layout.sensors.values()))
    return drawing


def surround(layout: Layout, *edges: Points) -> Drawing:
    """Draw what fills the level of printed circuits beside them.

    Each of the circuits fits into it whose edges are given: one in one piece, and tiles.
    """
    drawing = plate(layout, "surround", BUTTON_HOLE_MM)
    whole = Region.box(layout.box)
    parts = Region.joined(Region.of(edge).grown(AROUND_MM, round_corners=False) for edge in edges)
    # Between tiles there is no room for a web.
    opening = parts.grown(AROUND_MM).grown(-AROUND_MM)
    # The circuit has notches around screws, in which the surround goes on.
    screws = Region.joined(Region.disc(at, SCREW_HOLE_MM + 3) for at in layout.screws)
    rest, _ = sturdy(whole - (opening - screws))
    drawing.add(CUT, *(Path(area.outline, closed=True) for area in (whole - rest).areas))
    hole = layout.geometry.hole_mm
    lights = [at for at in light_holes(layout) if rest.contains(at)]
    drawing.add(CUT, *(Circle(at, hole) for at in lights))
    pierced = _pierced(layout) | Region.joined(Region.disc(at, hole) for at in lights)
    words = f"surround, {BOARD_MM:g} mm"
    drawing.add(WORDS, clear_caption(layout, words, rest - pierced))
    return drawing


def _pierced(layout: Layout) -> Region:
    """Give what screws and buttons take of a plate."""
    screws = [Region.disc(at, SCREW_HOLE_MM) for at in layout.screws]
    buttons = [Region.disc(each.at, BUTTON_HOLE_MM) for each in layout.buttons.values()]
    return Region.joined((*screws, *buttons))


def sturdy(walls: Region) -> tuple[Region, Region]:
    """Take away what is thinner than a wall, and part the rest: what holds together, and crumbs."""
    thin = WALL_MM * 0.45
    inside = Region.box(walls.extent)
    # The corners of the board stay sharp.
    walls = walls | (Region.box(walls.extent.grown(WALL_MM)) - inside)
    parted: list[Region] = []
    taken = Region.nothing()
    # What only a neck joins would break there, so it is parted before it is as wide again.
    for piece in walls.grown(-thin, round_corners=False).pieces:
        grown = (piece.grown(thin * 1.01) & walls) - taken
        if grown.size_mm2 > _LEAST_PIECE_MM2:
            parted.append(grown)
            taken = taken | grown.grown(_BETWEEN_MM)
    frame, *loose = parted
    return frame & inside, Region.joined(loose)
