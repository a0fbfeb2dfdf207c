"""A strip of WS2812 pixels behind the `PixelStrip` interface of `rpi_ws281x` 5.0.0.

Owns the bits on the wire and the pixels that take them. The interface keeps the published names
and arguments, so that code written for a Pi runs on it; where the library would read or write past
its memory, or crash before `begin`, this one raises.
"""

import time
from typing import overload

STRIP_GRB = 0x00081000  # WS2811_STRIP_GRB: how far red, green, blue are shifted, a byte each
_BIT_S = 1.25e-6
_RESET_S = 300e-6  # WS2812B data sheet: a low line of at least 280 us makes the pixels latch
_BITS = 24


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


class Ws2812:
    """One pixel: it keeps the first 24 bits that it hears, and passes all later ones on."""

    def __init__(self) -> None:
        self.latched = (0, 0, 0)

    def hear(self, bits: str, place: int) -> int:
        """Take bits from a place of the stream; give the place from which the next one hears."""
        word = int(bits[place : place + _BITS], 2)
        # On the wire a WS2812 gets green first, highest bit first.
        self.latched = (word >> 8 & 0xFF, word >> 16, word & 0xFF)
        return place + _BITS


class EmulatedPixelStrip:
    """Stand in for `rpi_ws281x.PixelStrip`.

    `latched` is what the pixels show. `busy_s` is the time that all frames would have taken on the
    wire, `emulated_s` the time that the emulation took.
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
        self._shifts = _shifts(STRIP_GRB if strip_type is None else strip_type)
        self._gamma = gamma or list(range(256))
        self._brightness = brightness
        self._leds = [0] * num
        self._pixels = [Ws2812() for _ in range(num)]
        self._begun = False

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """Give what each pixel shows: red, green, blue."""
        return tuple(pixel.latched for pixel in self._pixels)

    def begin(self) -> None:
        """Start the driver."""
        self._begun = True

    def show(self) -> None:
        """Send the buffer over the wire; raise RuntimeError before `begin`."""
        if not self._begun:
            raise RuntimeError("strip has not begun: allowed is show after begin")
        began = time.perf_counter()
        words = [self._wire_word(colour) for colour in self._leds]
        bits = "".join([f"{word:024b}" for word in words])
        place = 0
        for pixel in self._pixels:
            place = pixel.hear(bits, place)
        self.busy_s += len(bits) * _BIT_S + _RESET_S
        self.emulated_s += time.perf_counter() - began

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

    def _wire_word(self, colour: int) -> int:
        # ws2811.c, ws2811_render: scale by brightness + 1, drop eight bits, then gamma.
        scale = self._brightness + 1
        red, green, blue = (
            self._gamma[(colour >> shift & 0xFF) * scale >> 8] for shift in (16, 8, 0)
        )
        red_shift, green_shift, blue_shift = self._shifts
        return red << red_shift | green << green_shift | blue << blue_shift


def _shifts(strip_type: int) -> tuple[int, int, int]:
    if strip_type >> 24:
        raise ValueError(f"strip type is 0x{strip_type:08X}: allowed are types without white")
    return strip_type >> 16 & 0xFF, strip_type >> 8 & 0xFF, strip_type & 0xFF
