"""An SPI line whose pixels keep to their data sheets, at the clock of a real controller."""

import os

from hal.drivers.ws2812 import CLOCK_HZ
from hal.sim.spi import EmulatedSpi
from tests.helpers.boards.pixel_receiver import SK6812, WS2812B_V5, PixelReceiver

CORE_HZ = 250e6
"""The core's clock of most Pis at rest, and of all with `core_freq=250`."""
# Shortest pause of the line between two transfers, from the system calls around them.
_PAUSE_S = 1e-3


def clock_on(core_hz: float, wanted_hz: float = CLOCK_HZ) -> float:
    """Return the clock that an SPI controller makes of the wanted one.

    The drivers of all Pis take the next even divider of their core's clock that is not too fast
    (Linux, spi-bcm2835.c and spi-dw-core.c).
    """
    divider = int(-(-core_hz // wanted_hz))
    return core_hz / (divider + divider % 2)


class SpiLine(EmulatedSpi):
    """Show the frames that keep to the data sheet's times.

    `refused` counts the others since the clock was set, `refusal` says what was wrong.
    """

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        super().__init__(pixels, order)
        self._sheet = SK6812 if "W" in order else WS2812B_V5
        self.retime(clock_on(CORE_HZ))

    @property
    def refused(self) -> int:
        return self._receiver.refused

    @property
    def refusal(self) -> str:
        return self._receiver.refusal

    def retime(self, clock_hz: float) -> None:
        """Set the clock of the line, as when the core's changes."""
        self._receiver = PixelReceiver(self._sheet, clock_hz)

    def writebytes(self, data: bytes) -> None:
        if self.failing:
            raise OSError(self.failing, os.strerror(self.failing))
        for frame in [*self._receiver.receive(data), *self._receiver.rest(_PAUSE_S)]:
            self.chain.receive(frame)
