"""The messages between host and Pico: their kinds and the layout of their payloads.

Pure; both sides run this file. Every `unpack` raises ValueError for an invalid payload. A `pack`
trusts its caller's numbers: MicroPython silently truncates those that do not fit.

The frame, STOP, and the first 5 bytes of HELLO and 8 of IDENT are the same in all versions of the
protocol, so that any host can identify any firmware and replace it.
"""

import struct
from collections import namedtuple

PROTOCOL = 2
"""The version of the protocol: both sides must have the same. Never 3: no HELLO may hold Ctrl-C."""
VERSION = (0, 2, 1)  # the version of the firmware

# Kinds 1 and 2 are the channel's own; 3 would be Ctrl-C to a program other than the firmware.
# Session 0, number 0: not part of any session.
HELLO = 6  # host: asks for an IDENT; begins a session, unless one with the same number is open
IDENT = 4  # Pico: its versions and limits
STOP = 5  # host: end the firmware, and leave the Pico to MicroPython's own prompt

# Numbered messages of a session. From the host:
WIRING = 16  # buses, chips, keys and strip; answered by FOUND, or by FAILED
SET_UP = 17  # reset a chip, write its registers, and watch it; answered by DONE
READ = 18  # read registers of a chip; answered by DATA
PIXELS = 19  # change levels of the strip, and show them; acknowledged when done, not answered
BYE = 20  # the host disconnects: lights off, no chip is watched any more

# From the Pico:
FOUND = 32  # the chips that answer on the buses of the wiring
DONE = 33
DATA = 34
FAILED = 35  # a message could not be carried out, and the reason in words
STATE = 36  # all that is touched, whenever any of it has changed

MOST_BUSES = 2
MOST_CHIPS = 8
MOST_KEYS = 16
MOST_LEVELS = 1024  # bytes of the strip: its pixels times three or four
MOST_READ = 64  # registers in one READ
NO_PIN = 255

# A chip's health in a STATE.
ASLEEP = 0  # it was not set up in this session, or no longer exists
WATCHED = 1
SILENT = 2  # it does not acknowledge
HELD = 3  # its bus is held: a time-out
RESET = 4  # it no longer runs as it was set up

_SHOW = 1
_CLEAR = 2
_MOST_SYSTEM = 100
_MOST_WHY = 200


Hello = namedtuple("Hello", "nonce protocol")
"""Asks for an IDENT. `nonce` is a number of 32 bits, a new one for each session."""

Ident = namedtuple("Ident", "nonce protocol version identity watchdog system")
"""Identifies the Pico: versions, an identity of 8 bytes, and MicroPython's version.

`nonce` is that of the HELLO. `watchdog` tells that the last start was a reset by the watchdog.
"""

Bus = namedtuple("Bus", "number data clock clock_khz")
"""An I2C controller (0 or 1) on pins, with a clock in kHz."""

Wiring = namedtuple(
    "Wiring", "buses chips interrupt keys strip levels colours glow poll_ms low high"
)
"""Buses, chips, keys and strip: `chips` are (bus, address), `keys` pins, NO_PIN is none.

A measurement of an electrode is odd at `low` counts or below, or `high` or above. A pixel has
`colours` bytes of levels, and `glow` is the brightness of each while it breathes without a host.
"""

State = namedtuple("State", "time_ms merged keys chips")
"""What is touched at a time of the Pico's clock, in ms modulo 2**32.

`keys` has one bit for each key, in the order of the wiring. `merged` counts, modulo 256, the states
that were never sent because there was no room.
"""


class ChipState:
    """A chip's health, its odd electrodes (one bit each), and its whole touch status register."""

    def __init__(self, health: int, touched: int, odd: int) -> None:
        self.health = health
        self.touched = touched
        self.odd = odd


def session_of(nonce: int) -> int:
    """Return the number, 1 to 255, of the frames of a session."""
    return nonce % 255 + 1


def pack_hello(hello: Hello) -> bytes:
    return struct.pack("<IB", hello.nonce, hello.protocol)


def unpack_hello(payload: bytes) -> Hello:
    """Read a HELLO of any version: later ones may be longer."""
    _check(len(payload) >= 5)
    nonce, protocol = struct.unpack("<IB", payload[:5])
    return Hello(nonce, protocol)


