"""A Raspberry Pi Pico under the board: the host's end of its line, and the firmware on it."""

from hal.backends.coprocessor.backend import CoprocessorBackend

__all__ = ["CoprocessorBackend"]
