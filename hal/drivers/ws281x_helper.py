"""A process with root that drives a strip on a PWM or PCM pin, for one client.

`rpi_ws281x` drives it up to a Raspberry Pi 4, the kernel's /dev/leds0 on a 5. systemd starts one
for each connection to `lifeboard-pixels.socket`, with the packet socket as standard input. A client
sends `hello`, then one packet a frame. Each answer is OK, or a sentence with the error, after which
it ends. When the client closes, the strip goes dark. As root it imports nothing of lifeboard.
"""

import fcntl
import os
import re
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

VERSION = 1
OK = b"ok"
PINS = (12, 18, 21)
"""PWM and PCM. The library supports no other pins of the header, except SPI's."""
MOST_PIXELS = 2000
INSTEAD = 'connect the strip to GPIO10 and write driver = "spi", pin = 10 in the profile'

HANG_S = 3
"""The library waits forever for a DMA channel in use: after this time SIGALRM ends the process."""
MODEL = Path("/proc/device-tree/model")
LEDS = Path("/dev/leds0")

FREQUENCY_HZ = 900_000
"""The library's bit is three clocks, high for one or two; an integer divides the crystal's clock.

At the usual 800 kHz these are 417 and 833 ns, too long for a WS2812B-V5's "0" (380 ns at most) and
an SK6812's "1" (750 ns). At 900 kHz they are 365 and 729 ns, 370 and 741 on a Pi 4: within the
limits of all three. The low of 365 ns after a "1" fits a WS2812B, but is shorter than the 580 and
450 ns in the data sheets of the others; only SPI fits these.
"""
_THREE_COLOURS, _FOUR_COLOURS = 0x00100800, 0x18100800  # shifts of the colours: last, first, ...


class Refused(Exception):
    """Report in a sentence why a strip cannot be driven."""


class _Library:
    def __init__(self, pin: int, pixels: int, colours: int) -> None:
        try:
            from rpi_ws281x import PixelStrip
        except ImportError as error:
            raise Refused(
                f"a strip on GPIO{pin} needs the package rpi-ws281x ({error}): install it with"
                f" `sudo apt install gcc python3-dev`, then `{sys.executable} -m pip install"
                f" rpi-ws281x`, or {INSTEAD}"
            ) from error
        kind = _THREE_COLOURS if colours == 3 else _FOUR_COLOURS
        self._colours = colours
        self._strip: Any = PixelStrip(pixels, pin, freq_hz=FREQUENCY_HZ, strip_type=kind)
        try:
            self._strip.begin()
        except RuntimeError as error:
            raise Refused(f"rpi-ws281x cannot start ({error}): {INSTEAD}") from error

    def show(self, levels: bytes) -> None:
        for pixel, at in enumerate(range(0, len(levels), self._colours)):
            ordered = levels[at + 3 : at + self._colours] + levels[at : at + 3]
            self._strip[pixel] = int.from_bytes(ordered, "big")
        try:
            self._strip.show()
        except RuntimeError as error:
            raise Refused(f"rpi-ws281x takes no frames: {error}") from error

    def close(self) -> None:
        """Wait for the last frame, and release the strip; the library has no public way."""
        self._strip._cleanup()


class _KernelLeds:
    """A strip on any pin of a Raspberry Pi 5, driven by the kernel (drivers/misc/ws2812-pio-rp1.c).

    Its device takes red, green, blue and white, and sends green, red, blue and white.
    """

    def __init__(self, pin: int, pixels: int, colours: int) -> None:
        self._pixels, self._colours = pixels, colours
        line = overlay(pin, pixels, colours)
        self._remedy = f"write `{line}` in /boot/firmware/config.txt and restart, or {INSTEAD}"
        try:
            self._device = os.open(LEDS, os.O_WRONLY)
        except OSError as error:
            raise Refused(
                f"on a Raspberry Pi 5 rpi-ws281x drives nothing, and the kernel drives GPIO{pin} by"
                f" {LEDS} ({error.strerror}): {self._remedy}"
            ) from error
        self._write(b"\0")  # a single byte is the brightness: 0 switches its gamma off

    def show(self, levels: bytes) -> None:
        frame = bytearray(4 * self._pixels)
        for place, wire in enumerate((1, 0, 2, 3)[: self._colours]):
            frame[place::4] = levels[wire :: self._colours]
        self._write(frame)

    def close(self) -> None:
        os.close(self._device)

    def _write(self, data: bytes | bytearray) -> None:
        try:
            os.pwrite(self._device, data, 0)
        except OSError as error:
            raise Refused(
                f"{LEDS} takes no {self._pixels} pixels ({error.strerror}): {self._remedy}"
            ) from error


