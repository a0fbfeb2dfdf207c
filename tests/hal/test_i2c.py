"""Buses of a Linux computer through the published stack, and chips behind multiplexers."""

import errno

import pytest
from adafruit_bus_device.i2c_device import I2CDevice
from adafruit_mpr121 import MPR121

from hal.base.errors import BackendError
from hal.base.events import FaultReport
from hal.drivers.i2c import open_bus, reach
from hal.profile import Chip
from hal.sensing.chip_watch import LONGEST_RETRY_S
from hal.sim.bus import EmulatedI2CBus, EmulatedTca9548a
from hal.sim.chip import EmulatedMpr121
from tests.helpers.boards.bad_wires import fail
from tests.helpers.boards.emulated_i2c_dev import BusOfPins, EmulatedI2cDev
from tests.helpers.boards.emulated_pi import KernelPlatform
from tests.helpers.boards.kernel_i2c import install

EMPTY_PF, FINGER_PF = 9.0, 1.6
BEHIND = {
    name: Chip(name, 1, 0x5A, mux, channel)
    for name, mux, channel in (("A", 0x70, 0), ("B", 0x70, 5), ("C", 0x71, 0))
}


def sensor():
    chip = EmulatedMpr121(0.0, seed=1)
    for electrode in range(12):
        chip.load(electrode, EMPTY_PF)
    return chip


class Board:
    """A bus with a chip on it and three more, all with one address, behind two multiplexers."""

    def __init__(self):
        self.bus = EmulatedI2CBus()
        self.muxes = {0x70: EmulatedTca9548a(), 0x71: EmulatedTca9548a()}
        self.chips = {name: sensor() for name in "ABCD"}
        self.bus.attach(0x5B, self.chips["D"])
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

    def free(self):
        """Return whether the bus is free, and leave it free."""
        free = self.bus.try_lock()
        if free:
            self.bus.unlock()
        return free

    @property
    def joined(self):
        return {address for address, mux in self.muxes.items() if mux.control}


@pytest.fixture
def board():
    return Board()


@pytest.fixture
def linux(board, monkeypatch):
    kernel = EmulatedI2cDev({1: board.bus})
    install(monkeypatch, kernel)
    return kernel


def write(device, value):
    with device:
        device.write(bytes([0x41, value]))


def test_open_bus_carries_the_published_driver_to_a_chip(board, linux):
    bus = open_bus(1)
    driver = MPR121(bus, address=0x5B)
    chip = board.chips["D"]
    chip.advance(0.1)
    assert driver.touched() == 0
    chip.load(3, EMPTY_PF + FINGER_PF)
    chip.advance(0.2)
    assert driver.touched() == 1 << 3
    assert driver.filtered_data(0) == pytest.approx(276, abs=4)
    driver[3].threshold = 99
    assert driver[3].threshold == 99


def test_open_bus_carries_the_published_driver_through_a_multiplexer(board, linux):
    driver = MPR121(reach({1: open_bus(1)}.__getitem__, BEHIND["B"]), address=0x5A)
    for name in ("A", "B", "C"):
        board.chips[name].load(7, EMPTY_PF + FINGER_PF if name == "A" else EMPTY_PF)
        board.chips[name].advance(0.1)
    board.chips["B"].load(2, EMPTY_PF + FINGER_PF)
    board.chips["B"].advance(0.2)
    assert driver.touched() == 1 << 2
    assert board.joined == set()
    assert not board.chips["A"].running


def test_open_bus_bounds_how_long_a_hung_chip_blocks(board, linux):
    bus = open_bus(1)
    board.bus.hold()
    before = board.bus.busy_s
    with pytest.raises(OSError, match="held") as hung:
        bus.writeto(0x5B, b"\x00")
    assert hung.value.errno == errno.ETIMEDOUT
    assert board.bus.busy_s - before == pytest.approx(0.05)


def test_open_bus_address_that_the_kernel_keeps_is_an_error(board, monkeypatch):
    install(monkeypatch, EmulatedI2cDev({1: board.bus}, claimed={0x70}))
    channel = reach({1: open_bus(1)}.__getitem__, BEHIND["A"])
    with pytest.raises(OSError, match="busy") as refused:
        channel.try_lock()
    assert refused.value.errno == errno.EBUSY
    assert board.free()


