"""The plates of a board for a laser cutter: cover, diffuser, carrier, surround.

Owns how they are cut, and what walls and base begin with. All have the same edge and the same
screws. Layers: "cut" goes through, "engrave" is for orientation and may be left out.
"""

from hal.geometry import Point
from hardware.kit.drawing import Anchor, Circle, Drawing, Label, Path, Points, Style
from hardware.kit.layout import Layout
from hardware.kit.plates.chambers import (
    BUTTON_HOLE_MM,
    SCREW_HOLE_MM,
    WALL_MM,
    edge_of,
    light_holes,
)
from hardware.kit.plates.copper import WIRE_HOLE_MM, copper
from hardware.kit.plates.regions import Region

CUT = Style("cut", stroke="#e00000", width_mm=0.1)
ENGRAVE = Style("engrave", stroke="#000000", width_mm=0.1)
WORDS = Style("engrave", stroke=None, fill="#007a00")
_LEAST_PIECE_MM2 = 25.0
_BETWEEN_MM = 0.5
"""Between two pieces that hung together by a neck."""
_AROUND_MM = 1.0
"""Between the edge of a printed circuit and its surround."""


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
    at = Point(layout.box.left + 13, layout.box.bottom + 4.5)
    return Label(f"{layout.profile.name}: {words}", at, 3.0, Anchor.START)


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
    drawing = plate(layout, "carrier", BUTTON_HOLE_MM, words)
    drawing.add(CUT, *(Circle(at, geometry.hole_mm) for at in light_holes(layout)))
    drawing.add(CUT, *(Circle(at, WIRE_HOLE_MM) for at in copper(layout).wires))
    drawing.add(ENGRAVE, *(Circle(s.at, geometry.pad_mm) for s in layout.sensors.values()))
    return drawing


def surround(layout: Layout, *edges: Points) -> Drawing:
    """Draw what fills the level of printed circuits beside them.

    Each of the circuits fits into it whose edges are given: one in one piece, and tiles.
    """
    words = "surround of the circuit, as thick as it"
    drawing = plate(layout, "surround", BUTTON_HOLE_MM, words)
    whole = Region.box(layout.box)
    parts = Region.joined(Region.of(edge).grown(_AROUND_MM, round_corners=False) for edge in edges)
    # Between tiles there is no room for a web.
    opening = parts.grown(_AROUND_MM).grown(-_AROUND_MM)
    # The circuit has notches around screws, in which the surround goes on.
    screws = Region.joined(Region.disc(at, SCREW_HOLE_MM + 3) for at in layout.screws)
    rest, _ = sturdy(whole - (opening - screws))
    drawing.add(CUT, *(Path(area.outline, closed=True) for area in (whole - rest).areas))
    hole = layout.geometry.hole_mm
    drawing.add(CUT, *(Circle(at, hole) for at in light_holes(layout) if rest.contains(at)))
    return drawing


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
