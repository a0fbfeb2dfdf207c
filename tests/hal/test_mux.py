"""The emulated bus, which published code drives; its faults; and the multiplexer."""

import errno

import pytest
from adafruit_bus_device.i2c_device import I2CDevice

from hal.sim.bus import EmulatedI2CBus
from hal.sim.cable import EmulatedTca9548a


class Memory:
    """A chip that keeps what is written and gives it back."""

    def __init__(self, data=b""):
        self.data = data

    def write(self, data):
        self.data = data or self.data

    def read(self, count):
        return (self.data + bytes(count))[:count]


@pytest.fixture
def bus():
    bus = EmulatedI2CBus(frequency_hz=100_000)
    bus.attach(0x5A, Memory(b"\xf0\x0f"))
    return bus


@pytest.fixture
def mux(bus):
    mux = EmulatedTca9548a()
    bus.attach(0x70, mux)
    for number in (0, 1, 7):
        mux.channels[number].attach(0x5B, Memory(bytes([0xF0 | number, 0x55])))
    return mux


def read(bus, address, count=2):
    said = bytearray(count)
    bus.readfrom_into(address, said)
    return bytes(said)


def number_of(error, do, *arguments):
    with pytest.raises(OSError, match=error) as failed:
        do(*arguments)
    return failed.value.errno


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


def test_wires_silent_chip_answers_nothing_until_it_is_healed(bus):
    bus.silence(0x5A)
    assert number_of("0x5A", read, bus, 0x5A) == errno.EREMOTEIO
    bus.heal(0x5A)
    assert read(bus, 0x5A) == b"\xf0\x0f"


def test_wires_garbled_chip_says_what_it_is_told_to(bus):
    bus.garble(0x5A)
    assert read(bus, 0x5A, 3) == b"\xff\xff\xff"
    bus.garble(0x5A, b"\x01\x02")
    assert read(bus, 0x5A, 3) == b"\x01\x02\x01"
    bus.garble(0x5A, lambda said: bytes(octet ^ 0xFF for octet in said))
    assert read(bus, 0x5A) == b"\x0f\xf0"
    bus.writeto(0x5A, b"\x33\x44")
    bus.heal(0x5A)
    assert read(bus, 0x5A) == b"\x33\x44"


def test_bus_that_is_held_times_out_until_it_is_released(bus):
    bus.timeout_s = 0.25
    bus.hold()
    for do in (
        lambda: read(bus, 0x5A),
        lambda: bus.writeto(0x5A, b"\x00"),
        lambda: bus.writeto_then_readfrom(0x5A, b"\x00", bytearray(1)),
    ):
        bus.busy_s = 0.0
        assert number_of("held", do) == errno.ETIMEDOUT
        assert bus.busy_s == pytest.approx(0.25)
    bus.release()
    assert read(bus, 0x5A) == b"\xf0\x0f"


def test_bus_fails_as_often_as_it_is_told_to(bus):
    bus.attach(0x5C, Memory(b"\x11\x22"))
    bus.fail(2, errno.EIO)
    assert number_of("0x5A", read, bus, 0x5A) == errno.EIO
    assert number_of("0x5C", read, bus, 0x5C) == errno.EIO
    bus.fail(address=0x5C)
    assert read(bus, 0x5A) == b"\xf0\x0f"
    assert number_of("0x5C", read, bus, 0x5C) == errno.EREMOTEIO
    assert read(bus, 0x5C) == b"\x11\x22"


def test_mux_selects_no_channel_after_power_up(bus, mux):
    assert read(bus, 0x70, 1) == b"\x00"
    assert number_of("0x5B", read, bus, 0x5B) == errno.EREMOTEIO
    bus.writeto(0x70, b"\x02")
    mux.power_cycle()
    assert (mux.control, mux.connected) == (0, ())
    assert number_of("0x5B", read, bus, 0x5B) == errno.EREMOTEIO


@pytest.mark.parametrize("channel", [0, 1, 7])
def test_mux_joins_the_channel_of_each_bit(bus, mux, channel):
    bus.writeto(0x70, bytes([1 << channel]))
    assert read(bus, 0x70) == bytes([1 << channel] * 2)
    assert read(bus, 0x5B) == bytes([0xF0 | channel, 0x55])


def test_mux_channels_that_are_joined_together_answer_at_once(bus, mux):
    bus.writeto(0x70, b"\x82")
    mux.channels[7].detach(0x5B)
    mux.channels[7].attach(0x5B, Memory(b"\x3c\xff"))
    assert read(bus, 0x5B) == b"\x30\x55"
    bus.writeto(0x5B, b"\x99")
    for number in (1, 7):
        assert mux.channels[number].find(0x5B).read(1) == b"\x99"
    assert mux.channels[0].find(0x5B).read(1) == b"\xf0"


def test_mux_held_channel_holds_the_bus_only_while_it_is_joined(bus, mux):
    mux.channels[1].hold()
    assert read(bus, 0x5A) == b"\xf0\x0f"
    bus.writeto(0x70, b"\x02")
    assert number_of("held", bus.writeto, 0x70, b"\x00") == errno.ETIMEDOUT
    mux.power_cycle()
    assert read(bus, 0x5A) == b"\xf0\x0f"
