"""Lights on a strip that may be gone, and the emulated strips that show what they were sent."""

import inspect
import logging
from math import inf

import pytest

from hal.colour import DARK, WHITE, Colour
from hal.errors import LightError, LightsFault
from hal.sim import EmulatedPixelStrip
from hal.sim.pixels import PixelChain
from hal.strip import FIRST_RETRY_S, LAST_RETRY_S, REFRESH_S, Lights

RED = Colour(255, 0, 0)


class Shelf:
    """A machine whose strip can be plugged in and out, and counts what is done with it."""

    def __init__(self):
        self.there = True
        self.failing = False
        self.tried = 0
        self.shown = []
        self.closed = 0

    def open(self):
        self.tried += 1
        if not self.there:
            raise LightsFault("device is missing")
        return self

    def show(self, frame):
        if self.failing or not self.there:
            raise OSError(5, "no answer")
        self.shown.append(frame)

    def close(self):
        self.closed += 1
        if not self.there:
            raise OSError(19, "no device")


@pytest.fixture
def shelf():
    return Shelf()


def test_lights_start_dark(shelf):
    lights = Lights(shelf.open, 2, 10.0)
    assert shelf.shown == [(DARK, DARK)]
    assert lights.lit() == (DARK, DARK)
    assert lights.fault is None


def test_lights_show_frames_at_once(shelf):
    lights = Lights(shelf.open, 2, 10.0)
    lights.show((RED, DARK), 10.01)
    assert shelf.shown[-1] == lights.lit() == (RED, DARK)


def test_lights_refuse_a_frame_of_another_length(shelf):
    lights = Lights(shelf.open, 2, 10.0)
    with pytest.raises(LightError, match="has 1 colours: allowed is 2"):
        lights.show((RED,), 10.0)
    shelf.there = False
    lights.attend(20.0)
    with pytest.raises(LightError, match="has 3 colours: allowed is 2"):
        lights.show((RED,) * 3, 20.0)


def test_lights_send_the_frame_again_for_pixels_that_lost_power(shelf):
    lights = Lights(shelf.open, 1, 10.0)
    lights.show((RED,), 10.0)
    assert lights.due() == 10.0 + REFRESH_S
    lights.attend(10.0 + REFRESH_S / 2)
    assert len(shelf.shown) == 2
    lights.attend(10.0 + REFRESH_S)
    assert shelf.shown == [(DARK,), (RED,), (RED,)]
    assert lights.due() == 10.0 + 2 * REFRESH_S


def test_lights_that_are_missing_at_the_start_come_when_they_are_there(shelf):
    shelf.there = False
    lights = Lights(shelf.open, 1, 10.0)
    assert str(lights.fault) == "device is missing"
    lights.show((RED,), 10.1)
    assert lights.lit() == (DARK,)
    shelf.there = True
    lights.attend(lights.due())
    assert lights.fault is None
    assert shelf.shown == [(RED,)]
    assert lights.lit() == (RED,)


def test_lights_without_a_time_are_due_at_once(shelf):
    shelf.there = False
    lights = Lights(shelf.open, 1)
    assert lights.due() == -inf
    shelf.there = True
    lights.attend(5.0)
    assert lights.fault is None


def test_lights_that_fail_are_dark_until_they_show_the_newest_frame(shelf):
    lights = Lights(shelf.open, 1, 10.0)
    lights.show((RED,), 10.0)
    shelf.failing = True
    lights.show((WHITE,), 10.1)
    assert isinstance(lights.fault, LightsFault)
    assert "takes no frames: [Errno 5] no answer" in str(lights.fault)
    assert lights.lit() == (DARK,)
    assert shelf.closed == 1
    shelf.failing = False
    lights.show((RED,), 10.2)
    lights.show((WHITE,), 10.3)
    assert shelf.shown[-1] == (RED,)
    lights.attend(10.1 + FIRST_RETRY_S)
    assert shelf.shown[-1] == lights.lit() == (WHITE,)


