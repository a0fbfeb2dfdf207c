"""The emulated bus, which published code drives; its faults; and the multiplexer."""

import errno

import pytest

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


def test_mux_selects_no_channel_after_power_up(bus, mux):
    assert read(bus, 0x70, 1) == b"\x00"
    assert number_of("0x5B", read, bus, 0x5B) == errno.EREMOTEIO


def test_mux_channels_that_are_joined_together_answer_at_once(bus, mux):
    bus.writeto(0x70, b"\x82")
    mux.channels[7].detach(0x5B)
    mux.channels[7].attach(0x5B, Memory(b"\x3c\xff"))
    assert read(bus, 0x5B) == b"\x30\x55"
    bus.writeto(0x5B, b"\x99")
    for number in (1, 7):
        assert mux.channels[number].find(0x5B).read(1) == b"\x99"
    assert mux.channels[0].find(0x5B).read(1) == b"\xf0"
