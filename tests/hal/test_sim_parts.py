"""The emulated bus, which published code drives unchanged."""

import pytest
from adafruit_bus_device.i2c_device import I2CDevice

from hal.sim import EmulatedI2CBus


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
