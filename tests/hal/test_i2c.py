"""I2C: buses through the published stack, chips behind multiplexers, and searching for chips."""

import errno

import pytest
from adafruit_bus_device.i2c_device import I2CDevice

from hal.base.errors import BackendError
from hal.drivers.i2c import open_bus, reach
from hal.drivers.i2c_search import BusSearch, BusTrouble, find_chips
from hal.drivers.mpr121_registers import BASELINE_FILTER, DEBOUNCE, MODE
from hal.profile import Chip
from hal.sim.chip import EmulatedMpr121
from hal.sim.platform import EmulatedI2CBus, EmulatedTca9548a
from tests.helpers.boards.bad_wires import fail
from tests.helpers.boards.emulated_i2c_dev import EmulatedI2cDev

BEHIND = {
    name: Chip(name, 1, 0x5A, mux, channel)
    for name, mux, channel in (("A", 0x70, 0), ("B", 0x70, 5), ("C", 0x71, 0))
}


class Board:
    """A bus with a chip on it and three more, all with one address, behind two multiplexers."""

    def __init__(self):
        self.bus = EmulatedI2CBus()
        self.muxes = {0x70: EmulatedTca9548a(), 0x71: EmulatedTca9548a()}
        self.chips = {name: EmulatedMpr121(0.0) for name in "ABC"}
        self.bus.attach(0x5B, EmulatedMpr121(0.0))
        for address, mux in self.muxes.items():
            self.bus.attach(address, mux)
        for name, chip in BEHIND.items():
            wires = self.muxes[chip.mux].channels[chip.channel]
            wires.attach(chip.address, self.chips[name])

    def reach(self, chip):
        return reach({1: self.bus}.__getitem__, chip)

    def device(self, name):
        return I2CDevice(self.reach(BEHIND[name]), 0x5A, probe=False)

    def written(self, name):
        """Return the touch threshold of electrode 0, past all buses."""
        self.chips[name].write(b"\x41")
        return self.chips[name].read(1)[0]

    @property
    def free(self):
        return not self.bus._lock.locked()

    @property
    def joined(self):
        return {address for address, mux in self.muxes.items() if mux.control}


@pytest.fixture
def board():
    return Board()


def write(device, value):
    with device:
        device.write(bytes([0x41, value]))


def test_open_bus_bounds_how_long_a_hung_chip_blocks_also_behind_a_multiplexer(board, monkeypatch):
    EmulatedI2cDev({1: board.bus}).install(monkeypatch)
    bus, device = open_bus(1), board.device("A")
    board.bus.stuck = True
    for hang in (lambda: bus.writeto(0x5B, b"\0"), lambda: write(device, 3)):
        before = board.bus.busy_s
        with pytest.raises(OSError, match="held") as hung:
            hang()
        assert hung.value.errno == errno.ETIMEDOUT
        assert board.bus.busy_s - before == pytest.approx(0.05)
        assert board.free
    board.bus.stuck = False
    write(device, 2)
    assert board.written("A") == 2


def test_open_bus_that_is_not_there_or_may_not_be_used_says_what_helps(tmp_path, monkeypatch):
    def refuse(path, mode, buffering):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    (tmp_path / "i2c-20").touch()
    with pytest.raises(BackendError, match=r"bus 1 is not there .*i2c-1.*is 20; .*raspi-config"):
        open_bus(1, dev=tmp_path)
    with pytest.raises(BackendError, match=r"bus 3 is not there .*config\.txt"):
        open_bus(3, dev=tmp_path)
    with pytest.raises(BackendError, match="is none; `sudo modprobe i2c-dev` loads"):
        open_bus(20, dev=tmp_path / "none", adapters=tmp_path)
    monkeypatch.setattr("hal.drivers.i2c.open", refuse, raising=False)
    with pytest.raises(BackendError, match=r"bus 1 may not be opened \(/dev/i2c-1\).*group i2c"):
        open_bus(1)


def test_reach_gives_the_bus_back_when_its_channel_cannot_be_joined_or_parted(board):
    fail(board.bus, address=0x70)
    with pytest.raises(OSError, match="0x70"):
        write(board.device("A"), 9)
    assert board.free
    write(board.device("A"), 8)
    assert board.written("A") == 8
    channel = board.reach(BEHIND["A"])
    assert channel.try_lock()
    fail(board.bus, address=0x70)
    with pytest.raises(OSError, match="0x70"):
        channel.unlock()
    assert board.free
    write(board.device("B"), 7)
    assert (board.written("A"), board.written("B")) == (8, 7)
    assert board.joined == set()