def test_open_bus_that_is_not_there_says_what_is_and_what_enables_it(tmp_path):
    (tmp_path / "i2c-20").touch()
    with pytest.raises(BackendError, match=r"bus 1 is not there .*i2c-1.*is 20; .*raspi-config"):
        open_bus(1, dev=tmp_path)
    with pytest.raises(BackendError, match=r"bus 3 is not there .*config\.txt"):
        open_bus(3, dev=tmp_path)
    with pytest.raises(BackendError, match="is none;"):
        open_bus(1, dev=tmp_path / "none")
    with pytest.raises(BackendError, match="is none; `sudo modprobe i2c-dev` loads"):
        open_bus(20, dev=tmp_path / "none", adapters=tmp_path)


def test_open_bus_that_may_not_be_opened_says_the_group(monkeypatch):
    def refuse(path, mode, buffering):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("hal.drivers.i2c.open", refuse, raising=False)
    with pytest.raises(BackendError, match=r"bus 1 may not be opened \(/dev/i2c-1\).*group i2c"):
        open_bus(1)


@pytest.mark.parametrize("error", [errno.EREMOTEIO, errno.EIO])
def test_reach_gives_the_bus_back_when_its_channel_cannot_be_joined(board, error):
    device = board.device("A")
    fail(board.bus, address=0x70, error=error)
    with pytest.raises(OSError, match="0x70") as failed:
        write(device, 9)
    assert failed.value.errno == error
    assert board.free()
    write(device, 8)
    assert board.written("A") == 8


def test_reach_gives_the_bus_back_when_its_channel_cannot_be_parted(board):
    channel = board.reach(BEHIND["A"])
    assert channel.try_lock()
    fail(board.bus, address=0x70)
    with pytest.raises(OSError, match="0x70"):
        channel.unlock()
    assert board.free()
    assert board.joined == {0x70}
    write(board.device("B"), 7)
    assert (board.written("A"), board.written("B")) == (0, 7)
    assert board.joined == set()


def test_reach_parts_what_an_earlier_program_has_left_joined(board):
    board.muxes[0x70].write(b"\x01")
    board.device("A")
    write(board.device("C"), 6)
    assert (board.written("A"), board.written("C")) == (0, 6)


def test_reach_over_a_bus_that_is_held_ends_in_one_time_out_and_heals(board):
    devices = [board.device(name) for name in "AC"]
    board.bus.hold()
    before = board.bus.busy_s
    with pytest.raises(OSError, match="held") as hung:
        write(devices[0], 3)
    assert hung.value.errno == errno.ETIMEDOUT
    assert board.bus.busy_s - before == pytest.approx(board.bus.timeout_s)
    assert board.free()
    board.bus.release()
    write(devices[0], 2)
    assert board.written("A") == 2


class PlatformWithPins(KernelPlatform):
    """Bus 3 is made of pins, as by the overlay of the guide."""

    def cable(self, chip):
        self._buses.setdefault(3, BusOfPins())
        return super().cable(chip)


def test_held_clock_of_a_bus_of_pins_is_found_once_and_tried_ever_less_often(
    open_rig, tmp_path, monkeypatch
):
    rig = open_rig("pi", make=lambda *board: PlatformWithPins(*board, tmp_path, monkeypatch))
    pins = rig.device.backend.platform._buses[3]
    monkeypatch.setattr("hal.drivers.i2c.monotonic", lambda: pins.busy_s)
    assert rig.run(1.5) == []
    pins.hold()
    before_s = pins.busy_s
    found = rig.run(1.0)[-1].faults
    assert sorted(fault.part for fault in found) == ["D", "E", "F"]
    assert any("on a bus that hangs" in fault.detail for fault in found)
    rig.run(60.0)
    assert pins.busy_s - before_s < 0.2 * (60.0 / LONGEST_RETRY_S + 8)
    pins.release()
    assert rig.run(LONGEST_RETRY_S + 0.5)[-1] == FaultReport(())
