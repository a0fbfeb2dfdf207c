"""A Raspberry Pi Pico emulated below MicroPython's own modules, with a board on it."""

from hal.sim.pico.flash import fill_flash
from hal.sim.pico.parts import EmulatedParts
from hal.sim.pico.process import EmulatedPico
from hal.sim.pico.processor import Cause

__all__ = ["Cause", "EmulatedParts", "EmulatedPico", "fill_flash"]