def test_lights_find_a_fault_by_refreshing(shelf):
    lights = Lights(shelf.open, 1, 10.0)
    shelf.there = False
    lights.attend(10.0 + REFRESH_S)
    assert lights.fault is not None


def test_lights_try_again_less_and_less_often(shelf):
    shelf.there = False
    lights = Lights(shelf.open, 1, 0.0)
    waits, now = [], 0.0
    for _ in range(7):
        waits.append(lights.due() - now)
        now = lights.due()
        lights.attend(now - 1e-6)
        lights.attend(now)
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, LAST_RETRY_S, LAST_RETRY_S]
    assert shelf.tried == 8


def test_lights_that_open_and_fail_also_wait_longer(shelf):
    shelf.failing = True
    lights = Lights(shelf.open, 1, 0.0)
    for wait in (0.25, 0.5, 1.0):
        now = lights.due()
        lights.attend(now)
        assert lights.due() == now + 2 * wait


def test_lights_wait_little_after_they_worked(shelf):
    shelf.there = False
    lights = Lights(shelf.open, 1, 0.0)
    lights.attend(lights.due())
    shelf.there = True
    lights.attend(lights.due())
    shelf.there = False
    lights.show((RED,), 100.0)
    assert lights.due() == 100.0 + FIRST_RETRY_S


def test_lights_tell_a_fault_once_and_its_end(shelf, caplog):
    caplog.set_level(logging.DEBUG, "hal.strip")
    shelf.there = False
    lights = Lights(shelf.open, 1, 0.0)
    lights.attend(lights.due())
    shelf.there = True
    lights.attend(lights.due())
    assert caplog.messages == ["device is missing", "the strip shows frames again"]


def test_lights_close_once_and_then_do_nothing(shelf):
    lights = Lights(shelf.open, 1, 0.0)
    lights.show((RED,), 0.0)
    lights.close()
    lights.close()
    assert shelf.closed == 1
    assert lights.lit() == (DARK,)
    assert lights.due() == inf
    lights.attend(100.0)
    lights.show((WHITE,), 100.0)
    assert shelf.shown[-1] == (RED,)


def test_lights_close_quietly_when_the_device_is_gone(shelf):
    lights = Lights(shelf.open, 1, 0.0)
    shelf.there = False
    lights.close()
    assert shelf.closed == 1


def test_pixels_show_their_levels_in_their_own_order():
    chain = PixelChain(2, "BRG")
    chain.hear(bytes([1, 2, 3, 4, 5, 6]))
    assert chain.latched == ((2, 3, 1), (5, 6, 4))
    assert chain.levels == bytes([1, 2, 3, 4, 5, 6])


def test_pixels_of_four_colours_show_white_in_all_three():
    chain = PixelChain(1, "GRBW")
    chain.hear(bytes([0, 20, 250, 100]))
    assert chain.latched == ((120, 100, 255),)


def test_pixels_that_a_frame_does_not_reach_keep_theirs():
    chain = PixelChain(3, "RGB")
    chain.hear(bytes(range(1, 10)))
    chain.hear(bytes([21, 22, 23, 24]))
    assert chain.latched == ((21, 22, 23), (4, 5, 6), (7, 8, 9))


def test_pixels_pass_on_what_is_left_over():
    chain = PixelChain(1, "RGB")
    chain.hear(bytes(range(1, 7)))
    assert chain.latched == ((1, 2, 3),)


@pytest.fixture
def strip():
    strip = EmulatedPixelStrip(3, 18)
    strip.begin()
    return strip


def test_strip_pixels_take_their_colours_in_order(strip):
    strip.setPixelColorRGB(0, 1, 2, 3)
    strip.setPixelColor(1, 0x040506)
    strip[2] = 0xFF8001
    assert strip.latched == ((0, 0, 0),) * 3
    strip.show()
    assert strip.latched == ((1, 2, 3), (4, 5, 6), (255, 128, 1))


