"""A Raspberry Pi Pico under the board, which reads sensors and drives pixels for the host.

Owns the host's end of the line, and the firmware on the Pico. Must not know games.
"""

from hal.backends.coprocessor.backend import CoprocessorBackend

__all__ = ["CoprocessorBackend"]
