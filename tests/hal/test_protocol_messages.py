"""Payloads of messages: each comes back as it was, and what cannot be one is refused."""

import struct
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware import messages as m
from firmware.channel import PING, ROUGH
from firmware.wire import MOST_PAYLOAD
from tests.helpers.boards import protocol_vectors
from tests.helpers.boards.protocol_vectors import NAMES, PAYLOADS, again, plain

BYTE = st.integers(0, 255)
SHORT = st.integers(0, 0xFFFF)
WORD = st.integers(0, 2**32 - 1)
VERSION = st.tuples(BYTE, BYTE, BYTE)
ADDRESS = st.integers(0, 0x7F)
CHIP = st.integers(0, m.MOST_CHIPS - 1)
UNCUT = st.text(max_size=25, alphabet=st.characters(exclude_categories=["Cs"]))
HELLOS = st.builds(m.Hello, WORD, BYTE)
IDENTS = st.builds(
    m.Ident,
    WORD,
    st.just(m.PROTOCOL),
    VERSION,
    st.binary(min_size=8, max_size=8),
    st.booleans(),
    st.tuples(BYTE, BYTE, BYTE, SHORT),
    UNCUT,
)


@st.composite
def wirings(draw):
    numbers = draw(st.lists(st.integers(0, m.MOST_BUSES - 1), unique=True, max_size=m.MOST_BUSES))
    place = st.tuples(st.sampled_from(numbers or [0]), ADDRESS)
    strip = draw(BYTE)
    colours = draw(st.sampled_from([3, 4]))
    pixels = 0 if strip == m.NO_PIN else draw(st.integers(0, m.MOST_LEVELS // colours))
    return m.Wiring(
        buses=[m.Bus(number, draw(BYTE), draw(BYTE), draw(SHORT)) for number in numbers],
        chips=draw(st.lists(place, max_size=m.MOST_CHIPS if numbers else 0)),
        interrupt=draw(BYTE),
        keys=draw(st.lists(BYTE, max_size=m.MOST_KEYS)),
        strip=strip,
        levels=pixels * colours,
        colours=colours,
        glow=draw(BYTE),
        poll_ms=draw(st.integers(1, 0xFFFF)),
        low=draw(SHORT),
        high=draw(SHORT),
    )


@st.composite
def blocks(draw):
    register = draw(BYTE)
    return register, draw(st.binary(min_size=1, max_size=min(40, 256 - register)))


@st.composite
def runs(draw):
    offset = draw(st.integers(0, m.MOST_LEVELS - 1))
    return offset, draw(st.binary(min_size=1, max_size=min(255, m.MOST_LEVELS - offset)))


@st.composite
def reads(draw):
    register = draw(BYTE)
    return draw(CHIP), register, draw(st.integers(1, min(m.MOST_READ, 256 - register)))


CHIP_STATES = st.builds(m.ChipState, st.integers(m.ASLEEP, m.RESET), SHORT, st.integers(0, 0xFFF))
STATES = st.builds(m.State, WORD, BYTE, SHORT, st.lists(CHIP_STATES, max_size=m.MOST_CHIPS))
PLACES = st.lists(st.tuples(st.integers(0, m.MOST_BUSES - 1), ADDRESS), max_size=m.MOST_CHIPS)


@dataclass
class Case:
    """What can be said in a message, how it is written and read, and whether it is one thing."""

    values: st.SearchStrategy[Any]
    pack: Any
    unpack: Any
    single: bool = False


CASES = {
    "HELLO": Case(HELLOS, m.pack_hello, m.unpack_hello, single=True),
    "IDENT": Case(IDENTS, m.pack_ident, m.unpack_ident, single=True),
    "WIRING": Case(wirings(), m.pack_wiring, m.unpack_wiring, single=True),
    "SET_UP": Case(
        st.tuples(CHIP, BYTE, st.lists(blocks(), max_size=8)), m.pack_set_up, m.unpack_set_up
    ),
    "READ": Case(reads(), m.pack_read, m.unpack_read),
    "PIXELS": Case(
        st.tuples(st.lists(runs(), max_size=5), st.booleans(), st.booleans()),
        m.pack_pixels,
        m.unpack_pixels,
    ),
    "FOUND": Case(st.tuples(BYTE, PLACES), m.pack_found, m.unpack_found),
    "DONE": Case(st.tuples(BYTE, BYTE), m.pack_done, m.unpack_done),
    "DATA": Case(
        st.one_of(
            st.tuples(BYTE, st.just(0), st.binary(max_size=m.MOST_READ)),
            st.tuples(BYTE, st.integers(1, 255), st.just(b"")),
        ),
        m.pack_data,
        m.unpack_data,
    ),
    "FAILED": Case(st.tuples(BYTE, UNCUT), m.pack_failed, m.unpack_failed),
    "STATE": Case(STATES, m.pack_state, m.unpack_state, single=True),
}


def plainly(value: Any) -> Any:
    """Give a value as lists and numbers, so that two can be compared."""
    if hasattr(value, "__dict__"):
        return {name: plainly(each) for name, each in vars(value).items()}
    if isinstance(value, list | tuple):
        return [plainly(each) for each in value]
    return value


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_message_comes_back_as_it_was(name, data):
    case = CASES[name]
    value = data.draw(case.values)
    payload = case.pack(value) if case.single else case.pack(*value)
    assert plainly(case.unpack(payload)) == plainly(value)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_any_payload_is_read_or_refused(name, data):
    sound = st.sampled_from([plain(wanted) for each, _, wanted in PAYLOADS if each == name])
    spoilt = st.builds(spoil, sound, st.integers(0, 60), BYTE, st.integers(0, 60))
    payload = data.draw(st.one_of(st.binary(max_size=MOST_PAYLOAD), spoilt))
    try:
        value = CASES[name].unpack(payload)
    except ValueError:
        return
    assert in_bounds(name, value)


def spoil(payload: bytes, at: int, value: int, size: int) -> bytes:
    """Change a byte and cut or lengthen the end."""
    changed = bytearray(payload)
    changed[at % len(changed)] = value
    return bytes(changed + b"\x01\x02\x03")[: size or None]


def in_bounds(name: str, value: Any) -> bool:
    """Tell whether what was read is something that the other side may rely on."""
    if name == "WIRING":
        numbers = [bus.number for bus in value.buses]
        return (
            len(value.buses) <= m.MOST_BUSES
            and len(set(numbers)) == len(numbers)
            and all(number < m.MOST_BUSES for number in numbers)
            and len(value.chips) <= m.MOST_CHIPS
            and all(bus in numbers and address < 0x80 for bus, address in value.chips)
            and len(value.keys) <= m.MOST_KEYS
            and value.levels <= m.MOST_LEVELS
            and value.colours in (3, 4)
            and value.levels % value.colours == 0
            and (value.strip != m.NO_PIN or value.levels == 0)
            and value.poll_ms > 0
        )
    if name == "SET_UP":
        chip, _, written = value
        return chip < m.MOST_CHIPS and all(
            0 < len(values) <= 256 - register for register, values in written
        )
    if name == "READ":
        chip, register, count = value
        return chip < m.MOST_CHIPS and 0 < count <= m.MOST_READ and register + count <= 256
    if name == "PIXELS":
        return all(0 < len(levels) <= m.MOST_LEVELS - offset for offset, levels in value[0])
    if name == "FOUND":
        return len(value[1]) <= m.MOST_CHIPS and all(
            bus < m.MOST_BUSES and address < 0x80 for bus, address in value[1]
        )
    if name == "DATA":
        return len(value[2]) <= m.MOST_READ and (value[1] == 0 or not value[2])
    if name == "FAILED":
        return len(value[1]) <= 200
    if name == "STATE":
        return len(value.chips) <= m.MOST_CHIPS and all(
            chip.health <= m.RESET and chip.odd <= 0xFFF for chip in value.chips
        )
    return True


WIRING = "02 16 5001 03 14 fa00 0800 2003 01 01 01 00 04 05 9001 00 5a 0a"


def test_wiring_of_the_refused_ones_is_itself_sound():
    wiring = m.unpack_wiring(plain(WIRING))
    assert (wiring.chips, wiring.keys, wiring.levels) == ([(0, 0x5A)], [10], 336)


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("HELLO", "78563412"),
        ("IDENT", "78563412 01 0001"),
        ("IDENT", "78563412 01 000100 e66038b7135a9f2c 01 02 08 10 00"),
        ("WIRING", WIRING[:-3]),
        ("WIRING", WIRING + "00"),
        ("WIRING", WIRING.replace("5001", "0304")),  # 1027 levels
        ("WIRING", WIRING.replace("5001 03", "5001 02")),  # 2 colours
        ("WIRING", WIRING.replace("5001 03", "5001 05")),  # 5 colours
        ("WIRING", WIRING.replace("5001", "5101")),  # a third of a pixel
        ("WIRING", WIRING.replace("fa00", "0000")),  # poll_ms
        ("WIRING", WIRING.replace("02 16", "02 ff")),  # levels without a pin
        ("WIRING", WIRING.replace("00 04 05", "02 04 05")),  # a third bus
        ("WIRING", WIRING.replace("00 5a", "01 5a")),  # a chip on no bus
        ("WIRING", WIRING.replace("00 5a", "00 80")),  # an address of 8 bits
        (
            "WIRING",
            "02 16 0000 03 14 fa00 0800 2003 02 00 00 00 04 05 9001 00 06 07 9001",
        ),  # a bus twice
        ("WIRING", "02 16 0000 03 14 fa00 0800 2003 00 00 11" + "00" * 17),  # 17 keys
        ("WIRING", "02 16 0000 03 14 fa00 0800 2003 01 09 00 00 04 05 9001" + "005a" * 9),
        ("SET_UP", "03"),
        ("SET_UP", "08 8c"),
        ("SET_UP", "03 8c 5e"),
        ("SET_UP", "03 8c 5e 00"),
        ("SET_UP", "03 8c 5e 02 00"),
        ("SET_UP", "03 8c ff 02 0000"),
        ("READ", "03 04"),
        ("READ", "03 04 18 00"),
        ("READ", "08 04 18"),
        ("READ", "03 04 00"),
        ("READ", "03 04 41"),
        ("READ", "03 f0 11"),
        ("PIXELS", ""),
        ("PIXELS", "04"),
        ("PIXELS", "01 0000"),
        ("PIXELS", "01 0000 00"),
        ("PIXELS", "01 0000 02 ff"),
        ("PIXELS", "01 0004 01 ff"),
        ("PIXELS", "01 ff03 02 ffff"),
        ("FOUND", ""),
        ("FOUND", "07 00"),
        ("FOUND", "07 02 5a"),
        ("FOUND", "07 00 80"),
        ("FOUND", "07" + "005a" * 9),
        ("DONE", "08"),
        ("DONE", "08 00 00"),
        ("DATA", "09"),
        ("DATA", "09 05 00"),
        ("DATA", "09 00" + "00" * 65),
        ("FAILED", ""),
        ("FAILED", "07" + "20" * 201),
        ("STATE", "45230100 03 0200"),
        ("STATE", "45230100 03 0200 01 0108 00"),
        ("STATE", "45230100 03 0200 01 0108 0050"),
        ("STATE", "45230100 03 0200 09" + "00000010" * 9),
    ],
)
def test_payload_out_of_bounds_is_refused(name, payload):
    with pytest.raises(ValueError, match="payload of another layout"):
        again(name, plain(payload))


