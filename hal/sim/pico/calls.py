"""What the firmware asks of the parts on its pins: requests, decoded and done.

Owns how their data is read, which `below/asking.py` lays out. Must not know when anything is done.
"""

import struct

from hal.sim.pico.below import asking
from hal.sim.pico.parts import EmulatedParts
from hal.sim.pico.pio import PinGroup, Program
from hal.sim.pico.processor import Kind, Request
from hal.wiring import BusPins

TOLD = frozenset({Kind.PIN, Kind.OPEN_BUS})
"""What is told, and wants no answer."""

_BUS = struct.Struct(asking.BUS)
_STATE_MACHINE = struct.Struct(asking.PROGRAM)
_FED = struct.Struct(asking.FED)


def tell(parts: EmulatedParts, request: Request) -> None:
    """Do what is told."""
    if request.kind == Kind.PIN:
        parts.drive(request.number, request.small)
    else:
        sda, scl, frequency, timeout = _BUS.unpack(request.data)
        parts.open_bus(request.small, BusPins(sda, scl), frequency, timeout)


def ask(parts: EmulatedParts, request: Request) -> tuple[bytes, int]:
    """Do what is asked; give data and the number of an error, 0 for none."""
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
    feeding = strip.feed(request.small, _words(request.data, request.number), request.now_us)
    return _FED.pack(feeding.done_us, feeding.waiting), 0


def _words(data: bytes, size: int) -> tuple[int, ...]:
    """Give what a FIFO gets: what is narrower than a word fills it (RP2040 data sheet, 2.1.4)."""
    code, times = {0: ("B", 0x01010101), 1: ("H", 0x00010001), 2: ("I", 1)}[size]
    values = struct.unpack(f"<{len(data) >> size}{code}", data)
    return tuple(value * times for value in values)


def _program(data: bytes, depth: int) -> tuple[Program, int]:
    """Read a program with its settings, and the clock that it wants."""
    fields = _STATE_MACHINE.unpack_from(data)
    sides, optional, side_base, outs, out_base, sets, set_base = fields[:7]
    target, wrap, autopull, bits, right, frequency = fields[7:]
    words = data[_STATE_MACHINE.size :]
    program = Program(
        words=struct.unpack(f"<{len(words) // 2}H", words),
        sides=PinGroup(side_base, sides),
        optional=bool(optional),
        outs=PinGroup(out_base, outs),
        sets=PinGroup(set_base, sets),
        wrap_target=target,
        wrap=wrap,
        autopull=bool(autopull),
        pull_bits=bits,
        shift_right=bool(right),
        depth=depth,
    )
    return program, frequency
