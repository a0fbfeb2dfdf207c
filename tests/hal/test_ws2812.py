"""The code of the pixels' bits, against the data sheets."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.base.errors import LightError
from hal.drivers.ws2812 import (
    CLOCK_HZ,
    LATCH_US,
    decode,
    encode,
    levels,
    with_white,
)
from hal.lights import DARK, WHITE, Colour
from hal.sim.platform import PixelChain
from tests.helpers.boards.pixel_receiver import SK6812, WS2812B_V5, PixelReceiver
from tests.helpers.boards.spi_line import clock_on

ORDERS = ["".join(each) for letters in ("RGB", "RGBW") for each in permutations(letters)]
ZERO, ONE = "1000", "1100"
COLOURS = st.builds(Colour, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))


def bits_of(data: bytes) -> str:
    return "".join(f"{byte:08b}" for byte in data)


def test_frame_is_written_highest_bit_first_in_the_order_of_the_wire():
    data = encode((Colour(0x80, 0x01, 0xFF),), "GRB").strip(b"\0")
    assert data.hex(" ", 4) == "8888888c c8888888 cccccccc"


def test_frame_lies_between_pauses_that_latch():
    data = encode((WHITE,), "GRB")
    line = bits_of(data)
    before = len(line) - len(line.lstrip("0"))
    after = len(line) - len(line.rstrip("0"))
    for clocks in (before, after):
        assert clocks / CLOCK_HZ * 1e6 >= LATCH_US > WS2812B_V5.latch_ns / 1000


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_comes_out_as_the_colours_that_went_in(order):
    frame = (Colour(1, 2, 3), Colour(250, 128, 30), DARK, WHITE)
    chain = PixelChain(4, order)
    chain.receive(levels(frame, order))
    assert chain.latched == tuple((each.red, each.green, each.blue) for each in frame)


@settings(max_examples=30)
@given(st.lists(COLOURS, max_size=20), st.sampled_from(ORDERS))
def test_frames_are_heard_as_they_were_sent(colours, order):
    frame = tuple(colours)
    ear = PixelReceiver(SK6812 if "W" in order else WS2812B_V5, clock_on(250e6))
    assert b"".join(ear.receive(encode(frame, order))) == levels(frame, order)
    assert ear.refused == 0
    assert decode(encode(frame, order)) == levels(frame, order)


@given(COLOURS)
def test_white_takes_what_the_colours_have_alike(colour):
    red, green, blue, white = with_white(colour)
    assert (red + white, green + white, blue + white) == (colour.red, colour.green, colour.blue)
    assert min(red, green, blue) == 0


@pytest.mark.parametrize("order", ["", "RG", "RRB", "RGBX", "RGBWW", "grb"])
def test_order_that_is_none_is_refused(order):
    with pytest.raises(LightError, match=f'colour order is "{order}": allowed are R, G and B'):
        encode((DARK,), order)
