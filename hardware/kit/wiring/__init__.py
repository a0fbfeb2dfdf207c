"""The wires of a board: every one, from pin to pin, with its length."""

from hardware.kit.wiring.tables import (
    chips_table,
    pads_table,
    pins_table,
    pixels_table,
    power_table,
    wires_table,
)
from hardware.kit.wiring.whole import wire
from hardware.kit.wiring.wires import Build, End, Kind, Wire, Wiring

__all__ = [
    "Build",
    "End",
    "Kind",
    "Wire",
    "Wiring",
    "chips_table",
    "pads_table",
    "pins_table",
    "pixels_table",
    "power_table",
    "wire",
    "wires_table",
]
