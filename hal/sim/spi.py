"""Pixels at the end of an SPI line.

Owns the line as the driver uses it. Must not know profiles, nor the times on the wire, which the
tests check against the data sheets.
"""

import os
import time

from hal.drivers.ws2812 import CLOCK_HZ, decode
from hal.sim.pixels import PixelChain


class EmulatedSpi:
    """Pixels at the end of an SPI line; each call of `writebytes` is one transfer.

    `latched` is what the pixels show. `busy_s` is the time that all transfers would have taken on
    the wire, `emulated_s` the time that the emulation took. `failing` is an errno with which
    transfers fail, as when the device is gone, or 0.
    """

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        self.busy_s = 0.0
        self.emulated_s = 0.0
        self.failing = 0
        self.chain = PixelChain(pixels, order)

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """The colours that the pixels show."""
        return self.chain.latched

    def writebytes(self, data: bytes) -> None:
        if self.failing:
            raise OSError(self.failing, os.strerror(self.failing))
        began = time.perf_counter()
        self.chain.receive(decode(data))
        self.busy_s += len(data) * 8 / CLOCK_HZ
        self.emulated_s += time.perf_counter() - began

    def close(self) -> None:
        """Do nothing: the line and its pixels stay, and can be opened again."""
