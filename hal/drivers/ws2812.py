"""Frames as the bits that WS2812 and SK6812 pixels read from an SPI line."""

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter, itemgetter

from hal.base.errors import LightError
from hal.lights import Colour, Frame

# A bit of a pixel is four bits on the line: high for one of them, or for two.
#
# Three bits (100, 110) at 2.4 MHz are usual and shorter, but fit the first WS2812B only: 417 ns is
# too long for a "0" of a WS2812B-V5 (220 to 380 ns), and 833 ns too long for a "1" of an SK6812
# (450 to 750 ns). Also, some controllers let the line fall for a clock between two bytes, the Pi 4
# among them (github.com/jgarff/rpi_ws281x issue 499, github.com/dotnet/iot issue 1901): this splits
# a three-bit code that crosses a byte border. Four-bit codes never cross one, and the line is low
# there.
_ZERO = "1000"
_ONE = "1100"

CLOCK_HZ = 3_050_000
"""The requested clock. Controllers use the next lower one that divides their core clock.

The high times of 1 and 2 clocks, 328 to 330 and 656 to 660 ns on any Pi, lie within the data sheets
of WS2812B (250 to 550, 650 to 950), WS2812B-V5 (220 to 380, 580 to 1000) and SK6812 (150 to 450,
450 to 750), no low time is shorter than they ask, and a bit of 1.31 us is within their 1.25 us
+- 600 ns.
"""

LATCH_US = 300
"""How long the line is low around a frame: WS2812B-V5 needs more than 280 us, SK6812 80.

The pause after it makes the pixels show the frame even if the line does not idle low. The pause
before it makes them discard a pulse of the line at the start of a transfer.
"""

_BITS_A_LEVEL = 8
_CODES = tuple(
    int("".join(_ONE if bit == "1" else _ZERO for bit in f"{level:08b}"), 2).to_bytes(
        _BITS_A_LEVEL * len(_ONE) // 8, "big"
    )
    for level in range(256)
)
_LEVELS = {code: level for level, code in enumerate(_CODES)}
_PAUSE = bytes(-(-LATCH_US * CLOCK_HZ // 8_000_000))

_NAMES = {"R": "red", "G": "green", "B": "blue"}
_FOUR = "RGBW"


def encode(frame: Frame, order: str) -> bytes:
    """Encode a frame as one SPI transfer at CLOCK_HZ; raises LightError for a wrong order."""
    return b"".join([_PAUSE, *[_CODES[level] for level in levels(frame, order)], _PAUSE])


def decode(transfer: bytes) -> bytes:
    """Return the levels in a transfer that `encode` wrote; raise KeyError for any other bytes."""
    size = len(_CODES[0])
    ends = range(len(_PAUSE) + size, len(transfer) - len(_PAUSE) + 1, size)
    return bytes([_LEVELS[transfer[end - size : end]] for end in ends])


def levels(frame: Frame, order: str) -> bytes:
    """Return the levels of a frame as the pixels get them, a byte per colour of a pixel."""
    read = _reader(order)
    return bytes([level for colour in frame for level in read(colour)])


def with_white(colour: Colour) -> tuple[int, int, int, int]:
    """Split a colour into red, green, blue and white: white takes the common part of the others."""
    white = min(colour.red, colour.green, colour.blue)
    return colour.red - white, colour.green - white, colour.blue - white, white


def transfer_bytes(pixels: int, order: str) -> int:
    """Return how many bytes a frame takes, with its pauses."""
    return 2 * len(_PAUSE) + pixels * len(order) * len(_CODES[0])


@lru_cache(maxsize=8)
def _reader(order: str) -> Callable[[Colour], tuple[int, ...]]:
    """Return a function that reads the levels of a colour in an order."""
    if sorted(order) == sorted(_NAMES):
        reader: Callable[[Colour], tuple[int, ...]] = attrgetter(*(_NAMES[each] for each in order))
        return reader
    if sorted(order) == sorted(_FOUR):
        pick = itemgetter(*(_FOUR.index(each) for each in order))
        return lambda colour: pick(with_white(colour))
    raise LightError(f'colour order is "{order}": allowed are R, G and B, and W, each once')
