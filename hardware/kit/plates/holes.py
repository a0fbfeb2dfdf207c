"""The holes of the base: for buttons, for cables and pads' wires, and for those of the pixels.

Owns where they are. Must not know how the base is drawn, nor what stands on it. Millimetres.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, pi, radians, sin

from hal.geometry import Point
from hardware.kit.circuit.circuit import Connector
from hardware.kit.drawing import Box, Points
from hardware.kit.electric.chain import Kind, Piece, pieces
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.places import places
from hardware.kit.plates.chambers import BASE_HOLE_MM, CORNER_MM, SCREW_HOLE_MM, lying
from hardware.kit.plates.copper import copper
from hardware.kit.plates.laser import caption
from hardware.kit.plates.lettering import corners
from hardware.kit.plates.regions import Region

BASE_WORDS = "base, this side up; dashed: underneath"
BUTTON_BODY_MM = 14.0
PIXEL_WIRE_MM = 6.0
"""For 5 V, ground and data, and for one more pair of supply."""
APART_MM = 3.0
"""What is left between two holes."""
CABLE_PITCH_MM, FARTHEST_SLOT_MM = 1.27, 34
PLUG_MM = 4.0
"""Room for the wires of a connector, more than its pins are long and wide."""
_SLOT_MM = 5.0
_NEAREST_MM = 6.5
"""From the middle of a single pixel to that of its wires' hole: at the edge of its small board."""
_FARTHER_MM = 14
_TURNS = (0, 15, -15, 30, -30, 45, -45, 60, -60, 75, -75, 90, -90)


@dataclass(frozen=True, slots=True)
class Holes:
    """What is cut out of the base but for its edge.

    `slots` are in the order of the connectors; `pixels` are two for each piece of the chain.
    """

    fixed: tuple[Region, ...]
    slots: tuple[Region, ...]
    pads: Points
    pixels: Points

    @property
    def regions(self) -> tuple[Region, ...]:
        """Give them all, without the screws' and buttons'."""
        round_ones = [Region.disc(at, BASE_HOLE_MM) for at in self.pads]
        round_ones += [Region.disc(at, PIXEL_WIRE_MM) for at in self.pixels]
        return (*self.slots, *round_ones)


def holes(layout: Layout, connectors: Iterable[Connector] = ()) -> Holes:
    """Find a place for each hole; raise KitError where there is none.

    With printed circuits, which have `connectors`, there are slots below these for their wires;
    else there is a hole for the wire of each pad.
    """
    wired = tuple(connectors)
    chain = pieces(layout)
    laid = Region.joined(lying(piece) for piece in chain)
    fixed = [Region.disc(at, SCREW_HOLE_MM) for at in layout.screws]
    fixed += [Region.disc(each.at, BUTTON_BODY_MM) for each in layout.buttons.values()]
    # The base's own words are to stay whole, too.
    kept = [*fixed, Region.of(corners(caption(layout, BASE_WORDS)))]
    blocked = laid.grown(1) | Region.joined(kept).grown(APART_MM)
    parts = Region.joined(Region.box(place.box) for place in places(layout).values())
    slots: list[Region] = []
    for each in wired:
        # A part over a slot would close it. Where there is no other room, the part is raised.
        slot = _slot(each, blocked | parts) or _slot(each, blocked)
        if slot is None:
            raise KitError(
                f"wires of connector {each.name} find no place for a slot: allowed is one clear of"
                f" strips and up to {FARTHEST_SLOT_MM} mm from its middle"
            )
        slots.append(slot)
        blocked = blocked | slot.grown(APART_MM)
    pads = () if wired else copper(layout).wires
    taken = [*slots, *(Region.disc(at, BASE_HOLE_MM) for at in pads), *kept]
    return Holes(
        tuple(fixed), tuple(slots), tuple(pads), tuple(_wire_holes(layout, chain, laid, taken))
    )


def plug_of(connector: Connector) -> Region:
    """Give the room that a connector takes with its wires."""
    ends = [
        pin.at.moved(x * pin.width_mm / 2, y * pin.height_mm / 2)
        for pin in connector.pins
        for x, y in ((-1, -1), (1, 1))
    ]
    return Region.box(Box.around(ends).grown(PLUG_MM / 2))


def _slot(connector: Connector, taken: Region) -> Region | None:
    """Find room for the cable of a connector: below its pins, or beside what lies there."""
    box = plug_of(connector).extent
    middle = Point((box.left + box.right) / 2, (box.bottom + box.top) / 2)
    wide, high = CABLE_PITCH_MM * (len(connector.pins) + 2), _SLOT_MM
    if box.height > box.width:
        wide, high = high, wide
    for away in range(FARTHEST_SLOT_MM):
        for turn in range(0, 360, 45 if away else 360):
            at = middle.moved(away * cos(radians(turn)), away * sin(radians(turn)))
            for half in (Point(wide / 2, high / 2), Point(high / 2, wide / 2)):
                slot = Box(at.x - half.x, at.y - half.y, at.x + half.x, at.y + half.y)
                if not taken.meets(Region.box(slot)):
                    return Region.box(slot, 1)
    return None


def _wire_holes(
    layout: Layout, chain: Sequence[Piece], laid: Region, taken: Iterable[Region]
) -> Iterator[Point]:
    """Find two holes for each piece: for the wires that come to it and for those that leave it."""
    inside = Region.box(layout.box, CORNER_MM).grown(-APART_MM)
    clear = Region.joined(each.grown(APART_MM) for each in taken) | laid
    for piece in chain:
        for number, wish in enumerate(_ways_out(piece)):
            free = (
                at
                for at in _spots(*wish)
                if inside.covers(hole := Region.disc(at, PIXEL_WIRE_MM)) and not clear.meets(hole)
            )
            found = next(free, None)
            if found is None:
                raise KitError(
                    f"wires of pixel {piece.last if number else piece.first} find no place for a"
                    f" hole of {PIXEL_WIRE_MM:g} mm: allowed is one {APART_MM:g} mm from others"
                )
            clear = clear | Region.disc(found, PIXEL_WIRE_MM + 2 * APART_MM)
            yield found


def _ways_out(piece: Piece) -> tuple[tuple[Point, float, float], ...]:
    """Say from where wires leave at each end of a piece, in which direction, and how far at least.

    A single pixel has its wires at both sides.
    """
    start, end = piece.places[0], piece.places[-1]
    if piece.kind is Kind.SINGLE:
        return (start, pi, _NEAREST_MM), (start, 0.0, _NEAREST_MM)
    ahead = atan2(end.y - start.y, end.x - start.x)
    reach = piece.kind.spacing_mm / 2 + PIXEL_WIRE_MM / 2
    return (start, ahead + pi, reach), (end, ahead, reach)


def _spots(here: Point, ahead: float, reach: float) -> Iterator[Point]:
    """Give places ahead of a point, the nearest and straightest first."""
    for farther in range(_FARTHER_MM):
        for turn in _TURNS:
            angle = ahead + radians(turn)
            away = reach + farther
            yield here.moved(round(away * cos(angle), 3), round(away * sin(angle), 3))
