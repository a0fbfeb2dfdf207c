"""Emulated wires, their faults, and the multiplexer that joins them."""

import errno

import pytest

from hal.sim.bus import EmulatedI2CBus
from hal.sim.mux import EmulatedTca9548a
from hal.sim.wires import Wires


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


def test_wires_give_back_the_chip_that_is_taken_off(bus, mux):
    mux.write(b"\x01")
    assert bus.detach(0x70) is mux
    assert number_of("0x5B", read, bus, 0x5B) == errno.EREMOTEIO
    bus.attach(0x70, mux)
    assert read(bus, 0x5B) == b"\xf0\x55"


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


def test_bus_transfer_that_fails_reaches_no_chip(bus):
    bus.fail()
    number_of("0x5A", bus.writeto, 0x5A, b"\x77")
    assert read(bus, 0x5A) == b"\xf0\x0f"


def test_bus_counts_the_time_to_answer_of_failures_too(bus):
    bus.fail()
    number_of("0x5A", read, bus, 0x5A)
    assert bus.busy_s == pytest.approx((2 + 9) * 1e-5)
    assert bus.emulated_s > 0


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


def test_mux_hides_no_chip_of_the_bus_itself(bus, mux):
    bus.writeto(0x70, b"\x01")
    assert read(bus, 0x5A) == b"\xf0\x0f"


def test_mux_keeps_the_last_byte_of_a_write_and_ignores_an_empty_one(bus, mux):
    bus.writeto(0x70, b"\x01\x80")
    bus.writeto(0x70, b"")
    assert mux.control == 0x80


def test_mux_channels_that_are_joined_together_answer_at_once(bus, mux):
    bus.writeto(0x70, b"\x82")
    mux.channels[7].detach(0x5B)
    mux.channels[7].attach(0x5B, Memory(b"\x3c\xff"))
    assert read(bus, 0x5B) == b"\x30\x55"
    bus.writeto(0x5B, b"\x99")
    for number in (1, 7):
        assert mux.channels[number].find(0x5B).read(1) == b"\x99"
    assert mux.channels[0].find(0x5B).read(1) == b"\xf0"


def test_mux_chip_with_an_address_of_the_bus_answers_with_it(bus, mux):
    mux.channels[0].attach(0x5A, Memory(b"\x3c\x3c"))
    bus.writeto(0x70, b"\x01")
    assert read(bus, 0x5A) == b"\x30\x0c"


def test_mux_behind_a_mux_is_reached_through_both(bus, mux):
    inner = EmulatedTca9548a()
    mux.channels[3].attach(0x71, inner)
    inner.channels[2].attach(0x5D, Memory(b"\x66\x66"))
    bus.writeto(0x70, b"\x08")
    bus.writeto(0x71, b"\x04")
    assert read(bus, 0x5D) == b"\x66\x66"
    bus.writeto(0x70, b"\x00")
    assert number_of("0x5D", read, bus, 0x5D) == errno.EREMOTEIO


def test_mux_held_channel_holds_the_bus_only_while_it_is_joined(bus, mux):
    mux.channels[1].hold()
    assert read(bus, 0x5A) == b"\xf0\x0f"
    bus.writeto(0x70, b"\x02")
    assert number_of("held", bus.writeto, 0x70, b"\x00") == errno.ETIMEDOUT
    mux.power_cycle()
    assert read(bus, 0x5A) == b"\xf0\x0f"


def test_mux_faults_of_a_channel_are_faults_of_that_channel(bus, mux):
    mux.channels[0].silence(0x5B)
    mux.channels[1].garble(0x5B)
    assert [answer_of(bus, channel) for channel in (0, 1, 7)] == [None, b"\xff\xff", b"\xf7\x55"]


def answer_of(bus, channel):
    bus.writeto(0x70, bytes([1 << channel]))
    try:
        return read(bus, 0x5B)
    except OSError:
        return None


def test_mux_time_on_the_wires_is_that_of_the_bytes(bus, mux):
    bus.writeto(0x70, b"\x01")
    assert bus.busy_s == pytest.approx((2 + 2 * 9) * 1e-5)
    bus.busy_s = 0.0
    read(bus, 0x5B)
    assert bus.busy_s == pytest.approx((2 + 3 * 9) * 1e-5)


def test_wires_without_a_chip_find_none():
    wires = Wires()
    assert wires.find(0x5A) is None
    wires.silence(0x5A)
    wires.heal(0x5A)
    assert not wires.held