def test_bytes_of_all_messages_are_as_written_down():
    assert protocol_vectors.check() == []


def test_vectors_would_tell_a_byte_that_changed(monkeypatch):
    name, payload, wanted = PAYLOADS[0]
    monkeypatch.setattr(protocol_vectors, "PAYLOADS", [(name, payload, wanted + "00")])
    assert protocol_vectors.check() == [f"{name} is 7856341201, and should be {wanted}00"]


def test_vectors_hold_every_message_that_has_a_payload():
    packs = {name[5:].upper() for name in dir(m) if name.startswith("pack_")}
    assert packs == set(NAMES) == set(CASES)


def test_kinds_of_messages_differ_and_are_none_of_the_channels_own():
    kinds = [getattr(m, name) for name in [*NAMES, "STOP", "BYE"]]
    assert len(set(kinds)) == len(kinds)
    assert all(PING < kind < ROUGH for kind in kinds)


@given(WORD, st.integers(0, 255), st.binary(max_size=40))
def test_hello_of_any_version_can_be_read(nonce, protocol, more):
    hello = m.unpack_hello(struct.pack("<IB", nonce, protocol) + more)
    assert (hello.nonce, hello.protocol) == (nonce, protocol)


@given(WORD, BYTE, VERSION, st.binary(max_size=80))
@example(1, 2, (1, 2, 3), b"")
def test_ident_of_another_version_tells_its_versions(nonce, protocol, version, more):
    if protocol == m.PROTOCOL:
        more += bytes(14)
    ident = m.unpack_ident(struct.pack("<IBBBB", nonce, protocol, *version) + more)
    assert (ident.nonce, ident.protocol, ident.version) == (nonce, protocol, version)


