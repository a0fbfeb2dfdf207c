"""Frames on the serial line to a Pico: whole, corrupted, cut, repeated, and amid garbage."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.framing import MARK, MOST_LINE, MOST_PAYLOAD, Frame, Receiver, decode, encode

OVERHEAD = 12
"""Header, check, a byte that stands for marks, and a mark."""
BYTE = st.integers(0, 255)
# Marks, and the bytes that escape them, are more frequent here than in random data.
PAYLOAD = st.one_of(
    st.binary(max_size=MOST_PAYLOAD),
    st.lists(st.sampled_from(b"\n\n\xff\xfe\x00"), max_size=MOST_PAYLOAD).map(bytes),
    st.permutations(range(256)).map(bytes),
)


FRAMES = st.builds(Frame, BYTE, BYTE, BYTE, BYTE, PAYLOAD)
GREETINGS = st.builds(Frame, BYTE, st.just(0), BYTE, BYTE, PAYLOAD)
GARBAGE = st.one_of(
    st.binary(max_size=3 * MOST_LINE),
    st.builds(lambda byte, count: bytes([byte]) * count, BYTE, st.integers(0, 3 * MOST_LINE)),
    st.builds(lambda frame, size: encode(frame)[:size], FRAMES, st.integers(0, MOST_LINE)),
)


def content(frame: Frame) -> tuple[int, int, int, int, bytes]:
    return frame.kind, frame.session, frame.number, frame.ack, frame.payload


def received(data: bytes) -> list[tuple[int, int, int, int, bytes]]:
    return [content(frame) for frame in Receiver().take(data)]


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    """Cut bytes at places that are given modulo their length."""
    places = sorted(cut % (len(data) + 1) for cut in cuts)
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


@given(FRAMES)
def test_frame_holds_one_mark_at_its_end_and_one_before_it_if_it_is_of_no_session(frame):
    line = encode(frame)
    marked = frame.session == 0
    assert line[-1:] == MARK
    assert line.startswith(MARK) == marked
    assert MARK not in line[marked:-1]
    assert len(line) <= len(frame.payload) + OVERHEAD + 2 <= MOST_LINE


def test_payload_that_no_frame_can_carry_is_refused():
    with pytest.raises(ValueError, match="payload of 381 bytes: allowed is 380"):
        encode(Frame(19, 1, 1, 0, bytes(MOST_PAYLOAD + 1)))


@given(st.lists(st.one_of(GARBAGE, FRAMES.map(encode)), max_size=5), st.lists(st.integers(0)))
def test_receiver_finds_the_same_in_any_split(parts, cuts):
    data = b"".join(parts)
    whole, pieces = Receiver(), Receiver()
    found = [content(frame) for frame in whole.take(data)]
    split_up = [content(frame) for piece in split(data, cuts) for frame in pieces.take(piece)]
    assert split_up == found


@given(GARBAGE, GREETINGS, GARBAGE, GREETINGS)
def test_receiver_loses_no_frame_with_a_mark_before_it_between_garbage(
    before, first, between, second
):
    found = received(before + encode(first) + between + encode(second))
    assert found[-1] == content(second)
    assert content(first) in found


def test_receiver_reads_on_after_a_line_that_is_too_long():
    receiver = Receiver()
    for _ in range(1000):
        assert receiver.take(b"x" * 1000) == []
    assert len(pickle.dumps(receiver)) < 600
    assert receiver.take(MARK) == []
    assert [content(each) for each in receiver.take(encode(Frame(1, 2, 3, 4, b"")))] == [
        (1, 2, 3, 4, b"")
    ]


@given(FRAMES, st.lists(st.integers(0), min_size=1, max_size=8))
def test_frame_with_some_flipped_bits_is_never_taken_for_another_one(frame, bits):
    spoilt = bytearray(encode(frame))
    for bit in bits:
        spoilt[bit // 8 % len(spoilt)] ^= 1 << bit % 8
    assert received(MARK + bytes(spoilt) + MARK) in ([], [content(frame)])


def test_frame_of_another_size_than_it_says_is_refused():
    # The check is right, and the header says 3 bytes.
    from binascii import crc32

    body = bytes([16, 1, 1, 0, 3, 0]) + b"four"
    line = b"\xff" + body + crc32(body).to_bytes(4, "little")
    assert decode(line) is None
    body = bytes([16, 1, 1, 0, 4, 0]) + b"four"
    sound = decode(b"\xff" + body + crc32(body).to_bytes(4, "little"))
    assert sound is not None
    assert sound.payload == b"four"
