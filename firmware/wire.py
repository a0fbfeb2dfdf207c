"""Frames on the serial line: length, number, check, and how they are found again after garbage.

Owns the bytes of a frame. Pure, and written in the Python that MicroPython and CPython both run:
this file is the host's too. Must not know what a frame's payload means (`firmware.messages`), nor
when one is sent (`firmware.channel`). The format is written down in PROTOCOL.md.
"""

import binascii
import struct

MARK = b"\n"
"""Stands before and after each frame, and nowhere in it.

A newline, because MicroPython on a Pico can read up to one at the speed of C, and nothing else
without waiting for bytes that may never come.
"""
MOST_PAYLOAD = 380
"""The longest payload, in bytes."""
MOST_LINE = 400
"""The longest frame on the wire, in bytes, its marks included."""

_MARK = 10
_HEADER = "<BBBBH"
_HEADER_BYTES = 6
_CHECK = "<I"
_CHECK_BYTES = 4
_LONGEST_RUN = 254


class Frame:
    """Hold one frame: its kind, session, number, acknowledgement (0 to 255 each) and payload."""

    def __init__(self, kind: int, session: int, number: int, ack: int, payload: bytes) -> None:
        self.kind = kind
        self.session = session
        self.number = number
        self.ack = ack
        self.payload = payload


def encode(frame: Frame) -> bytes:
    """Write a frame as bytes of the line; raise ValueError for a payload that is too long."""
    size = len(frame.payload)
    if size > MOST_PAYLOAD:
        raise ValueError(f"payload of {size} bytes: allowed is {MOST_PAYLOAD}")
    header = struct.pack(_HEADER, frame.kind, frame.session, frame.number, frame.ack, size)
    body = header + frame.payload
    return MARK + _stuff(body + struct.pack(_CHECK, binascii.crc32(body))) + MARK


def decode(line: bytes) -> Frame | None:
    """Read what stood between two marks; None for what is no whole and sound frame."""
    body = _unstuff(line)
    if body is None or len(body) < _HEADER_BYTES + _CHECK_BYTES:
        return None
    content = body[:-_CHECK_BYTES]
    if struct.unpack(_CHECK, body[-_CHECK_BYTES:])[0] != binascii.crc32(content):
        return None
    kind, session, number, ack, size = struct.unpack(_HEADER, content[:_HEADER_BYTES])
    if size != len(content) - _HEADER_BYTES:
        return None
    return Frame(kind, session, number, ack, content[_HEADER_BYTES:])


class Receiver:
    """Find the frames in bytes that come in any pieces. `refused` counts what was no frame.

    Holds at most MOST_LINE bytes, whatever comes.
    """

    def __init__(self) -> None:
        self.refused = 0
        self._line = b""
        self._overflown = False

    def take(self, data: bytes) -> list[Frame]:
        """Take bytes; give the frames that they complete."""
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
    """Write data without marks: consistent overhead byte stuffing (Cheshire and Baker, 1999).

    Runs without a mark follow a byte that counts them. A count of 1 to 254 is one more than the
    bytes of the run, after which there was a mark; 255 is 254 bytes without one. Counts are moved
    up by the mark, so that none looks like it.
    """
    parts = []
    for run in data.split(MARK):
        while len(run) >= _LONGEST_RUN:
            parts.append(_count(_LONGEST_RUN + 1))
            parts.append(run[:_LONGEST_RUN])
            run = run[_LONGEST_RUN:]
        parts.append(_count(len(run) + 1))
        parts.append(run)
    return b"".join(parts)


def _unstuff(line: bytes) -> bytes | None:
    parts = []
    at, size = 0, len(line)
    while at < size:
        count = (line[at] - _MARK) & 255
        after = at + count
        # A count of 0 would be a mark, which no line holds.
        if after > size or count == 0:
            return None
        parts.append(line[at + 1 : after])
        if count <= _LONGEST_RUN and after < size:
            parts.append(MARK)
        at = after
    return b"".join(parts)


def _count(count: int) -> bytes:
    return bytes([(count + _MARK) & 255])
