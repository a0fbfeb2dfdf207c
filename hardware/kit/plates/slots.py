"""The slots of the base for the cables of connectors: each straight below its row of pins.

Owns where they are. Must not know how the base is drawn, nor what else is on it. Millimetres.
"""

from dataclasses import dataclass

from hal.profile.geometry import Point
from hardware.kit.circuit.circuit import Connector
from hardware.kit.drawing import Box
from hardware.kit.plates.regions import Region

CABLE_PITCH_MM = 1.27
PLUG_MM = 4.0
"""Room for the wires of a connector, more than its pins are long and wide."""
_SLOT_MM = 5.0
_CORNER_MM = 1.0


@dataclass(frozen=True, slots=True)
class Slot:
    """An opening of the base for the wires of a connector, by the connector's name."""

    connector: str
    box: Box

    @property
    def at(self) -> Point:
        """Give its middle."""
        return self.box.middle

    @property
    def region(self) -> Region:
        """Give what is cut out: its corners are round."""
        return Region.box(self.box, _CORNER_MM)


def plug_of(connector: Connector) -> Region:
    """Give the room that a connector takes with its wires."""
    return Region.box(_pins_of(connector).grown(PLUG_MM / 2))


def slot_of(connector: Connector) -> Slot:
    """Give the slot for the cable of a connector."""
    return Slot(connector.name, opening(_pins_of(connector), len(connector.pins)))


def opening(row: Box, wires: int) -> Box:
    """Give the slot below a row of pins, which is as long as a flat cable of its wires is wide."""
    along, across = CABLE_PITCH_MM * (wires + 2) / 2, _SLOT_MM / 2
    x, y = (row.left + row.right) / 2, (row.bottom + row.top) / 2
    wide, high = (along, across) if row.width >= row.height else (across, along)
    return Box(x - wide, y - high, x + wide, y + high)


def _pins_of(connector: Connector) -> Box:
    return Box.around(
        pin.at.moved(x * pin.width_mm / 2, y * pin.height_mm / 2)
        for pin in connector.pins
        for x, y in ((-1, -1), (1, 1))
    )