def pack_ident(ident: Ident) -> bytes:
    identity: bytes = ident.identity
    known = struct.pack("<IBBBB", ident.nonce, ident.protocol, *ident.version)
    limits = MOST_BUSES, MOST_CHIPS, MOST_KEYS, MOST_LEVELS
    rest = struct.pack("<BBBBH", ident.watchdog, *limits)
    return known + (identity + bytes(8))[:8] + rest + _cut(ident.system, _MOST_SYSTEM)


def unpack_ident(payload: bytes) -> Ident:
    """Read an IDENT; of another version only the nonce and the versions."""
    _check(len(payload) >= 8)
    nonce, protocol, major, minor, patch = struct.unpack("<IBBBB", payload[:8])
    version = (major, minor, patch)
    if protocol != PROTOCOL:
        return Ident(nonce, protocol, version, b"", False, "")
    _check(len(payload) >= 22)
    system = _text(payload[22:])
    return Ident(nonce, protocol, version, payload[8:16], payload[16] == 1, system)


def pack_wiring(wiring: Wiring) -> bytes:
    w = wiring
    lights = (w.strip, w.levels, w.colours, w.glow)
    parts = [
        struct.pack("<BBHBBHHH", w.interrupt, *lights, w.poll_ms, w.low, w.high),
        bytes([len(w.buses), len(w.chips), len(w.keys)]),
    ]
    for bus in wiring.buses:
        parts.append(struct.pack("<BBBH", bus.number, bus.data, bus.clock, bus.clock_khz))
    for place in wiring.chips:
        parts.append(bytes(place))
    parts.append(bytes(wiring.keys))
    return b"".join(parts)


def unpack_wiring(payload: bytes) -> Wiring:
    _check(len(payload) >= 15)
    interrupt, strip, levels, colours, glow, poll_ms, low, high = struct.unpack(
        "<BBHBBHHH", payload[:12]
    )
    count, chip_count, key_count = payload[12], payload[13], payload[14]
    chips_at = 15 + 5 * count
    keys_at = chips_at + 2 * chip_count
    _check(len(payload) == keys_at + key_count)
    _check(count <= MOST_BUSES and chip_count <= MOST_CHIPS and key_count <= MOST_KEYS)
    _check(levels <= MOST_LEVELS and colours in (3, 4) and levels % colours == 0)
    _check((strip != NO_PIN or levels == 0) and poll_ms > 0)
    buses = []
    for at in range(15, chips_at, 5):
        number, data, clock, clock_khz = struct.unpack("<BBBH", payload[at : at + 5])
        buses.append(Bus(number, data, clock, clock_khz))
    numbers = [bus.number for bus in buses]
    _check(len(set(numbers)) == count and all(number < MOST_BUSES for number in numbers))
    chips = _places(payload, chips_at, keys_at)
    _check(all(bus in numbers for bus, _ in chips))
    keys = list(payload[keys_at:])
    return Wiring(buses, chips, interrupt, keys, strip, levels, colours, glow, poll_ms, low, high)


def pack_found(number: int, chips: list[tuple[int, int]]) -> bytes:
    """Write a FOUND: the (bus, address) of each chip that answers."""
    return bytes([number]) + b"".join([bytes(place) for place in chips])


def unpack_found(payload: bytes) -> tuple[int, list[tuple[int, int]]]:
    """Read a FOUND: the number of the WIRING, and the (bus, address) of each chip that answers."""
    _check(len(payload) % 2 == 1 and len(payload) <= 1 + 2 * MOST_CHIPS)
    return payload[0], _places(payload, 1, len(payload))


def pack_set_up(chip: int, mode: int, blocks: list[tuple[int, bytes]]) -> bytes:
    """Write a SET_UP: blocks of a first register and the values from there on, in order.

    `mode` is the expected content of register 0x5E from then on.
    """
    parts = [bytes([chip, mode])]
    for register, values in blocks:
        parts.append(bytes([register, len(values)]) + values)
    return b"".join(parts)


def unpack_set_up(payload: bytes) -> tuple[int, int, list[tuple[int, bytes]]]:
    """Read a SET_UP: chip, mode, and blocks of a register and its values."""
    _check(len(payload) >= 2 and payload[0] < MOST_CHIPS)
    blocks = []
    at = 2
    while at < len(payload):
        _check(at + 1 < len(payload))
        count = payload[at + 1]
        after = at + 2 + count
        _check(after <= len(payload) and 0 < count <= 256 - payload[at])
        blocks.append((payload[at], payload[at + 2 : after]))
        at = after
    return payload[0], payload[1], blocks


