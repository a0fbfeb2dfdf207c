"""A row of emulated pixels at the end of an SPI line: how levels pass along it, and its colours."""

import os

from hal.drivers.ws2812 import CLOCK_HZ, decode


class PixelChain:
    """Pixels in a row: `levels` has a byte per colour of a pixel, in the `order` of the wire."""

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        self.order = order
        self.levels = bytes(pixels * len(order))

    def receive(self, levels: bytes) -> None:
        """Take a frame: pixels that it does not reach, or only in part, keep their levels."""
        size = len(self.order)
        heard = levels[: len(levels) // size * size][: len(self.levels)]
        self.levels = heard + self.levels[len(heard) :]

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """The colours that the pixels show, with the light of a white LED in each."""
        size = len(self.order)
        red, green, blue = (self.levels[self.order.index(each) :: size] for each in "RGB")
        if "W" not in self.order:
            return tuple(zip(red, green, blue, strict=True))
        white = self.levels[self.order.index("W") :: size]
        lit = zip(red, green, blue, white, strict=True)
        return tuple((min(255, r + w), min(255, g + w), min(255, b + w)) for r, g, b, w in lit)


class EmulatedSpi(PixelChain):
    """Pixels at the end of an SPI line; `failing` is an errno with which transfers fail, or 0."""

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        super().__init__(pixels, order)
        self.busy_s = 0.0
        self.failing = 0

    def writebytes(self, data: bytes) -> None:
        if self.failing:
            raise OSError(self.failing, os.strerror(self.failing))
        self.receive(decode(data))
        self.busy_s += len(data) * 8 / CLOCK_HZ

    def close(self) -> None:
        """Do nothing: the line and its pixels remain, and can be opened again."""
