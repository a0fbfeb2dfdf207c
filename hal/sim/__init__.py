"""A board emulated below the published drivers: chips, bus, pins, pixels, fingers."""

from hal.sim.backend import SimBackend
from hal.sim.bus import EmulatedI2CBus
from hal.sim.chip import EmulatedMpr121

__all__ = ["EmulatedI2CBus", "EmulatedMpr121", "SimBackend"]