def pack_read(chip: int, register: int, count: int) -> bytes:
    return bytes([chip, register, count])


def unpack_read(payload: bytes) -> tuple[int, int, int]:
    """Read a READ: chip, first register and how many."""
    _check(len(payload) == 3 and payload[0] < MOST_CHIPS)
    _check(0 < payload[2] <= min(MOST_READ, 256 - payload[1]))
    return payload[0], payload[1], payload[2]


def pack_result(number: int, error: int, data: bytes) -> bytes:
    """Write a DONE or DATA: the answered message's number, 0 or an error number, and the data."""
    return bytes([number, error & 255]) + data


def unpack_result(payload: bytes) -> tuple[int, int, bytes]:
    """Read a DONE or DATA: number, error, and the bytes, which are empty after an error."""
    _check(2 <= len(payload) <= 2 + MOST_READ and (payload[1] == 0 or len(payload) == 2))
    return payload[0], payload[1], payload[2:]


def pack_failed(number: int, why: str) -> bytes:
    """Write a FAILED: the number of the message, and the reason, in at most 200 bytes."""
    return bytes([number]) + _cut(why, _MOST_WHY)


def unpack_failed(payload: bytes) -> tuple[int, str]:
    _check(1 <= len(payload) <= 1 + _MOST_WHY)
    return payload[0], _text(payload[1:])


def pack_state(state: State) -> bytes:
    # Touches wait for this, so it is fast.
    count = len(state.chips)
    payload = bytearray(8 + 4 * count)
    struct.pack_into("<IBHB", payload, 0, state.time_ms, state.merged, state.keys, count)
    at = 8
    for chip in state.chips:
        struct.pack_into("<HH", payload, at, chip.touched, chip.health << 12 | chip.odd)
        at += 4
    return bytes(payload)


def unpack_state(payload: bytes) -> State:
    _check(len(payload) >= 8)
    time_ms, merged, keys, count = struct.unpack("<IBHB", payload[:8])
    _check(len(payload) == 8 + 4 * count and count <= MOST_CHIPS)
    chips = []
    for at in range(8, len(payload), 4):
        touched, rest = struct.unpack("<HH", payload[at : at + 4])
        _check(rest >> 12 <= RESET)
        chips.append(ChipState(rest >> 12, touched, rest & 0xFFF))
    return State(time_ms, merged, keys, chips)


def pack_pixels(runs: list[tuple[int, bytes]], show: bool, clear: bool) -> bytes:
    """Write a PIXELS: runs of at most 255 levels, each with its first byte of the strip.

    `clear` sets all levels to 0 before, `show` sends them to the strip afterwards.
    """
    parts = [bytes([_SHOW * show | _CLEAR * clear])]
    for offset, levels in runs:
        parts.append(struct.pack("<HB", offset, len(levels)) + levels)
    return b"".join(parts)


def unpack_pixels(payload: bytes) -> tuple[list[tuple[int, bytes]], bool, bool]:
    """Read a PIXELS: runs, show, clear."""
    size = len(payload)
    _check(size >= 1 and payload[0] <= _SHOW | _CLEAR)
    runs = []
    at = 4
    # A frame waits for this loop, so it calls no helper.
    while at <= size:
        offset = payload[at - 3] | payload[at - 2] << 8
        count = payload[at - 1]
        after = at + count
        if after > size or count == 0 or offset + count > MOST_LEVELS:
            break
        runs.append((offset, payload[at:after]))
        at = after + 3
    _check(at == size + 3)
    return runs, payload[0] & _SHOW != 0, payload[0] & _CLEAR != 0


def _check(sound: bool) -> None:
    if not sound:
        raise ValueError("payload of another layout")


def _places(payload: bytes, start: int, end: int) -> list[tuple[int, int]]:
    places = []
    for at in range(start, end, 2):
        _check(payload[at] < MOST_BUSES and payload[at + 1] < 0x80)
        places.append((payload[at], payload[at + 1]))
    return places


def _cut(text: str, most: int) -> bytes:
    """Encode a text, cut to a number of bytes but not within a character."""
    data = text.encode()
    if len(data) > most:
        while data[most] & 0xC0 == 0x80:
            most -= 1
    return data[:most]


def _text(data: bytes) -> str:
    """Decode UTF-8; return "?" if it is invalid: MicroPython has no errors="replace"."""
    try:
        return data.decode()
    except UnicodeError:
        return "?"
