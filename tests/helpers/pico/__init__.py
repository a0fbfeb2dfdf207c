"""A Raspberry Pi Pico emulated below its firmware, with a board on it."""

from tests.helpers.pico.pico import Cause, Pico
from tests.helpers.pico.quick import EmulatedPico

__all__ = ["Cause", "EmulatedPico", "Pico"]
