"""Pixels on a PWM or PCM pin, through the `rpi_ws281x` library: up to the Pi 4, and as root.

Owns how that library is set up, and what is said when it cannot be used. Must not know whether its
`PixelStrip` is real or emulated.
"""

import atexit
import os
from pathlib import Path
from typing import Any, Protocol

from hal.colour import DARK
from hal.drivers.ws2812 import with_white
from hal.errors import LightsFault
from hal.light import Frame, check_length
from hal.profile import Strip

MODEL_FILE = "proc/device-tree/model"

_FREQUENCY_HZ = 800_000
_DMA = 10  # the library's own choice; others are the system's, 5 the SD card's on a Pi 3
_SECOND_CHANNEL_PINS = (13, 19)
_UNFIT = ("Raspberry Pi 5", "Compute Module 5")  # also a Pi 500
_INSTEAD = 'hang the strip on pin 10 and write driver = "spi", pin = 10 in the profile'
_SERVICE = "`sudo systemctl enable --now lifeboard-pixels.socket`"

# How far each colour is shifted in the library's 0xWWRRGGBB.
_SHIFTS = {"W": 24, "R": 16, "G": 8, "B": 0}


class PixelStrip(Protocol):
    """Name what is used of `rpi_ws281x.PixelStrip`."""

    def begin(self) -> None:
        """Start the driver; raise RuntimeError when it cannot."""
        ...

    def show(self) -> None:
        """Send the buffer to the pixels; raise RuntimeError when it cannot."""
        ...

    def setPixelColorRGB(self, n: int, red: int, green: int, blue: int, white: int = 0) -> None:
        """Set a pixel of the buffer."""
        ...

    def _cleanup(self) -> None:
        """Stop the driver; the library has no public way to do so."""
        ...


class Ws281xPixels:
    """Show frames on the pixels of a strip through a `PixelStrip`, which is begun here."""

    def __init__(self, pixel_strip: PixelStrip, strip: Strip) -> None:
        self._pixel_strip = pixel_strip
        self._white = "W" in strip.order
        # What the library's buffer holds; it begins dark.
        self._buffer: Frame = (DARK,) * strip.pixels
        try:
            pixel_strip.begin()
        except RuntimeError as error:
            # At exit the library would stop what never started, and crash.
            atexit.unregister(pixel_strip._cleanup)
            raise LightsFault(f"rpi_ws281x cannot start: {error}") from error

    def show(self, frame: Frame) -> None:
        """Send a frame; raise LightsFault when it cannot be sent."""
        check_length(frame, len(self._buffer))
        for pixel, (new, old) in enumerate(zip(frame, self._buffer, strict=True)):
            if new != old:
                levels = with_white(new) if self._white else (new.red, new.green, new.blue, 0)
                self._pixel_strip.setPixelColorRGB(pixel, *levels)
        # Before it is sent: the library keeps the frame even if sending fails.
        self._buffer = frame
        try:
            self._pixel_strip.show()
        except RuntimeError as error:
            raise LightsFault(f"rpi_ws281x takes no frames: {error}") from error

    def close(self) -> None:
        """Put the lights out and let go of the pin."""
        try:
            self.show((DARK,) * len(self._buffer))
        finally:
            atexit.unregister(self._pixel_strip._cleanup)
            self._pixel_strip._cleanup()


def open_ws281x(strip: Strip, root: Path = Path("/")) -> Ws281xPixels:
    """Open a strip on a PWM or PCM pin; raise LightsFault that says what to do when it cannot be.

    `root` is where the system's files hang.
    """
    if any(each in _model(root) for each in _UNFIT):
        raise LightsFault(f"rpi_ws281x cannot drive a Raspberry Pi 5: {_INSTEAD}")
    kind = strip_type(strip.order)
    try:
        import rpi_ws281x  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise LightsFault(
            f'strip driver "{strip.driver}" needs the package rpi_ws281x: install it with'
            " `pip install rpi-ws281x`, for the service with"
            f" `sudo lifeboard service install --pwm`, or {_INSTEAD}"
        ) from error
    if os.geteuid() != 0:
        raise LightsFault(
            f'strip driver "{strip.driver}" needs root: let a service of the system drive it, after'
            f" `sudo lifeboard service install --pwm` with {_SERVICE}, or {_INSTEAD}"
        )
    library: Any = rpi_ws281x
    made = library.PixelStrip(
        strip.pixels,
        strip.pin,
        freq_hz=_FREQUENCY_HZ,
        dma=_DMA,
        invert=False,
        brightness=255,
        channel=int(strip.pin in _SECOND_CHANNEL_PINS),
        strip_type=kind,
    )
    return Ws281xPixels(made, strip)


def strip_type(order: str) -> int:
    """Write an order of colours as the library does; raise LightsFault for one that it cannot.

    The bytes from the second highest down say which colour goes first, second and third, the
    highest one which goes fourth (ws2811.c, ws2811_render).
    """
    shifts = [_SHIFTS[each] for each in order]
    kind = shifts[0] << 16 | shifts[1] << 8 | shifts[2]
    if len(shifts) == len("RGB"):
        return kind
    # It takes pixels for ones of four colours by the highest nibble.
    if not shifts[3] >> 4:
        raise LightsFault(
            f'rpi_ws281x cannot send the colour order "{order}": allowed with W are orders that'
            f" end in W or R, or {_INSTEAD}"
        )
    return shifts[3] << 24 | kind


def _model(root: Path) -> str:
    try:
        return (root / MODEL_FILE).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
