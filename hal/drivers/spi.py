"""WS2812 and SK6812 pixels on the SPI of a Raspberry Pi, through spidev and `Adafruit_PureIO`."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hal.base.errors import LightsFault
from hal.lights import DARK, Frame, levels
from hal.profile import Strip

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

_BITS = ["".join(_ONE if bit == "1" else _ZERO for bit in f"{n:08b}") for n in range(256)]
_CODES = tuple(int(each, 2).to_bytes(len(each) // 8, "big") for each in _BITS)
_LEVELS = {code: level for level, code in enumerate(_CODES)}
_PAUSE = bytes(-(-LATCH_US * CLOCK_HZ // 8_000_000))


def encode(frame: Frame, order: str) -> bytes:
    """Encode a frame as one SPI transfer at CLOCK_HZ; raises ValueError for a wrong order."""
    return b"".join([_PAUSE, *[_CODES[level] for level in levels(frame, order)], _PAUSE])


def decode(transfer: bytes) -> bytes:
    """Return the levels in a transfer that `encode` wrote; raise KeyError for any other bytes."""
    size = len(_CODES[0])
    ends = range(len(_PAUSE) + size, len(transfer) - len(_PAUSE) + 1, size)
    return bytes([_LEVELS[transfer[end - size : end]] for end in ends])


def transfer_bytes(pixels: int, order: str) -> int:
    """Return how many bytes a frame takes, with its pauses."""
    return 2 * len(_PAUSE) + pixels * len(order) * len(_CODES[0])


NODES = {10: ("dev/spidev0.0",), 20: ("dev/spidev6.0", "dev/spidev1.0")}
"""The devices that can drive a pin, the best one first, without the leading "/".

Pin 20 is SPI1 on every Pi, but up to the Pi 4 that one has no DMA and a short buffer, and leaves
gaps in the signal. A Pi 4 has SPI6 on the same pin, with DMA; a Pi 5 has a full SPI1.
"""

BUFFER_FILE = "sys/module/spidev/parameters/bufsiz"
USUAL_BUFFER = 4096

_ENABLE = {
    10: "switch SPI on with `sudo raspi-config nonint do_spi 0` and restart",
    20: (
        "add `dtoverlay=spi1-1cs` (Pi 5) or `dtoverlay=spi6-1cs` (Pi 4)"
        " to /boot/firmware/config.txt and restart"
    ),
}


class Spi(Protocol):
    """An SPI line; each call is one transfer without a gap."""

    def writebytes(self, data: bytes) -> None:
        """Send bytes; raises OSError."""

    def close(self) -> None:
        """Release the device."""


@dataclass(slots=True)
class SpiPixels:
    """The pixels of a strip at the end of an SPI line."""

    _spi: Spi
    _strip: Strip

    def show(self, frame: Frame) -> None:
        self._spi.writebytes(encode(frame, self._strip.order))

    def close(self) -> None:
        try:
            self.show((DARK,) * self._strip.pixels)
        finally:
            self._spi.close()


def open_spi(strip: Strip, root: Path = Path("/")) -> SpiPixels:
    """Open the SPI of a strip, below a `root`; raises a LightsFault that says what to do."""
    node = find_node(strip.pin, root)
    if node is None:
        missing = " or ".join(f"/{each}" for each in NODES[strip.pin])
        raise LightsFault(f"SPI device {missing} is not there: {_ENABLE[strip.pin]}")
    buffer = buffer_bytes(root)
    needed = transfer_bytes(strip.pixels, strip.order)
    if needed > buffer:
        raise LightsFault(
            f"{strip.pixels} pixels take {needed} bytes in one SPI transfer, and the kernel's"
            f" buffer has {buffer}: add `spidev.bufsiz={buffer_for(needed)}` to the line in"
            " /boot/firmware/cmdline.txt and restart"
        )
    return SpiPixels(_Device(node, needed), strip)


def find_node(pin: int, root: Path = Path("/")) -> Path | None:
    """Return the first existing device that can drive a pin."""
    return next((root / each for each in NODES[pin] if (root / each).exists()), None)


def buffer_bytes(root: Path = Path("/")) -> int:
    """Return how many bytes the kernel takes in one transfer."""
    try:
        return int((root / BUFFER_FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return USUAL_BUFFER


def buffer_for(needed: int) -> int:
    """Return a buffer size, a power of two, that `needed` bytes fit in."""
    return max(2 * USUAL_BUFFER, 1 << (needed - 1).bit_length())


class _Device:
    def __init__(self, node: Path, chunk_bytes: int) -> None:
        # Imported here: only a Pi needs it, and it loads on Linux only.
        from Adafruit_PureIO.spi import SPI  # type: ignore[import-untyped]

        self._node = node
        try:
            self._spi: Any = SPI(str(node))
            # In one piece: a gap within a frame ends the frame for the pixels.
            self._spi.chunk_size = chunk_bytes
            self._spi.mode = 0
            self._spi.bits_per_word = 8
            self._spi.max_speed_hz = CLOCK_HZ
        except PermissionError as error:
            raise LightsFault(
                f"SPI device {node} may not be used by this user: add the user to the group spi"
                " with `sudo adduser $USER spi`, and log in again"
            ) from error
        except OSError as error:
            raise LightsFault(f"SPI device {node} cannot be opened: {error}") from error

    def writebytes(self, data: bytes) -> None:
        try:
            self._spi.writebytes(data)
        except Exception as error:
            # PureIO raises a bare Exception for a time-out.
            if not isinstance(error, OSError) and not isinstance(error.__cause__, TimeoutError):
                raise
            raise LightsFault(f"SPI device {self._node} takes no frames: {error}") from error

    def close(self) -> None:
        # PureIO has no way to close what it opened.
        os.close(self._spi.handle)
