"""What pixels hear on their line, by their data sheets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.boards.pixel_receiver import SK6812, WS2812B, WS2812B_V5, PixelReceiver

CLOCK_HZ = 3.05e6
PAUSE = bytes(115)
ONES_AND_ZEROS = bytes.fromhex("c8 c8 88 8c 8c 88 c8 cc")  # 10 10 00 01 01 00 10 11


def wave(*clocks: int) -> bytes:
    """Write how long the line is high, low, high ... as bytes, and low up to the last one's end."""
    line = "".join(("1", "0")[n % 2] * count for n, count in enumerate(clocks))
    line += "0" * (-len(line) % 8)
    return int(line, 2).to_bytes(len(line) // 8, "big")


@pytest.fixture
def receiver():
    return PixelReceiver(WS2812B_V5, CLOCK_HZ)


def test_receiver_reads_bits_by_how_long_the_line_is_high(receiver):
    assert receiver.receive(PAUSE + ONES_AND_ZEROS + PAUSE) == [bytes([0b10100001, 0b01001011])]
    assert (receiver.refused, receiver.refusal) == (0, "")


def test_receiver_takes_a_frame_only_when_the_line_was_low_for_long_enough(receiver):
    clocks = int(280e-6 * CLOCK_HZ)
    assert receiver.receive(ONES_AND_ZEROS + bytes(clocks // 8)) == []
    assert receiver.receive(bytes(1)) == [bytes([0b10100001, 0b01001011])]
    assert receiver.receive(PAUSE) == []


def test_receiver_hears_the_end_of_a_frame_while_the_line_rests(receiver):
    receiver.receive(b"\xcc" * 4)
    assert receiver.rest(100e-6) == []
    assert receiver.rest(200e-6) == [b"\xff"]
    assert receiver.rest(1.0) == []


@pytest.mark.parametrize("clock_hz", [0.96e6, 1.9e6, 5e6, 6.1e6])
def test_receiver_refuses_frames_at_a_clock_that_is_wrong(clock_hz):
    receiver = PixelReceiver(WS2812B_V5, clock_hz)
    assert receiver.receive(ONES_AND_ZEROS + bytes(300)) == []
    assert receiver.refused == 1


@pytest.mark.parametrize(
    "data",
    [
        wave(1, 3, 4, 3),  # high for too long
        wave(1, 1, 1, 3),  # low for too short a time
        wave(1, 3, 2, 40, 1, 3),  # a gap within the frame
        wave(1, 3, 60, 3),  # a line that is stuck high for a while
    ],
)
def test_receiver_refuses_a_frame_with_one_pulse_that_is_wrong(receiver, data):
    assert receiver.receive(data + PAUSE) == []
    assert receiver.refused == 1
    assert receiver.receive(ONES_AND_ZEROS + PAUSE) == [bytes([0b10100001, 0b01001011])]
    assert receiver.refused == 1


@pytest.mark.parametrize("sheet", [WS2812B, SK6812], ids=lambda sheet: sheet.name)
def test_receiver_forgives_a_clock_between_bytes_in_a_code_of_whole_bytes_only(sheet):
    receiver = PixelReceiver(sheet, CLOCK_HZ, gap_clocks=1)
    assert receiver.receive(ONES_AND_ZEROS + PAUSE) == [bytes([0b10100001, 0b01001011])]
    # Three bits a bit: the sixth one lies across a border, and the fall there makes two of it.
    three_bits = int("110" * 8, 2).to_bytes(3, "big")
    receiver = PixelReceiver(WS2812B, 2.4e6, gap_clocks=1)
    assert receiver.receive(three_bits + PAUSE) == []
    assert receiver.refused == 1
    receiver = PixelReceiver(WS2812B, 2.4e6)
    assert receiver.receive(three_bits + PAUSE) == [b"\xff"]


LINE = st.lists(st.sampled_from([0x00, 0x00, 0x88, 0x8C, 0xC8, 0xCC, 0xFF, 0x12]), max_size=300)


@settings(max_examples=30)
@given(data=LINE, gap_clocks=st.integers(0, 1), cut=st.integers(0, 300))
def test_receiver_hears_the_same_in_one_piece_in_two_and_byte_by_byte(data, gap_clocks, cut):
    line = bytes(data) + PAUSE
    ears = [PixelReceiver(WS2812B, CLOCK_HZ, gap_clocks) for _ in range(3)]
    whole = ears[0].receive(line)
    assert whole == ears[1].receive(line[:cut]) + ears[1].receive(line[cut:])
    assert whole == [frame for byte in line for frame in ears[2].receive(bytes([byte]))]
    assert len({(receiver.refused, receiver.refusal) for receiver in ears}) == 1
