"""A Raspberry Pi Pico emulated below MicroPython's own modules, with a board on it."""

from tests.helpers.pico.parts import EmulatedParts
from tests.helpers.pico.process import EmulatedPico, fill_flash
from tests.helpers.pico.processor import Cause

__all__ = ["Cause", "EmulatedParts", "EmulatedPico", "fill_flash"]
