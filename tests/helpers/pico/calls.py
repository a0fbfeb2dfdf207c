"""The firmware's requests to the parts on its pins: decoding and executing them.

Owns reading their data, in the layout of `shims/link_format.py`. Must not know when anything is
done.
"""

import struct

from hal.profile.pin_map import BusPins
from tests.helpers.pico.parts import EmulatedParts
from tests.helpers.pico.pio import Program
from tests.helpers.pico.processor import Kind, Request
from tests.helpers.pico.shims import link_format

UNANSWERED = frozenset({Kind.PIN, Kind.OPEN_BUS})
"""Requests without an answer."""

_BUS = struct.Struct(link_format.BUS)
_STATE_MACHINE = struct.Struct(link_format.PROGRAM)
_FED = struct.Struct(link_format.FED)


def perform(parts: EmulatedParts, request: Request) -> None:
    """Carry out a request without an answer."""
    if request.kind == Kind.PIN:
        parts.drive(request.number, request.small)
    else:
        sda, scl, frequency, timeout = _BUS.unpack(request.data)
        parts.open_bus(request.small, BusPins(sda, scl), frequency, timeout)


def answer(parts: EmulatedParts, request: Request) -> tuple[bytes, int]:
    """Carry out a request; return data and the number of an error, 0 for none."""
    kind, strip = request.kind, parts.strip
    if kind == Kind.TRANSFER:
        count = None if request.other < 0 else request.other
        return parts.transfer(request.small, request.number, request.data or None, count)
    if kind == Kind.SCAN:
        return parts.scan(request.small), 0
    if kind == Kind.STATE_MACHINE:
        program, frequency = _program(request.data, request.number)
        strip.set_up(request.small, program, frequency)
        return b"", 0
    if kind == Kind.ACTIVE:
        strip.activate(request.small, request.number)
        return b"", 0
    done_us = strip.feed(request.small, _words(request.data, request.number), request.now_us)
    return _FED.pack(done_us), 0


def _words(data: bytes, size: int) -> tuple[int, ...]:
    """Return the words for a FIFO: narrower values are repeated in a word (RP2040 data sheet,
    2.1.4)."""
    code, times = {0: ("B", 0x01010101), 1: ("H", 0x00010001), 2: ("I", 1)}[size]
    values = struct.unpack(f"<{len(data) >> size}{code}", data)
    return tuple(value * times for value in values)


def _program(data: bytes, depth: int) -> tuple[Program, int]:
    """Read a program with its settings, and its clock."""
    side_pin, target, wrap, bits, right, frequency = _STATE_MACHINE.unpack_from(data)
    words = data[_STATE_MACHINE.size :]
    program = Program(
        words=struct.unpack(f"<{len(words) // 2}H", words),
        side_pin=side_pin,
        wrap_target=target,
        wrap=wrap,
        pull_bits=bits,
        shift_right=bool(right),
        depth=depth,
    )
    return program, frequency
