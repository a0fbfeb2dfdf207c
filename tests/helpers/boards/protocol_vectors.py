"""Messages and frames with their very bytes, which CPython and MicroPython both write and read.

Runs on both. A change of any of these bytes is another protocol. PROTOCOL.md shows all of them.
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


PAYLOADS = [
    ("HELLO", m.pack_hello(m.Hello(0x12345678, 2)), "78563412 02"),
    (
        "IDENT",
        m.pack_ident(IDENT),
        "78563412 02 000200 e66038b7135a9f2c 01 02 08 10 0004 312e32352e30",
    ),
    (
        "WIRING",
        m.pack_wiring(WIRING),
        "02 16 5001 03 14 fa00 0800 2003 02 03 02"
        " 00 04 05 9001 01 06 07 6400 00 5a 00 5b 01 5a 0a 0b",
    ),
    ("SET_UP", m.pack_set_up(3, 0x8C, BLOCKS), "03 8c 5e 01 00 41 04 0c060c06 5e 01 8c"),
    ("READ", m.pack_read(3, 4, 24), "03 04 18"),
    ("PIXELS", m.pack_pixels(RUNS, True, False), "01 0000 03 0a0b0c 4d01 03 ff0080"),
    ("PIXELS, all dark", m.pack_pixels([], True, True), "03"),
    ("FOUND", m.pack_found(7, [(0, 0x5A), (1, 0x5D)]), "07 00 5a 01 5d"),
    ("DONE", m.pack_done(8, 110), "08 6e"),
    ("DATA", m.pack_data(9, 0, b"\x01\x08"), "09 00 0108"),
    ("FAILED", m.pack_failed(7, "pin 30 is none"), "07 70696e203330206973206e6f6e65"),
    ("STATE", m.pack_state(STATE), "45230100 03 0200 03 0108 0010 0000 0020 0000 0418"),
]

FRAMES = [
    (
        "frame of a HELLO",
        Frame(m.HELLO, 0, 0, 0, b"\x78\x56\x34\x12\x02"),
        "0a ff 06 00 00 00 0500 7856341202 cbf35643 0a",
    ),
    ("frame of a STOP", Frame(m.STOP, 0, 0, 0, b""), "0a ff 05 00 00 00 0000 10300fe1 0a"),
    (
        "frame of an answer to a PING",
        Frame(1, 0x5B, 0, 12, b""),
        "ff 01 5b 00 0c 0000 b875473c 0a",
    ),
    (
        "frame with marks in it",
        Frame(m.PIXELS, 0x5B, 10, 2, b"\x01\x00\x00\x04\x0a\x0a\xff\x0a"),
        "fe 13 5b fe 02 0800 01000004fefefffe 762e56ac 0a",
    ),
]


def plain(text: str) -> bytes:
    """Read hexadecimal digits with blanks between."""
    return bytes.fromhex(text.replace(" ", ""))


def check() -> list[str]:
    """Write and read them all; report each difference."""
    wrong = []
    for name, payload, wanted in PAYLOADS:
        if payload != plain(wanted):
            wrong.append(f"{name} is {payload.hex()}, and should be {wanted}")
        elif again(name.split(",")[0], payload) != payload:
            wrong.append(f"{name} does not survive reading and writing")
    for name, frame, wanted in FRAMES:
        line = encode(frame)
        if line != plain(wanted):
            wrong.append(f"{name} is {line.hex()}, and should be {wanted}")
        read = decode(line.strip(b"\n"))
        if read is None or encode(read) != line:
            wrong.append(f"{name} does not survive reading and writing")
    return wrong


def again(name: str, payload: bytes) -> bytes:
    """Read a payload and write what was read; raise ValueError for one that cannot be."""
    read = getattr(m, "unpack_" + name.lower())(payload)
    pack = getattr(m, "pack_" + name.lower())
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


NAMES = [name for name, _, _ in PAYLOADS if "," not in name]
