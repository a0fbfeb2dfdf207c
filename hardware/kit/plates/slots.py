"""The slots of the base for the cables of connectors.

Owns where they are. Must not know how the base is drawn. Millimetres.
"""

from math import cos, radians, sin

from hal.geometry import Point
from hardware.kit.circuit.circuit import Connector
from hardware.kit.drawing import Box
from hardware.kit.plates.regions import Region

CABLE_PITCH_MM, FARTHEST_SLOT_MM = 1.27, 34
PLUG_MM = 4.0
"""Room for the wires of a connector, more than its pins are long and wide."""
_SLOT_MM = 5.0


def plug_of(connector: Connector) -> Region:
    """Give the room that a connector takes with its wires."""
    ends = [
        pin.at.moved(x * pin.width_mm / 2, y * pin.height_mm / 2)
        for pin in connector.pins
        for x, y in ((-1, -1), (1, 1))
    ]
    return Region.box(Box.around(ends).grown(PLUG_MM / 2))


def slot_of(connector: Connector, taken: Region) -> Region | None:
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
