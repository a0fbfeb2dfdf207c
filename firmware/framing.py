"""Frames on the serial line: length, number, check, and how they are found again after garbage.

Owns the bytes of a frame. Pure, and written in the Python that MicroPython and CPython both run:
this file is the host's too. Must not know what a frame's payload means (`firmware.messages`), nor
when one is sent (`firmware.channel`). The format is written down in PROTOCOL.md.
"""

import binascii
import struct

MARK = b"\n"
"""Stands after each frame, and nowhere in it.

A newline, because MicroPython on a Pico can read up to one at the speed of C, and nothing else
without waiting for bytes that may never come.
"""
ROUGH_MARKS = 4
"""Marks after a frame on a rough line, where some are spoiled, and one before it.

A Pico blocks until the next frame when its input does not end in a mark.
"""
MOST_PAYLOAD = 380
"""The longest payload, in bytes."""
MOST_LINE = 400
"""The longest frame on the wire, in bytes, its marks included."""

_HEADER = "<BBBBH"
_HEADER_BYTES = 6
_CHECK = "<I"
_CHECK_BYTES = 4
# The CRC-32 of any bytes with their own CRC-32 after them.
_SOUND = 0x2144DF1C
_BLOCK = 254
"""A block this short lacks at least two of the 256 byte values: one other than the mark can stand
for it."""
_VALUES = bytes(range(256))
_HIGHEST = b"\xff"


class Frame:
    """One frame: its kind, session, number, acknowledgement (0 to 255 each) and payload.

    `rough` asks for the form for a line that spoils bytes, or on which garbage may precede it.
    """

    rough = False

    def __init__(self, kind: int, session: int, number: int, ack: int, payload: bytes) -> None:
        self.kind = kind
        self.session = session
        self.number = number
        self.ack = ack
        self.payload = payload


def encode(frame: Frame) -> bytes:
    """Encode a frame as bytes of the line; raise ValueError for a payload that is too long."""
    payload = frame.payload
    size = len(payload)
    if size > MOST_PAYLOAD:
        raise ValueError(f"payload of {size} bytes: allowed is {MOST_PAYLOAD}")
    body = struct.pack(_HEADER, frame.kind, frame.session, frame.number, frame.ack, size) + payload
    body += struct.pack(_CHECK, binascii.crc32(body))
    if len(body) <= _BLOCK and _HIGHEST not in body:
        # The usual case, without calls: a touch waits for this.
        stuffed = _HIGHEST + body.replace(MARK, _HIGHEST)
    else:
        stuffed = _stuff(body)
    if frame.rough or frame.session == 0:
        return MARK + stuffed + ROUGH_MARKS * MARK
    return stuffed + MARK


def decode(line: bytes) -> Frame | None:
    """Decode the bytes before a mark; None for anything but a whole and valid frame."""
    return _decode(line, len(line))


def _decode(line: bytes, end: int) -> Frame | None:
    """Decode the start of a line: copying it would cost a Pico time."""
    body = line[1:end].replace(line[:1], MARK) if end <= _BLOCK else _unstuff(line, end)
    size = len(body) - _HEADER_BYTES - _CHECK_BYTES
    if size < 0 or body[4] | body[5] << 8 != size or binascii.crc32(body) != _SOUND:
        return None
    return Frame(body[0], body[1], body[2], body[3], body[_HEADER_BYTES:-_CHECK_BYTES])


class Receiver:
    """Find the frames in bytes that come in any pieces. `refused` counts invalid lines.

    Holds at most MOST_LINE bytes, whatever comes.
    """

    def __init__(self) -> None:
        self.refused = 0
        self._line = b""
        self._overflown = False

    def take(self, data: bytes) -> list[Frame]:
        """Take bytes; return the frames that they complete."""
        last = len(data) - 1
        if self._line or self._overflown or data.find(MARK) != last:
            return self._join(data)
        # The usual case: one whole line, or a mark alone.
        if last > 0:
            if last <= MOST_LINE:
                frame = _decode(data, last)
                if frame is not None:
                    return [frame]
            self.refused += 1
        return []

    def _join(self, data: bytes) -> list[Frame]:
        """Join bytes that are not exactly one line."""
        frames = []
        pieces = data.split(MARK)
        last = len(pieces) - 1
        for at, piece in enumerate(pieces):
            self._add(piece)
            if at < last:
                frame = self._end()
                if frame is not None:
                    frames.append(frame)
        return frames

    def _add(self, piece: bytes) -> None:
        if len(self._line) + len(piece) > MOST_LINE:
            self._overflown = True
        if self._overflown:
            self._line = b""
        elif piece:
            self._line += piece

    def _end(self) -> Frame | None:
        """End the line at a mark; an empty one lies between two frames."""
        line, overflown = self._line, self._overflown
        self._line, self._overflown = b"", False
        frame = decode(line) if line else None
        if frame is None and (line or overflown):
            self.refused += 1
        return frame


def _stuff(data: bytes) -> bytes:
    """Encode data without marks, with methods of bytes only: loops over bytes are slow on a Pico.

    Each block of 254 bytes follows a byte that it does not hold and that stands for the mark in it.
    """
    stuffed = b""
    for at in range(0, len(data), _BLOCK):
        block = data[at : at + _BLOCK]
        stand_in = _absent(block)
        stuffed += stand_in + block.replace(MARK, stand_in)
    return stuffed


def _unstuff(line: bytes, end: int) -> bytes:
    body = line[1 : min(end, 1 + _BLOCK)].replace(line[:1], MARK)
    at = 1 + _BLOCK
    while at < end:
        body += line[at + 1 : min(end, at + 1 + _BLOCK)].replace(line[at : at + 1], MARK)
        at += 1 + _BLOCK
    return body


def _absent(block: bytes) -> bytes:
    """Return the highest byte that is not in a block, and not the mark."""
    value = 255
    while _VALUES[value : value + 1] in block or value == MARK[0]:
        value -= 1
    return _VALUES[value : value + 1]
