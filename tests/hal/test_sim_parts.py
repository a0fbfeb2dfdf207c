"""The emulated bus and strip, which published code drives unchanged."""

import inspect

import pytest
from adafruit_bus_device.i2c_device import I2CDevice

from hal.colour import DARK, WHITE
from hal.sim import EmulatedI2CBus, EmulatedPixelStrip
from hal.strip import Lights


class Memory:
    """A chip that keeps what is written and gives it back."""

    def __init__(self):
        self.data = b""

    def write(self, data):
        self.data = data or self.data

    def read(self, count):
        return (self.data + bytes(count))[:count]


@pytest.fixture
def bus():
    bus = EmulatedI2CBus(frequency_hz=100_000)
    bus.attach(0x5A, Memory())
    return bus


def test_bus_carries_bytes_for_the_published_device_class(bus):
    with I2CDevice(bus, 0x5A) as device:
        device.write(b"\x01\x02\x03", start=1)
        result = bytearray(4)
        device.readinto(result, start=1, end=3)
        assert result == b"\x00\x02\x03\x00"
        device.write_then_readinto(b"\x07\x08", result, out_end=1, in_start=3)
    assert result == b"\x00\x02\x03\x07"


def test_bus_without_a_chip_at_an_address_is_an_error_121(bus):
    with pytest.raises(OSError, match="0x5B") as refused:
        bus.writeto(0x5B, b"")
    assert refused.value.errno == 121
    with pytest.raises(ValueError, match="No I2C device"):
        I2CDevice(bus, 0x5B)


def test_bus_chip_that_is_taken_off_answers_no_more(bus):
    bus.detach(0x5A)
    with pytest.raises(OSError, match="0x5A"):
        bus.readfrom_into(0x5A, bytearray(1))


def test_bus_address_is_given_once(bus):
    with pytest.raises(ValueError, match="0x5A is taken"):
        bus.attach(0x5A, Memory())


def test_bus_lock_is_had_by_one_at_a_time(bus):
    assert bus.try_lock()
    assert not bus.try_lock()
    bus.unlock()
    assert bus.try_lock()


def test_bus_time_is_nine_bits_a_byte_and_its_edges(bus):
    bus.writeto(0x5A, b"\x00\x01")
    assert bus.busy_s == pytest.approx((2 + 3 * 9) * 1e-5)
    bus.busy_s = 0.0
    bus.writeto_then_readfrom(0x5A, b"\x00", bytearray(2))
    assert bus.busy_s == pytest.approx((3 + 5 * 9) * 1e-5)
    bus.busy_s = 0.0
    with pytest.raises(OSError, match="0x5D"):
        bus.writeto(0x5D, b"\x00")
    assert bus.busy_s == pytest.approx((2 + 9) * 1e-5)


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


def test_strip_with_white_is_refused():
    with pytest.raises(ValueError, match="0x18100800"):
        EmulatedPixelStrip(1, 18, strip_type=0x18100800)


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


class FailingOnce(EmulatedPixelStrip):
    """A strip whose wire fails at one sending."""

    failing = False

    def show(self) -> None:
        if self.failing:
            self.failing = False
            raise OSError(5, "no answer")
        super().show()


def test_lights_show_the_right_colours_after_a_frame_that_was_not_sent():
    strip = FailingOnce(2, 18)
    lights = Lights(strip)
    dark, white = (DARK, DARK), (DARK, WHITE)
    strip.failing = True
    with pytest.raises(OSError, match="no answer"):
        lights.show((WHITE, DARK))
    lights.show(white)
    assert strip.latched == ((0, 0, 0), (255, 255, 255))
    lights.show(dark)
    assert strip.latched == ((0, 0, 0), (0, 0, 0))
