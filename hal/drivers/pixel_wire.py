"""What a board and the service of its strip say to each other, one message a packet.

Owns the form of the messages, their bounds, and the refusal of all others. Pure. Must not know
sockets (`hal.drivers.pixel_link`, `hal.drivers.pixel_server`).

The board says hello, which names the strip, then frames, then bye. Each is answered by DONE or by a
fault in words, and after a fault the link is over.
"""

import re

from hal.colour import Colour
from hal.errors import LightsFault
from hal.light import Frame
from hal.wiring import MOST_PIXELS, STRIP_PINS, Strip

VERSION = 1
DRIVERS = ("pwm", "pcm")
"""The drivers that need the service."""

BYE = b"B"
DONE = b"D"
MOST_BYTES = 1 + 3 * MOST_PIXELS
"""The longest message of a board."""
MOST_ANSWER_BYTES = 1000

_HELLO, _FRAME, _FAULT = b"H", b"F", b"E"
_GREETING = re.compile(rb"Hlifeboard-pixels (0|[1-9][0-9]{0,3})(?: (.*))?", re.DOTALL)
_STRIP = re.compile(r"([a-z]{3}) (0|[1-9][0-9]?) (0|[1-9][0-9]{0,3}) ([RGBW]{3,4})")
_ORDERS = (sorted("RGB"), sorted("RGBW"))


def encode_hello(strip: Strip) -> bytes:
    """Write the message that asks for a strip."""
    named = f"{strip.driver} {strip.pin} {strip.pixels} {strip.order}"
    return _HELLO + f"lifeboard-pixels {VERSION} {named}".encode("ascii")


def decode_hello(message: bytes) -> Strip:
    """Read which strip is asked for; raise LightsFault for one that may not be driven."""
    greeting = _GREETING.fullmatch(message)
    if greeting is None:
        raise LightsFault(f"first message {_quoted(message)}: allowed is hello")
    version, named = int(greeting[1]), (greeting[2] or b"").decode("ascii", "replace")
    if version != VERSION:
        raise LightsFault(
            f"the service of the strip speaks version {VERSION}, and the board version {version}:"
            " restart the older one with `sudo systemctl restart lifeboard-pixels lifeboard`"
        )
    found = _STRIP.fullmatch(named)
    if found is None:
        raise LightsFault(f"strip {named[:40]!r}: allowed is a driver, pin, number and order")
    strip = Strip(found[1], int(found[2]), int(found[3]), found[4])
    if strip.driver not in DRIVERS:
        raise LightsFault(f'strip driver "{strip.driver}": allowed are {", ".join(DRIVERS)}')
    pins = STRIP_PINS[strip.driver]
    if strip.pin not in pins:
        raise LightsFault(
            f"strip pin {strip.pin}: allowed with {strip.driver} are {', '.join(map(str, pins))}"
        )
    if not 1 <= strip.pixels <= MOST_PIXELS:
        raise LightsFault(f"strip of {strip.pixels} pixels: allowed is 1 to {MOST_PIXELS}")
    if sorted(strip.order) not in _ORDERS:
        raise LightsFault(f'strip order "{strip.order}": allowed are R, G and B, and W, each once')
    return strip


def encode_frame(frame: Frame) -> bytes:
    """Write a frame: red, green and blue of each pixel, a byte each."""
    return _FRAME + bytes([level for each in frame for level in (each.red, each.green, each.blue)])


def decode_frame(message: bytes, pixels: int) -> Frame:
    """Read a frame; raise LightsFault for anything else, or for another number of pixels."""
    if not message.startswith(_FRAME):
        raise LightsFault(f"message {_quoted(message)} after hello: allowed are frames and bye")
    levels = message[1:]
    if len(levels) != 3 * pixels:
        raise LightsFault(
            f"frame of {len(levels)} bytes: allowed is {3 * pixels}, for {pixels} pixels"
        )
    return tuple(map(Colour, levels[0::3], levels[1::3], levels[2::3]))


def encode_fault(text: str) -> bytes:
    """Write the answer that tells of a fault, cut off where it would be too long."""
    cut = text.encode("utf-8", "replace")[: MOST_ANSWER_BYTES - 1]
    return _FAULT + cut.decode("utf-8", "ignore").encode()


def check_answer(answer: bytes) -> None:
    """Raise LightsFault for an answer that tells of a fault, or that is none."""
    if answer.startswith(_FAULT):
        raise LightsFault(answer[1:].decode("utf-8", "replace"))
    if answer != DONE:
        raise LightsFault(f"the service of the strip answers {_quoted(answer)}: allowed is D or E")


def _quoted(message: bytes) -> str:
    return repr(message[:20])[1:] + ("..." if len(message) > 20 else "")
