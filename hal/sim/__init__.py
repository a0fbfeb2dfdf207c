"""A board emulated below the published drivers: chips, bus, pins, pixels, fingers."""

from hal.sim.backend import SimBackend
from hal.sim.chip import EmulatedMpr121
from hal.sim.platform import EmulatedI2CBus

__all__ = ["EmulatedI2CBus", "EmulatedMpr121", "SimBackend"]
