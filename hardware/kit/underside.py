"""The underside of a board: where wires come out of the base, and the breakouts between them.

Owns the order in which these are found, and the breakouts' places: near their pads and beside the
slots. Must not know the other parts underneath, tracks, nor what is drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from hal.profile import Profile
from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Connector
from hardware.kit.circuit.plan import tile_connectors, whole_connectors
from hardware.kit.drawing import Box
from hardware.kit.errors import KitError
from hardware.kit.layout import BREAKOUT_MM, Grid, Layout, upper_side
from hardware.kit.part_names import chip_part
from hardware.kit.places import given, put
from hardware.kit.plates.chambers import PIXEL_WIRE_MM
from hardware.kit.plates.slots import slot_of
from hardware.kit.plates.wire_holes import wire_holes


def lay_out(profile: Profile, grid: Grid, centres: Mapping[str, tuple[float, float]]) -> Layout:
    """Place everything of a board.

    `centres` has the middle of each cell in units of the distance between neighbours, x to the
    right and y downward, as the rules' boards have it. Raises KitError for a profile without
    [geometry], or when parts would lie on each other.
    """
    above = upper_side(profile, grid, centres)
    pierced = replace(above, wire_holes=wire_holes(above))
    connectors = whole_connectors(pierced)
    slots = [slot_of(each).box for each in (*connectors, *_of_tiles(pierced))]
    wires = [Box.sized(at, (PIXEL_WIRE_MM, PIXEL_WIRE_MM)) for at in pierced.wire_holes]
    opened = replace(pierced, openings=(*wires, *slots))
    return replace(opened, chips=MappingProxyType(_breakouts(opened, connectors)))


def _of_tiles(layout: Layout) -> tuple[Connector, ...]:
    try:
        return tile_connectors(layout)
    except KitError:
        # Not every board can be cut in tiles; who asks for them is told why.
        return ()


def _breakouts(layout: Layout, connectors: Sequence[Connector]) -> dict[str, Point]:
    """Put each breakout near to the middle of its pads and to its connector."""
    found = given(layout)
    for (name, amid), connector in zip(layout.chips.items(), connectors, strict=True):
        part, near = chip_part(name), (amid, slot_of(connector).at)
        found[part] = put(layout, part, BREAKOUT_MM, near, found.values())
    return {name: found[chip_part(name)].at for name in layout.chips}
