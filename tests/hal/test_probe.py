"""Probing: every chip is found where it is, nothing is disturbed, and a bad bus is no crash."""

import errno

import pytest

from hal.base.errors import BackendError
from hal.drivers.i2c_search import BusSearch, BusTrouble, FoundChip, FoundMux, find_chips
from hal.sim import EmulatedI2CBus
from hal.sim import registers as reg
from hal.sim.bus import EmulatedTca9548a
from hal.sim.chip import EmulatedMpr121
from tests.helpers.boards.bad_wires import fail


class Spy:
    """A chip that notes what is written to the chip behind it."""

    def __init__(self, chip):
        self._chip = chip
        self.written = []

    def write(self, data):
        self.written.append(bytes(data))
        self._chip.write(data)

    def read(self, count):
        return self._chip.read(count)


class Constant:
    """Another kind of chip: it has registers that count up, whatever is written."""

    def __init__(self):
        self.written = []

    def write(self, data):
        self.written.append(bytes(data))

    def read(self, count):
        return bytes(range(count))


def running_chip():
    made = EmulatedMpr121(0.0)
    for register, value in {reg.CONFIG1: 0x20, reg.CONFIG2: 0x3A, reg.DEBOUNCE: 0x11}.items():
        made.write(bytes([register, value]))
    made.write(bytes([reg.BASELINE_FILTER, 0x01, 0x01, 0x0E, 0x00, 0x01, 0x05, 0x01, 0x00]))
    made.write(bytes([reg.ECR, 0xCF]))
    made.advance(1.0)
    return made


@pytest.fixture
def bus():
    return EmulatedI2CBus()


def search(**buses):
    """Search buses that are given as bus1=..., bus3=...; one that is None cannot be opened."""

    def open_bus(number):
        found = buses[f"bus{number}"]
        if found is None:
            raise BackendError(f"I2C bus {number} cannot be opened")
        return found

    return find_chips([int(name.removeprefix("bus")) for name in buses], open_bus)


def test_probe_finds_chips_on_several_buses(bus):
    other = EmulatedI2CBus()
    bus.attach(0x5A, EmulatedMpr121(0.0))
    bus.attach(0x5D, running_chip())
    other.attach(0x5B, EmulatedMpr121(0.0))
    places = [(1, 0x5A), (1, 0x5D), (3, 0x5B)]
    chips = [FoundChip(bus, None, None, address) for bus, address in places]
    assert search(bus1=bus, bus3=other) == BusSearch(chips)


def test_probe_changes_no_register_of_a_running_chip(bus):
    made = running_chip()
    before = [made.read(1) for _ in (made.write(bytes([n])) for n in range(0x1E, 0x73))]
    made.load(3, 140.0)
    made.advance(2.0)
    # As the driver leaves it: after the two bytes of the touch status.
    made.write(b"\x02")
    spy = Spy(made)
    bus.attach(0x5A, spy)
    search(bus1=bus)
    assert made.interrupt
    # One byte selects a register, and only what follows it would change any.
    assert spy.written
    assert {len(each) for each in spy.written} == {1}
    after = [made.read(1) for _ in (made.write(bytes([n])) for n in range(0x1E, 0x73))]
    assert after == before
    assert made.running


@pytest.fixture
def mux(bus):
    mux = EmulatedTca9548a()
    bus.attach(0x70, mux)
    return mux


def test_probe_finds_chips_behind_a_multiplexer(bus, mux):
    mux.channels[0].attach(0x5A, EmulatedMpr121(0.0))
    mux.channels[7].attach(0x5A, EmulatedMpr121(0.0))
    mux.channels[7].attach(0x5B, EmulatedMpr121(0.0))
    found = search(bus1=bus)
    assert found.muxes == [FoundMux(1, 0x70)]
    places = [(0, 0x5A), (7, 0x5A), (7, 0x5B)]
    assert found.chips == [FoundChip(1, 0x70, *place) for place in places]


def test_probe_writes_nothing_to_another_chip_in_the_place_of_a_multiplexer(bus):
    other = Constant()
    bus.attach(0x76, other)
    assert search(bus1=bus).muxes == []
    assert other.written == []


def test_probe_is_not_misled_by_channels_left_joined(bus, mux):
    other = EmulatedTca9548a()
    bus.attach(0x71, other)
    mux.channels[3].attach(0x5A, EmulatedMpr121(0.0))
    other.channels[4].attach(0x5B, EmulatedMpr121(0.0))
    mux.write(b"\x08")
    other.write(b"\x10")
    assert search(bus1=bus).chips == [FoundChip(1, 0x70, 3, 0x5A), FoundChip(1, 0x71, 4, 0x5B)]


def test_probe_goes_on_after_a_channel_that_fails(bus, mux):
    class Failing(Constant):
        def read(self, count):
            raise OSError(errno.EIO, "")

    mux.channels[0].attach(0x5A, Failing())
    mux.channels[1].attach(0x5A, EmulatedMpr121(0.0))
    found = search(bus1=bus)
    assert [each.detail for each in found.troubles] == [
        "multiplexer 0x70 channel 0: Input/output error"
    ]
    assert found.chips == [FoundChip(1, 0x70, 1, 0x5A)]
    assert mux.control == 0


def test_probe_tells_that_the_kernel_has_taken_a_chip(bus):
    fail(bus, 99, errno.EBUSY, address=0x5A)
    bus.attach(0x5A, EmulatedMpr121(0.0))
    (trouble,) = search(bus1=bus).troubles
    assert trouble == BusTrouble(1, "address 0x5A is taken by a driver of the kernel")


def test_probe_of_a_bus_that_hangs_is_one_trouble_and_the_others_are_searched(bus):
    other = EmulatedI2CBus()
    other.attach(0x5A, EmulatedMpr121(0.0))
    bus.attach(0x5A, EmulatedMpr121(0.0))
    bus.hold()
    found = search(bus1=bus, bus3=other, bus5=None)
    hangs, missing = found.troubles
    assert hangs.bus == 1
    assert "SDA or SCL" in hangs.detail
    assert missing == BusTrouble(5, "I2C bus 5 cannot be opened")
    assert found.chips == [FoundChip(3, None, None, 0x5A)]
    assert bus.try_lock()


def test_probe_sees_through_a_data_wire_that_acknowledges_everything(bus):
    for address in (*range(0x70, 0x78), *range(0x5A, 0x5E)):
        bus.attach(address, Constant())
    (trouble,) = search(bus1=bus).troubles
    assert "SDA is held low" in trouble.detail
