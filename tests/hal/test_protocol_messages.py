"""Payloads of messages: each comes back as it was, and PROTOCOL.md is true of them."""

import re
import struct
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware import channel, messages
from firmware import framing as wire
from firmware import messages as m
from tests.helpers.boards.protocol_vectors import LAYOUTS, PAYLOADS, WRITTEN, again

BYTE = st.integers(0, 255)
WORD = st.integers(0, 2**32 - 1)
VERSION = st.tuples(BYTE, BYTE, BYTE)
NAMES = [name for name in PAYLOADS if "," not in name]


@given(st.sampled_from(NAMES), st.integers(0, 60), BYTE, st.integers(0, 60))
def test_payload_that_was_changed_is_refused_or_written_as_it_was_read(name, at, value, size):
    changed = bytearray(PAYLOADS[name])
    changed[at % len(changed)] = value
    payload = bytes(changed + b"\x01\x02\x03")[: size or None]
    try:
        written = again(name, payload)
    except ValueError:
        return
    assert again(name, written) == written


WIRING = "02 16 5001 03 14 fa00 0800 2003 01 01 01 00 04 05 9001 00 5a 0a"


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("HELLO", "78563412"),
        ("WIRING", WIRING[:-3]),
        ("WIRING", WIRING.replace("5001", "0304")),  # 1027 levels
        ("WIRING", WIRING.replace("5001 03", "5001 02")),  # 2 colours
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
        ("SET_UP", "08 8c"),
        ("SET_UP", "03 8c 5e 02 00"),
        ("READ", "03 04"),
        ("READ", "03 04 00"),
        ("READ", "03 04 41"),
        ("PIXELS", "04"),
        ("PIXELS", "01 0000 02 ff"),
        ("PIXELS", "01 ff03 02 ffff"),
        ("FOUND", "07 00"),
        ("FOUND", "07" + "005a" * 9),
        ("DATA", "09 05 00"),
        ("DATA", "09 00" + "00" * 65),
        ("FAILED", "07" + "20" * 201),
        ("STATE", "45230100 03 0200 01 0108 0050"),
        ("STATE", "45230100 03 0200 09" + "00000010" * 9),
    ],
)
def test_payload_out_of_bounds_is_refused(name, payload):
    with pytest.raises(ValueError, match="payload of another layout"):
        again(name, bytes.fromhex(payload))


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


@given(BYTE, st.text(alphabet="aé€𝄞", max_size=300))
def test_reason_that_is_too_long_is_cut_between_letters(number, why):
    payload = m.pack_failed(number, why)
    assert len(payload) <= 201
    said = m.unpack_failed(payload)[1]
    assert why.startswith(said)
    assert len(why.encode()) <= 200 or len(said.encode()) > 196


TEXT = (Path(wire.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())


def test_text_shows_every_message_and_frame_as_it_is():
    packs = {name[5:].upper() for name in dir(m) if name.startswith("pack_")}
    assert packs == {LAYOUTS.get(name, name) for name in NAMES}
    blocks = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
    joined = "\n".join(re.sub(r"\n +", " ", block) for block in blocks)
    examples = re.findall(r"(.+?): (.+)", joined)
    assert {name: digits.replace(" ", "") for name, digits in examples} == WRITTEN
    assert {name: again(name.split(",")[0], each) for name, each in PAYLOADS.items()} == PAYLOADS


def test_text_gives_every_kind_its_number():
    table = dict(re.findall(r"^\| (\d+) \| ([A-Z_]+) \|", TEXT, re.MULTILINE))
    names = [*NAMES, "STOP", "BYE"]
    kinds = {str(getattr(messages, name)): name for name in names}
    assert table == {**kinds, str(channel.ACK): "ACK", str(channel.PING): "PING"}


@pytest.mark.parametrize(
    "words",
    [
        f"Protocol {messages.PROTOCOL}.",
        f"size of the payload, 0 to {wire.MOST_PAYLOAD}",
        f"no line need be longer than {wire.MOST_LINE}",
        f"A frame is at most {wire.MOST_PAYLOAD + 14} bytes long",
        f"at most {channel.MOST_WAITING}, of which at most {channel.WINDOW} are on their way",
        f"not acknowledged {channel.RESEND_MS} ms after",
        f"heard nothing for {channel.BEAT_MS} ms",
        f"frame of its session for {channel.SILENCE_MS} ms",
        f"number of buses | up to {messages.MOST_BUSES} |",
        f"number of chips | up to {messages.MOST_CHIPS} |",
        f"number of keys | up to {messages.MOST_KEYS} |",
        f"a whole number of pixels | up to {messages.MOST_LEVELS};",
        f"how many, 1 to {messages.MOST_READ},",
        "0 asleep, 1 watched, 2 silent, 3 held, 4 reset",
    ],
)
def test_text_names_the_bounds_of_the_code(words):
    assert words in WORDS
