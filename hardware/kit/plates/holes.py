"""The holes of the base: for buttons, for cables and pads' wires, and for those of the pixels.

Owns where they are. Must not know how the base is drawn, nor what stands on it. Millimetres.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hardware.kit.circuit.circuit import Connector
from hardware.kit.drawing import Points
from hardware.kit.electric.chain import pieces
from hardware.kit.errors import KitError
from hardware.kit.layout import Layout
from hardware.kit.places import places
from hardware.kit.plates.chambers import BASE_HOLE_MM, SCREW_HOLE_MM, lying
from hardware.kit.plates.copper import copper
from hardware.kit.plates.laser import caption
from hardware.kit.plates.lettering import corners
from hardware.kit.plates.regions import Region
from hardware.kit.plates.slots import FARTHEST_SLOT_MM, slot_of
from hardware.kit.plates.wire_holes import APART_MM, PIXEL_WIRE_MM, wire_holes

BASE_WORDS = "base, this side up; dashed: underneath"
BUTTON_BODY_MM = 14.0


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
        slot = slot_of(each, blocked | parts) or slot_of(each, blocked)
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
        tuple(fixed), tuple(slots), tuple(pads), tuple(wire_holes(layout, chain, laid, taken))
    )
