"""A strip of pixels behind the `PixelStrip` interface of `rpi_ws281x` 5.0.0.

Owns what the library makes of its buffer. The interface keeps the published names and arguments, so
that code written for a Pi runs on it; where the library would read or write past its memory, or
crash before `begin`, this one raises.
"""

import time
from typing import overload

from hal.sim.pixels import PixelChain

# WS2811_STRIP_GRB: how far the first, second and third colour of the wire are shifted, a byte each.
STRIP_GRB = 0x00081000
_BIT_S = 1.25e-6
_RESET_S = 300e-6  # WS2812B data sheet: a low line of at least 280 us makes the pixels latch
_WHITE = 0xF0000000  # SK6812_SHIFT_WMASK: with one of these bits a type has four colours


class Rgbw(int):
    """A colour as the library returns it: an integer with the channels as properties."""

    @property
    def r(self) -> int:
        """Give red, 0 to 255."""
        return self >> 16 & 0xFF

    @property
    def g(self) -> int:
        """Give green, 0 to 255."""
        return self >> 8 & 0xFF

    @property
    def b(self) -> int:
        """Give blue, 0 to 255."""
        return self & 0xFF

    @property
    def w(self) -> int:
        """Give white, 0 to 255."""
        return self >> 24 & 0xFF


class EmulatedPixelStrip:
    """Stand in for `rpi_ws281x.PixelStrip`.

    `chain` are the pixels, which want green first; put others there for another order. `latched` is
    what they show. `busy_s` is the time that all frames would have taken on the wire, `emulated_s`
    the time that the emulation took. While `failing` is not 0, sending fails.
    """

    def __init__(
        self,
        num: int,
        pin: int,
        freq_hz: int = 800000,
        dma: int = 10,
        invert: bool = False,
        brightness: int = 255,
        channel: int = 0,
        strip_type: int | list[int] | None = None,
        gamma: list[int] | None = None,
    ) -> None:
        if isinstance(strip_type, list):
            # The library keeps this for an older version of itself: a gamma table in this place.
            gamma, strip_type = gamma or strip_type, None
        self.size = num
        self.busy_s = 0.0
        self.emulated_s = 0.0
        self.failing = 0
        self._shifts = _shifts(STRIP_GRB if strip_type is None else strip_type)
        self.chain = PixelChain(num, "GRB" if len(self._shifts) == 3 else "GRBW")
        self._gamma = gamma or list(range(256))
        self._brightness = brightness
        self._leds = [0] * num
        self._begun = False

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """Give what each pixel shows: red, green, blue."""
        return self.chain.latched

    def begin(self) -> None:
        """Start the driver."""
        self._begun = True

    def show(self) -> None:
        """Send the buffer over the wire; raise RuntimeError before `begin`."""
        if not self._begun:
            raise RuntimeError("strip has not begun: allowed is show after begin")
        if self.failing:
            raise RuntimeError("ws2811_render failed with code -10 (DMA error)")
        began = time.perf_counter()
        levels = self._wire_levels()
        self.chain.hear(levels)
        self.busy_s += len(levels) * 8 * _BIT_S + _RESET_S
        self.emulated_s += time.perf_counter() - began

    def _cleanup(self) -> None:
        """Stop the driver; the library does so at exit."""
        self._begun = False

    def setPixelColor(self, n: int, color: int) -> None:
        """Set a pixel of the buffer, 0xRRGGBB."""
        self[n] = color

    def setPixelColorRGB(self, n: int, red: int, green: int, blue: int, white: int = 0) -> None:
        """Set a pixel of the buffer by its channels."""
        self[n] = white << 24 | red << 16 | green << 8 | blue

    def getBrightness(self) -> int:
        """Give the brightness, 0 to 255."""
        return self._brightness

    def setBrightness(self, brightness: int) -> None:
        """Set the brightness, 0 to 255, of the frames to come."""
        self._brightness = brightness

    def setGamma(self, gamma: list[int]) -> None:
        """Set the gamma table; the library ignores one that does not have 256 entries."""
        if len(gamma) == 256:
            self._gamma = gamma

    def getPixels(self) -> list[int]:
        """Give the whole buffer."""
        return self[:]

    def numPixels(self) -> int:
        """Give the number of pixels."""
        return self.size

    def getPixelColor(self, n: int) -> int:
        """Give a pixel of the buffer, 0xRRGGBB."""
        return self[n]

    def getPixelColorRGB(self, n: int) -> Rgbw:
        """Give a pixel of the buffer with its channels as properties."""
        return Rgbw(self[n])

    def getPixelColorRGBW(self, n: int) -> Rgbw:
        """Give a pixel of the buffer with its channels as properties."""
        return Rgbw(self[n])

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, pos: int) -> int: ...
    @overload
    def __getitem__(self, pos: slice) -> list[int]: ...
    def __getitem__(self, pos: int | slice) -> int | list[int]:
        if isinstance(pos, slice):
            return self._leds[pos]
        return self._leds[self._checked(pos)]

    def __setitem__(self, pos: int | slice, value: int) -> None:
        if isinstance(pos, slice):
            for n in range(*pos.indices(self.size)):
                self._leds[n] = value
        else:
            self._leds[self._checked(pos)] = value

    def _checked(self, n: int) -> int:
        if not 0 <= n < self.size:
            raise IndexError(f"pixel is {n}: allowed is 0 to {self.size - 1}")
        return n

    def _wire_levels(self) -> bytes:
        # ws2811.c, ws2811_render: scale by brightness + 1, drop eight bits, then gamma.
        scale = self._brightness + 1
        table = [self._gamma[level * scale >> 8] for level in range(256)]
        return bytes(
            [table[colour >> shift & 0xFF] for colour in self._leds for shift in self._shifts]
        )


def _shifts(strip_type: int) -> tuple[int, ...]:
    """Give how far the colours are shifted that go over the wire, first to last."""
    shifts = strip_type >> 16 & 0xFF, strip_type >> 8 & 0xFF, strip_type & 0xFF
    return (*shifts, strip_type >> 24) if strip_type & _WHITE else shifts
