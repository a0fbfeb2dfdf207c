"""Tests on a Pico that is emulated by the instruction, with real MicroPython in it."""
