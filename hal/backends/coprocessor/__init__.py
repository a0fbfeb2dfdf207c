"""A Raspberry Pi Pico under the board, which senses and lights for the host that decides.

Owns the host's end of the line, and the firmware on the Pico. Must not know what is played.
"""

from hal.backends.coprocessor.backend import CoprocessorBackend

__all__ = ["CoprocessorBackend"]