def test_strip_of_another_colour_order_shows_swapped_colours():
    # The wire then carries red first, which pixels that want green first take for green.
    strip = EmulatedPixelStrip(1, 18, strip_type=0x00100800)
    strip.begin()
    strip.setPixelColorRGB(0, 1, 2, 3)
    strip.show()
    assert strip.latched == ((2, 1, 3),)


@pytest.mark.parametrize(
    ("strip_type", "order"),
    [
        (0x00100800, "RGB"),
        (0x00100008, "RBG"),
        (0x00081000, "GRB"),
        (0x00080010, "GBR"),
        (0x00001008, "BRG"),
        (0x00000810, "BGR"),
        (0x18100800, "RGBW"),
        (0x18081000, "GRBW"),
        (0x18001008, "BRGW"),
    ],
)
def test_strip_of_a_published_type_suits_pixels_of_its_order(strip_type, order):
    strip = EmulatedPixelStrip(2, 18, strip_type=strip_type)
    strip.chain = PixelChain(2, order)
    strip.begin()
    strip.setPixelColorRGB(0, 10, 20, 30, 5 if "W" in order else 0)
    strip.setPixelColorRGB(1, 1, 2, 3)
    strip.show()
    assert strip.latched == (((15, 25, 35) if "W" in order else (10, 20, 30)), (1, 2, 3))


def test_strip_of_a_type_with_white_has_pixels_of_four_colours():
    strip = EmulatedPixelStrip(1, 18, strip_type=0x18081000)
    strip.begin()
    strip.setPixelColorRGB(0, 1, 2, 3, 4)
    strip.show()
    assert strip.chain.levels == bytes([2, 1, 3, 4])
    assert strip.busy_s == pytest.approx(32 * 1.25e-6 + 300e-6)


def test_strip_applies_brightness_and_gamma_as_it_shows(strip):
    strip.setPixelColorRGB(0, 255, 128, 0)
    strip.setBrightness(127)
    strip.show()
    assert strip.latched[0] == (127, 64, 0)
    assert strip.getBrightness() == 127
    strip.setGamma([255 - n for n in range(256)])
    strip.show()
    assert strip.latched[0] == (128, 191, 255)
    strip.setGamma([0])
    strip.show()
    assert strip.latched[0] == (128, 191, 255)


def test_strip_takes_a_gamma_table_in_place_of_the_strip_type():
    strip = EmulatedPixelStrip(1, 18, strip_type=[7] * 256)
    strip.begin()
    strip.show()
    assert strip.latched == ((7, 7, 7),)


def test_strip_is_read_back_like_a_sequence(strip):
    strip[0:2] = 0x112233
    assert strip[:] == strip.getPixels() == [0x112233, 0x112233, 0]
    assert (len(strip), strip.numPixels(), strip.getPixelColor(1)) == (3, 3, 0x112233)
    colour = strip.getPixelColorRGB(0)
    assert (colour.r, colour.g, colour.b, colour.w) == (0x11, 0x22, 0x33, 0)
    assert strip.getPixelColorRGBW(0) == colour


@pytest.mark.parametrize("n", [-1, 3])
def test_strip_pixel_outside_of_it_is_refused(strip, n):
    with pytest.raises(IndexError, match="allowed is 0 to 2"):
        strip.setPixelColor(n, 0)
    with pytest.raises(IndexError, match="allowed is 0 to 2"):
        strip.getPixelColor(n)


def test_strip_show_before_begin_is_refused():
    with pytest.raises(RuntimeError, match="show after begin"):
        EmulatedPixelStrip(1, 18).show()


def test_strip_time_is_that_of_the_bits_and_the_reset(strip):
    strip.show()
    assert strip.busy_s == pytest.approx(3 * 24 * 1.25e-6 + 300e-6)
    assert strip.emulated_s > 0


def test_strip_has_the_arguments_of_the_published_class():
    names = list(inspect.signature(EmulatedPixelStrip).parameters)
    assert names == [
        "num", "pin", "freq_hz", "dma", "invert", "brightness", "channel", "strip_type", "gamma",
    ]  # fmt: skip
