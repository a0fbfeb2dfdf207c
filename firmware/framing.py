"""Frames on the serial line: length, number, checksum, and how to resynchronise after garbage.

Pure, in the common subset of MicroPython and CPython: the host runs this file too. PROTOCOL.md
describes the format.
"""

import binascii
import struct

MARK = b"\n"
"""Ends each frame, and occurs nowhere in it.

A newline, because on a Pico only MicroPython's `readline` is fast and does not wait for bytes that
may never come.
"""
MOST_PAYLOAD = 380  # the longest payload, in bytes
MOST_LINE = 400  # the longest frame on the wire, in bytes, its marks included

_HEADER = "<BBBBH"
_HEADER_BYTES = 6
_CHECK = "<I"
_CHECK_BYTES = 4
# The CRC-32 of any bytes followed by their own CRC-32.
_SOUND = 0x2144DF1C
_BLOCK = 254
"""A block this short lacks at least two of the 256 byte values: one of them, not the mark itself,
can replace the mark."""
_VALUES = bytes(range(256))


class Frame:
    """One frame: its kind, session, number, acknowledgement (0 to 255 each) and payload."""

    def __init__(self, kind: int, session: int, number: int, ack: int, payload: bytes) -> None:
        self.kind = kind
        self.session = session
        self.number = number
        self.ack = ack
        self.payload = payload


def encode(frame: Frame) -> bytes:
    """Encode a frame as bytes of the line; raise ValueError for a payload that is too long.

    A mark precedes a frame of session 0: it ends any line that another program has begun.
    """
    payload = frame.payload
    size = len(payload)
    if size > MOST_PAYLOAD:
        raise ValueError(f"payload of {size} bytes: allowed is {MOST_PAYLOAD}")
    body = struct.pack(_HEADER, frame.kind, frame.session, frame.number, frame.ack, size) + payload
    body += struct.pack(_CHECK, binascii.crc32(body))
    line = b"" if frame.session else MARK
    # This uses only methods of bytes: loops over single bytes are slow on a Pico.
    for at in range(0, len(body), _BLOCK):
        block = body[at : at + _BLOCK]
        stand_in = _absent(block)
        line += stand_in + block.replace(MARK, stand_in)
    return line + MARK


def decode(line: bytes) -> Frame | None:
    """Decode the bytes before a mark; None for anything but a whole and valid frame."""
    if len(line) > MOST_LINE:
        return None
    body = b""
    for at in range(0, len(line), _BLOCK + 1):
        body += line[at + 1 : at + 1 + _BLOCK].replace(line[at : at + 1], MARK)
    size = len(body) - _HEADER_BYTES - _CHECK_BYTES
    if size < 0 or body[4] | body[5] << 8 != size or binascii.crc32(body) != _SOUND:
        return None
    return Frame(body[0], body[1], body[2], body[3], body[_HEADER_BYTES:-_CHECK_BYTES])


class Receiver:
    """Find frames in a stream of bytes; drop everything else, and buffer at most one line."""

    def __init__(self) -> None:
        self._line = b""

    def take(self, data: bytes) -> list[Frame]:
        """Take bytes; return the frames that they complete."""
        lines = (self._line + data).split(MARK)
        # A cut line is still too long to be a frame.
        self._line = lines.pop()[: MOST_LINE + 1]
        frames = [decode(line) for line in lines if line]
        return [frame for frame in frames if frame is not None]


def _absent(block: bytes) -> bytes:
    """Return the highest byte that is not in a block, and not the mark."""
    value = 255
    while _VALUES[value : value + 1] in block or value == MARK[0]:
        value -= 1
    return _VALUES[value : value + 1]