def overlay(pin: int, pixels: int, colours: int) -> str:
    """Write the line of config.txt with which the kernel of a Pi 5 drives a strip."""
    white = ",rgbw" if colours == 4 else ""
    return f"dtoverlay=ws2812-pio,gpio={pin},num_leds={pixels}{white}"


def hello(pin: int, pixels: int, colours: int) -> bytes:
    """Write the first packet of a client; `colours` is 3, or 4 with white."""
    return f"lifeboard-pixels {VERSION} {pin} {pixels} {colours}".encode()


def serve(client: socket.socket) -> None:
    """Drive the strip that a client asks for until it closes the connection."""
    driver, size = None, 0
    try:
        pin, pixels, colours = _asked(client.recv(100))
        size = pixels * colours
        driver = _open(pin, pixels, colours)
        client.send(OK)
        while levels := client.recv(4 * MOST_PIXELS + 1):
            if len(levels) != size:
                raise Refused(f"frame of {len(levels)} bytes: allowed is {size}")
            signal.alarm(HANG_S)
            driver.show(levels)
            signal.alarm(0)
            client.send(OK)
    except Refused as refused:
        client.send(str(refused).encode())
    except ConnectionError:
        pass  # the client has gone
    finally:
        if driver is not None:
            signal.alarm(HANG_S)
            with suppress(Refused):
                driver.show(bytes(size))
            driver.close()


def _asked(first: bytes) -> tuple[int, int, int]:
    """Read pin, pixels and colours from `hello`; raise Refused for values that are not allowed."""
    found = re.fullmatch(rb"lifeboard-pixels (\d{1,4}) (\d{1,2}) (\d{1,4}) ([34])", first)
    version, pin, pixels, colours = map(int, found.groups()) if found else (0, 0, 0, 0)
    if version != VERSION:
        raise Refused(
            f"the strip's helper speaks version {VERSION}, and got {first[:40]!r}: install the same"
            " lifeboard as service, with `make service`"
        )
    if pin not in PINS:
        raise Refused(f"strip on GPIO{pin}: allowed are GPIO{', GPIO'.join(map(str, PINS))}")
    if not 1 <= pixels <= MOST_PIXELS:
        raise Refused(f"strip of {pixels} pixels: allowed is 1 to {MOST_PIXELS}")
    return pin, pixels, colours


def _open(pin: int, pixels: int, colours: int) -> _Library | _KernelLeds:
    try:
        # Locked until this process ends: two strips would share the DMA channel.
        file = os.open(MODEL, os.O_RDONLY)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        model = os.read(file, 200).decode(errors="replace").strip("\0 ")
    except BlockingIOError:
        raise Refused(
            "another program drives a strip by PWM or PCM already: allowed is one at a time"
        ) from None
    except OSError:
        model = "a computer without a device tree"
    if not model.startswith("Raspberry Pi "):
        raise Refused(f"this is {model}: allowed is a Raspberry Pi")
    # Such as "Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 500", "Raspberry Pi Compute Module 5".
    five = re.match(r"Raspberry Pi (Compute Module )?5", model)
    return (_KernelLeds if five else _Library)(pin, pixels, colours)


if __name__ == "__main__":
    # A copy: the library may close descriptor 0.
    serve(socket.socket(fileno=os.dup(0)))
    # At exit the library would stop a strip that never started, and crash.
    os._exit(0)