@given(WORD)
def test_session_of_a_nonce_is_1_to_255_and_differs_from_the_next_ones(nonce):
    session = m.Hello(nonce, 1).session
    assert 1 <= session <= 255
    assert session != m.Hello(nonce + 1, 1).session


@given(BYTE, st.text(alphabet="aé€𝄞", max_size=300))
def test_reason_that_is_too_long_is_cut_between_letters(number, why):
    payload = m.pack_failed(number, why)
    assert len(payload) <= 201
    said = m.unpack_failed(payload)[1]
    assert why.startswith(said)
    assert len(why.encode()) <= 200 or len(said.encode()) > 196


@given(IDENTS, st.text(alphabet="aé€𝄞", max_size=300))
def test_ident_fits_a_frame_whatever_the_system_says(ident, system):
    ident.system = system
    payload = m.pack_ident(ident)
    assert len(payload) <= 122
    assert system.startswith(m.unpack_ident(payload).system)


def test_text_that_is_none_is_a_question_mark():
    assert m.unpack_failed(b"\x01\xff\xfe") == (1, "?")


def test_identity_of_another_length_is_cut_or_filled():
    ident = m.unpack_ident(plain(PAYLOADS[1][2]))
    for identity, wanted in ((b"1234", b"1234\0\0\0\0"), (b"123456789", b"12345678")):
        ident.identity = identity
        assert m.unpack_ident(m.pack_ident(ident)).identity == wanted


def test_levels_of_112_pixels_of_three_colours_fit_a_line():
    levels = bytes(336)
    payload = m.pack_pixels([(0, levels[:255]), (255, levels[255:])], True, False)
    assert len(payload) + 17 <= 400
