"""Messages and frames that CPython and MicroPython both write and read.

Runs on both. PROTOCOL.md shows the bytes of all of them; a change of any is another protocol.
"""

from firmware import messages as m
from firmware.framing import Frame, decode, encode

IDENT = m.Ident(0x12345678, 2, (0, 2, 0), b"\xe6\x60\x38\xb7\x13\x5a\x9f\x2c", True, "1.25.0")
WIRING = m.Wiring(
    buses=[m.Bus(0, 4, 5, 400), m.Bus(1, 6, 7, 100)],
    chips=[(0, 0x5A), (0, 0x5B), (1, 0x5A)],
    interrupt=2,
    keys=[10, 11],
    strip=22,
    levels=336,
    colours=3,
    glow=20,
    poll_ms=250,
    low=8,
    high=800,
)
STATE = m.State(
    0x00012345,
    3,
    0b10,
    [m.ChipState(m.WATCHED, 0x0801, 0x000), m.ChipState(m.SILENT, 0, 0), m.ChipState(1, 0, 0x804)],
)
BLOCKS = [(0x5E, b"\x00"), (0x41, b"\x0c\x06\x0c\x06"), (0x5E, b"\x8c")]
RUNS = [(0, b"\x0a\x0b\x0c"), (333, b"\xff\x00\x80")]


PAYLOADS = {
    "HELLO": m.pack_hello(m.Hello(0x12345678, 2)),
    "IDENT": m.pack_ident(IDENT),
    "WIRING": m.pack_wiring(WIRING),
    "SET_UP": m.pack_set_up(3, 0x8C, BLOCKS),
    "READ": m.pack_read(3, 4, 24),
    "PIXELS": m.pack_pixels(RUNS, True, False),
    "PIXELS, all dark": m.pack_pixels([], True, True),
    "FOUND": m.pack_found(7, [(0, 0x5A), (1, 0x5D)]),
    "DONE": m.pack_result(8, 110, b""),
    "DATA": m.pack_result(9, 0, b"\x01\x08"),
    "FAILED": m.pack_failed(7, "pin 30 is none"),
    "STATE": m.pack_state(STATE),
}
LINES = {
    "frame of a HELLO": encode(Frame(m.HELLO, 0, 0, 0, b"\x78\x56\x34\x12\x02")),
    "frame of a STOP": encode(Frame(m.STOP, 0, 0, 0, b"")),
    "frame of an answer to a PING": encode(Frame(1, 0x5B, 0, 12, b"")),
    "frame with marks in it": encode(Frame(m.PIXELS, 0x5B, 10, 2, b"\x01\0\0\x04\n\n\xff\n")),
}
LAYOUTS = {"DONE": "RESULT", "DATA": "RESULT"}
"""The layouts that are not named after their messages."""
WRITTEN = {name: data.hex() for each in (PAYLOADS, LINES) for name, data in each.items()}


def again(name: str, payload: bytes) -> bytes:
    """Read a payload and write what was read; raise ValueError for one that cannot be."""
    layout = LAYOUTS.get(name, name).lower()
    read = getattr(m, "unpack_" + layout)(payload)
    pack = getattr(m, "pack_" + layout)
    # A named tuple is one message; a plain one holds the arguments.
    return pack(*read) if type(read) is tuple else pack(read)


def answer(name: str, data: bytes) -> str:
    """Decode bytes of a frame or a payload and encode the result again; report if that fails."""
    if name == "frame":
        frame = decode(data)
        return "none" if frame is None else encode(frame).hex()
    try:
        return again(name, data).hex()
    except ValueError:
        return "refused"