class Constant:
    """Another kind of chip: it has registers that count up, whatever is written."""

    def __init__(self):
        self.written = []

    def write(self, data):
        self.written.append(bytes(data))

    def read(self, count):
        return bytes(range(count))


@pytest.fixture
def bus():
    return EmulatedI2CBus()


def search(**buses):
    """Search buses that are given as bus1=..., bus3=...; one that is None cannot be opened."""

    def open_bus(number):
        if buses[f"bus{number}"] is None:
            raise BackendError(f"I2C bus {number} cannot be opened")
        return buses[f"bus{number}"]

    return find_chips([int(name.removeprefix("bus")) for name in buses], open_bus)


def test_probe_changes_no_register_of_a_running_chip(bus, monkeypatch):
    chip, written = EmulatedMpr121(0.0), []
    for register, value in {BASELINE_FILTER: 0x3F, DEBOUNCE: 0x11, MODE: 0xCF}.items():
        chip.write(bytes([register, value]))
    chip.advance(1.0)
    chip.load(3, 140.0)
    chip.advance(2.0)
    # As the driver leaves it: after the two bytes of the touch status.
    chip.write(b"\x02")
    write_to = chip.write
    monkeypatch.setattr(chip, "write", lambda data: (written.append(data), write_to(data)))
    bus.attach(0x5A, chip)
    assert search(bus1=bus).chips == [Chip("", 1, 0x5A)]
    assert chip.interrupt
    # One byte selects a register, and only what follows it would change any.
    assert {len(each) for each in written} == {1}


@pytest.fixture
def mux(bus):
    mux = EmulatedTca9548a()
    bus.attach(0x70, mux)
    return mux


def test_probe_writes_nothing_to_another_chip_in_the_place_of_a_multiplexer(bus):
    other = Constant()
    bus.attach(0x76, other)
    assert search(bus1=bus).muxes == []
    assert other.written == []


def test_probe_finds_chips_behind_multiplexers_with_channels_left_joined(bus, mux):
    other = EmulatedTca9548a()
    bus.attach(0x71, other)
    bus.attach(0x5D, EmulatedMpr121(0.0))
    mux.channels[3].attach(0x5A, EmulatedMpr121(0.0))
    mux.channels[7].attach(0x5A, EmulatedMpr121(0.0))
    other.channels[4].attach(0x5B, EmulatedMpr121(0.0))
    mux.write(b"\x08")
    other.write(b"\x10")
    places = [(0x5A, 0x70, 3), (0x5A, 0x70, 7), (0x5B, 0x71, 4)]
    chips = [Chip("", 1, 0x5D), *(Chip("", 1, *place) for place in places)]
    assert search(bus1=bus) == BusSearch(chips, muxes=[Chip("", 1, 0x70), Chip("", 1, 0x71)])


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
    assert found.chips == [Chip("", 1, 0x5A, 0x70, 1)]
    assert mux.control == 0


def test_probe_searches_on_past_buses_that_hang_are_missing_or_taken_by_the_kernel(bus):
    other, taken = EmulatedI2CBus(), EmulatedI2CBus()
    for each in (bus, other, taken):
        each.attach(0x5A, EmulatedMpr121(0.0))
    bus.stuck = True
    fail(taken, 99, errno.EBUSY, address=0x5A)
    found = search(bus1=bus, bus3=other, bus5=None, bus6=taken)
    hangs, *others = found.troubles
    assert hangs.bus == 1
    assert "SDA or SCL" in hangs.detail
    assert others == [BusTrouble(5, "I2C bus 5 cannot be opened")]
    assert found.chips == [Chip("", 3, 0x5A)]
    assert bus.try_lock()


def test_probe_sees_through_a_data_wire_that_acknowledges_everything(bus):
    for address in (*range(0x70, 0x78), *range(0x5A, 0x5E)):
        bus.attach(address, Constant())
    (trouble,) = search(bus1=bus).troubles
    assert "SDA is held low" in trouble.detail
