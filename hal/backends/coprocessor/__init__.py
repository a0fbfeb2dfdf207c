"""A Raspberry Pi Pico under the board, which senses and lights for the host that decides."""

from hal.backends.coprocessor.backend import CoprocessorBackend

__all__ = ["CoprocessorBackend"]
