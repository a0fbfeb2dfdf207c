"""The holes of the base: for buttons, for cables and pads' wires, and for those of the pixels.

Owns which there are for each way to build a board. Must not know how the base is drawn, nor what
stands on it. Millimetres.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hardware.kit.circuit.circuit import Connector
from hardware.kit.drawing import Points
from hardware.kit.electric.chain import pieces
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.places import given
from hardware.kit.plates.chambers import BASE_HOLE_MM, PIXEL_WIRE_MM, lying
from hardware.kit.plates.copper import copper
from hardware.kit.plates.kept import APART_MM, fixed, kept
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import Slot, slot_of

_BESIDE_STRIP_MM = 1.0


@dataclass(frozen=True, slots=True)
class Holes:
    """What is cut out of the base but for its edge.

    `slots` are in the order of the connectors; `pixels` are two for each piece of the chain.
    """

    fixed: tuple[Region, ...]
    slots: tuple[Slot, ...]
    pads: Points
    pixels: Points

    @property
    def regions(self) -> tuple[Region, ...]:
        """Give them all, without the screws' and buttons'."""
        round_ones = [Region.disc(at, BASE_HOLE_MM) for at in self.pads]
        round_ones += [Region.disc(at, PIXEL_WIRE_MM) for at in self.pixels]
        return (*(slot.region for slot in self.slots), *round_ones)


def holes(layout: Layout, connectors: Iterable[Connector] = ()) -> Holes:
    """Give all holes; raise KitError for a slot that would be on something else.

    With printed circuits, which have `connectors`, there are slots below these for their wires;
    else there is a hole for the wire of each pad.
    """
    slots = tuple(slot_of(each) for each in connectors)
    closed = closed_to_slots(layout)
    for slot in slots:
        if closed.meets(slot.region):
            raise KitError(
                f"the slot of connector {slot.connector} at {slot.at.x:g}, {slot.at.y:g} is on"
                " something else: allowed is one clear of strips, of holes, of the base's words,"
                " and of what the profile puts underneath"
            )
        closed = closed | slot.region.grown(APART_MM)
    pads = () if slots else copper(layout).wires
    return Holes(fixed(layout), slots, tuple(pads), layout.wire_holes)


def closed_to_slots(layout: Layout) -> Region:
    """Give where no slot can be: on strips, near other holes, and above computer and supply."""
    strips = Region.joined(lying(piece) for piece in pieces(layout)).grown(_BESIDE_STRIP_MM)
    wires = Region.joined(Region.disc(at, PIXEL_WIRE_MM) for at in layout.wire_holes)
    parts = Region.joined(Region.box(place.box) for place in given(layout).values())
    return strips | (wires | kept(layout) | parts).grown(APART_MM)
