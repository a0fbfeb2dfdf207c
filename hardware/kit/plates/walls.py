"""The walls between the chambers of a board: two layers for a laser cutter.

Owns their shape. The lower layer stands on the base and leaves room for what lies on it: strips,
single pixels, wires and holes. The upper one has just the chambers, and keeps light in them. Both
go around each connector that would part them, so that its wires have a chamber of their own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Connector
from hardware.kit.drawing import Drawing, Path
from hardware.kit.electric.chain import Kind, Piece, pieces
from hardware.kit.layout import Layout
from hardware.kit.plates.chambers import (
    CORNER_MM,
    PIXEL_MM,
    PIXEL_WIRE_MM,
    SCREW_HOLE_MM,
    SINGLE_MM,
    STRIP_MM,
    WALL_MM,
    chambers,
    lying,
)
from hardware.kit.plates.holes import Holes
from hardware.kit.plates.laser import CUT, plate, sturdy
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import plug_of

_FREE_MM = 1.0
"""Between a wall and what lies on the base beside it."""
_SUPPORT_MM2 = 25.0
"""On what a loose piece of the upper layer must stand at least."""


class Level(Enum):
    """Which of the two layers."""

    LOWER = "lower"
    UPPER = "upper"


@dataclass(frozen=True, slots=True)
class Layer:
    """What hangs together with the edge of the board, and what does not.

    The frame is given without its screw holes and as if its corners were sharp.
    """

    frame: Region
    loose: Region

    @property
    def both(self) -> Region:
        """Give all that stands."""
        return self.frame | self.loose


Walls = dict[Level, Layer]


def walls_of(layout: Layout, holes: Holes, connectors: Iterable[Connector] = ()) -> Walls:
    """Find both layers. Where a printed circuit has `connectors`, both give way to their wires."""
    wired = tuple(connectors)
    screws = Region.joined(Region.disc(at, SCREW_HOLE_MM + 2 * WALL_MM) for at in layout.screws)
    plugs = Region.joined(plug_of(each) for each in wired) - screws
    whole = Region.box(layout.box)
    rooms = Region.joined(chambers(layout).values())
    around = _collars(layout, whole - rooms, wired)
    standing = _without_pockets(layout, (whole - rooms - plugs) | (around - plugs), plugs)
    upper = Layer(*sturdy(standing))
    rim = whole - Region.box(layout.box.grown(-WALL_MM), CORNER_MM - WALL_MM)
    channels = Region.joined(_channels(layout, holes, wired)) - screws - rim
    lower = Layer(*sturdy(upper.both - channels))
    held = (piece for piece in upper.loose.pieces if (piece & lower.both).size_mm2 >= _SUPPORT_MM2)
    return {Level.LOWER: lower, Level.UPPER: Layer(upper.frame, Region.joined(held))}


def walls(layout: Layout, layers: Walls, level: Level) -> Drawing:
    """Draw one layer of the walls; its loose pieces are cut too, to be glued where they belong."""
    height = layout.geometry.air_mm / len(Level)
    drawing = plate(layout, f"{level.value} walls", words=f"{level.value} walls, {height:g} mm")
    layer = layers[level]
    openings = Region.box(layout.box) - layer.frame
    drawing.add(CUT, *(Path(area.outline, closed=True) for area in openings.areas))
    for area in layer.loose.areas:
        drawing.add(CUT, *(Path(ring, closed=True) for ring in (area.outline, *area.holes)))
    return drawing


def _collars(layout: Layout, between: Region, connectors: Iterable[Connector]) -> Region:
    """Give walls around the connectors that part others, but for what is right above a pixel."""
    plugs = (plug_of(each) for each in connectors)
    parting = Region.joined(plug for plug in plugs if plug.meets(between))
    wide = max(PIXEL_MM, layout.geometry.hole_mm) + 2 * _FREE_MM
    lit = Region.joined(Region.disc(each.at, wide) for each in layout.lights)
    return parting.grown(WALL_MM, round_corners=False) - lit


def _without_pockets(layout: Layout, standing: Region, plugs: Region) -> Region:
    """Fill what a wall around a connector cuts off from the pixel of a chamber."""
    used = [light.at for light in layout.lights]
    used += [sensor.at for sensor in layout.sensors.values()]
    used += [each.at for each in layout.buttons.values()]
    openings = Region.box(layout.box) - standing
    pockets = (
        piece
        for piece in openings.pieces
        if not piece.meets(plugs) and not any(piece.contains(at) for at in used)
    )
    return standing | Region.joined(pockets)


def _channels(layout: Layout, holes: Holes, connectors: tuple[Connector, ...]) -> Iterator[Region]:
    """Give what lies on the base, with some room, and the ways of wires to their holes."""
    for number, piece in enumerate(pieces(layout)):
        if piece.kind is not Kind.SINGLE:
            yield lying(piece).grown(_FREE_MM, round_corners=False)
        for end, hole in zip(_ends(piece), holes.pixels[2 * number :][:2], strict=True):
            way = (Region.disc(end, SINGLE_MM), Region.disc(hole, PIXEL_WIRE_MM))
            yield Region.hull(way).grown(_FREE_MM)
    for connector, slot in zip(connectors, holes.slots, strict=True):
        yield Region.hull((plug_of(connector), slot.region))
    for each in holes.regions:
        yield each.grown(_FREE_MM / 2)


def _ends(piece: Piece) -> tuple[Point, Point]:
    """Say from where wires leave: the ends of a strip, or the middle of a single pixel."""
    start, end = piece.places[0], piece.places[-1]
    if piece.kind is Kind.SINGLE:
        return start, start
    beyond = (piece.kind.spacing_mm - STRIP_MM) / 2 / start.distance(end)
    x, y = (end.x - start.x) * beyond, (end.y - start.y) * beyond
    return start.moved(-x, -y), end.moved(x, y)
