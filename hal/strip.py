"""Frames onto a strip of pixels, through the `PixelStrip` interface of `rpi_ws281x`.

Owns the order of calls. Must not know whether the strip is real or emulated.
"""

from typing import Protocol

from hal.colour import DARK
from hal.light import Frame, check_length


class PixelStrip(Protocol):
    """Name what is used of `rpi_ws281x.PixelStrip`."""

    def begin(self) -> None:
        """Start the driver."""
        ...

    def show(self) -> None:
        """Send the buffer to the pixels."""
        ...

    def setPixelColorRGB(self, n: int, red: int, green: int, blue: int) -> None:
        """Set a pixel of the buffer."""
        ...

    def numPixels(self) -> int:
        """Give the number of pixels."""
        ...


class Lights:
    """Show frames on a strip; it starts dark, whatever it showed before."""

    def __init__(self, strip: PixelStrip) -> None:
        self._strip = strip
        self._shown: Frame = (DARK,) * strip.numPixels()
        strip.begin()
        strip.show()

    def show(self, frame: Frame) -> None:
        """Show final pixel levels, one per pixel; raise LightError for another length."""
        check_length(frame, len(self._shown))
        for pixel, (new, old) in enumerate(zip(frame, self._shown, strict=True)):
            if new != old:
                self._strip.setPixelColorRGB(pixel, new.red, new.green, new.blue)
        # Before it is sent: the buffer holds the frame even if sending fails.
        self._shown = frame
        self._strip.show()

    def close(self) -> None:
        """Put the lights out."""
        self.show((DARK,) * len(self._shown))
