"""A Raspberry Pi Pico emulated by the instruction, with real MicroPython in it. See README.md."""

from tests.helpers.rp2040.real import NEWEST, OLDEST, RealPico

__all__ = ["NEWEST", "OLDEST", "RealPico"]
