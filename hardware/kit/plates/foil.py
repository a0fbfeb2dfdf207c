"""The template for a sensing layer of foil or copper tape, at its true size.

Owns how it is drawn. What copper there is and where, `copper` says. Its layers: "cut" are closed
lines for a knife or a plotter, "drill" holes that also go through the carrier, "name" texts, "edge"
the board's edge, along which the sheet is cut and by which it is laid on the carrier.
"""

from hal.profile.geometry import Point
from hardware.kit.drawing import Anchor, Box, Circle, Drawing, Label, Path, Style
from hardware.kit.layout import Layout, Sensor
from hardware.kit.plates.chambers import BUTTON_HOLE_MM, SCREW_HOLE_MM, edge_of, light_holes
from hardware.kit.plates.copper import WIRE_HOLE_MM, copper
from hardware.kit.plates.lettering import width_mm

_PAD = Style("cut", stroke="#b3261e", width_mm=0.15, fill="#f0c9a4")
_GUARD = Style("cut", stroke="#b3261e", width_mm=0.15, fill="#d5dbe1")
_DRILL = Style("drill", stroke="#1f5fa8", width_mm=0.15)
_EDGE = Style("edge", stroke="#333333", width_mm=0.2, dashed=True)
_NAME = Style("name", stroke=None, fill="#222222")
_LEGEND_MM = 24.0
_TEXT_MM = 3.2


def foil(layout: Layout) -> Drawing:
    """Draw the template; raises KitError where copper, wires and walls have no room together."""
    box = layout.box
    below = Box(box.left, box.bottom - _LEGEND_MM, box.right, box.top).grown(1)
    drawing = Drawing(f"{layout.profile.title}: foil", below)
    sheet = copper(layout)
    drawing.add(_GUARD, *sheet.guards.areas)
    for pad in sheet.pads.values():
        drawing.add(_PAD, *pad.region.areas)
    drawing.add(_EDGE, Path(edge_of(layout), closed=True))
    drawing.add(_DRILL, *(Circle(at, SCREW_HOLE_MM) for at in layout.screws))
    drawing.add(_DRILL, *(Circle(each.at, BUTTON_HOLE_MM) for each in layout.buttons.values()))
    drawing.add(_DRILL, *(Circle(at, layout.geometry.hole_mm) for at in light_holes(layout)))
    drawing.add(_DRILL, *(Circle(at, WIRE_HOLE_MM) for at in sheet.wires))
    for pad in sheet.pads.values():
        drawing.add(_NAME, *_names(layout, pad.sensor, pad.wire))
    drawing.add(_NAME, *_legend(layout, below, sheet.ground))
    return drawing


def electrode_name(sensor: Sensor) -> str:
    """Name the electrode that a pad hangs on: "A-0", since "A0" can be a cell's name."""
    return f"{sensor.electrode.chip}-{sensor.electrode.electrode}"


def _names(layout: Layout, sensor: Sensor, wire: Point) -> tuple[Label, ...]:
    """Write a pad's name and its electrode's on it, left and right of where its wire goes."""
    geometry = layout.geometry
    hole = geometry.hole_mm / 2 if sensor.lit else 0.0
    room = geometry.pad_mm / 2 - hole
    size = min(_TEXT_MM, room * 0.5)
    # Capitals are 0.7 of the size; both texts stand in the middle of the copper above and below.
    middle = hole + room / 2 - 0.1 * room
    half = 0.35 * size
    longest = 2 * (geometry.pad_mm**2 / 4 - (middle + half) ** 2) ** 0.5 - 0.5
    name = sensor.name.replace("_", " ")
    fits = round(min(size, longest / width_mm(name, 1.0, bold=True)), 3)
    return (
        Label(name, sensor.at.moved(y=middle - 0.35 * fits), fits, bold=True),
        Label(electrode_name(sensor), sensor.at.moved(y=-middle - half), size),
    )


def _legend(layout: Layout, box: Box, ground: Point) -> tuple[Label, ...]:
    geometry = layout.geometry
    near = next(
        each.name
        for each in sorted(layout.sensors.values(), key=lambda each: each.at.distance(ground))
    )
    lines = (
        f"{layout.profile.title} ({layout.profile.name}): copper, seen from the players' side",
        f"Pads {geometry.pad_mm:g} mm with their tails: cut each out alone. On a pad: its name, and"
        " chip and electrode of its wire.",
        "Guards (grey): cut in one piece with the links between them, or lay the links of tape and"
        " solder them. No ring is closed.",
        f"Small blue circles: a hole of {WIRE_HOLE_MM:g} mm for a wire that is soldered around it."
        f" The one in the guard of {near} is for the wire to ground.",
        "Dashed: edge of the board. Large blue circles: screws, buttons, and lights between pads.",
    )
    left, top = box.left + 8, box.bottom + _LEGEND_MM - 3.5
    return tuple(
        Label(line, Point(left, top - 4.4 * n), _TEXT_MM, Anchor.START, bold=not n)
        for n, line in enumerate(lines)
    )
