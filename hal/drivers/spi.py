"""Pixels on the SPI of a Raspberry Pi, through the kernel's spidev and `Adafruit_PureIO`."""

import os
from pathlib import Path
from typing import Any, Protocol

from hal.base.errors import LightsFault
from hal.drivers.ws2812 import CLOCK_HZ, encode, transfer_bytes
from hal.lights import DARK, Frame, check_length
from hal.profile import Strip

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


class SpiPixels:
    """The pixels of a strip at the end of an SPI line.

    A frame is sent up to the last change, and one that equals the last one whole, to refresh.
    """

    def __init__(self, spi: Spi, strip: Strip) -> None:
        self._spi = spi
        self._strip = strip
        self._shown: Frame | None = None

    def show(self, frame: Frame) -> None:
        check_length(frame, self._strip.pixels)
        count, shown = len(frame), self._shown
        if shown is not None and shown != frame:
            while frame[count - 1] == shown[count - 1]:
                count -= 1
        # A transfer that fails may have changed any pixel.
        self._shown = None
        self._spi.writebytes(encode(frame[:count], self._strip.order))
        self._shown = frame

    def close(self) -> None:
        try:
            self.show((DARK,) * self._strip.pixels)
        finally:
            self._spi.close()


def open_spi(strip: Strip, root: Path = Path("/")) -> SpiPixels:
    """Open the SPI of a strip, below a `root`; raises LightsFault that says what to do."""
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
