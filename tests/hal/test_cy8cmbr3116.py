"""The CY8CMBR3116: its driver and its emulation, one above the other, over bytes on a bus."""

import errno
from binascii import crc_hqx
from dataclasses import replace
from math import inf

import pytest

from hal.base.errors import SensorFault, Unanswered
from hal.base.events import FaultReport
from hal.base.faults import Trouble
from hal.drivers.cy8cmbr3116 import MOST_SAVES, CapSenseChip
from hal.profile import Chip, built_in
from hal.profile.memory import Tuning
from hal.profile.pin_map import CY8_ADDRESS, CY8CMBR3116
from hal.sim.bus import EmulatedI2CBus
from hal.sim.cy8cmbr3116 import FACTORY, EmulatedCy8cmbr3116
from tests.helpers.boards.bad_wires import fail, garble, heal, silence
from tests.helpers.boards.profiles import STARTED_S

EMPTY_PF, FINGER_PF = 9.0, 1.0
MEASURING = built_in("hexagon-61-cy8").measuring
PLACE = Chip("A", 1, CY8_ADDRESS, kind=CY8CMBR3116)
THRESHOLDS, DEBOUNCE, ADDRESS, CRC, COMMAND, TOUCHES = 0x0C, 0x1C, 0x51, 0x7E, 0x86, 0xAA


class Desk:
    """A driver, a chip that was switched on a second ago, and the time of both."""

    def __init__(self, kind=EmulatedCy8cmbr3116):
        self.now = 1.0
        self.pulses = []
        self.chip = kind(0.0, seed=3, on_interrupt=self._hear)
        for electrode in range(16):
            self.chip.load(electrode, EMPTY_PF)
        self.chip.advance(self.now)
        self.bus = EmulatedI2CBus()
        self.bus.attach(CY8_ADDRESS, self.chip)
        self.driver = CapSenseChip(PLACE, lambda chip: self.bus)

    def _hear(self):
        self.pulses.append((round(self.now, 3), self.chip.interrupt))

    def run(self, seconds):
        """Let time pass in the steps of scans, so that pulses have their times."""
        for _ in range(round(seconds / 0.02)):
            self.now += 0.02
            self.chip.advance(self.now)

    def set_up(self, measuring=MEASURING, tunings=None, baselines=None):
        """Set up as a board does: ask again every 20 ms. Give the seconds that this took."""
        began = self.now
        while True:
            try:
                self.driver.set_up(measuring, tunings or {}, baselines or {})
            except Unanswered:
                self.run(0.02)
            else:
                return self.now - began

    def held(self, register, count=1):
        """Give registers, past the driver."""
        said = bytearray(count)
        for _ in range(5):
            try:
                self.bus.writeto_then_readfrom(CY8_ADDRESS, bytes([register]), said)
            except OSError:
                continue
            return bytes(said)
        raise AssertionError("the chip does not wake")


@pytest.fixture
def desk():
    return Desk()


@pytest.fixture
def ready(desk):
    desk.set_up()
    desk.run(1.0)
    return desk


def test_set_up_saves_settings_once_and_they_are_in_force_after_the_start(desk):
    assert desk.set_up() == pytest.approx(0.26, abs=0.03)
    assert desk.chip.saves == 1
    assert desk.held(0x00, 2) == b"\xff\x0f"
    assert desk.held(THRESHOLDS, 12) == bytes([80] * 12)
    settings = desk.held(0x00, 128)
    assert crc_hqx(settings[:CRC], 0xFFFF).to_bytes(2, "little") == settings[CRC:]
    assert crc_hqx(b"123456789", 0xFFFF) == 0x29B1  # the check value of CRC-16/CCITT-FALSE
    # Nothing but the state after a reset counts.
    desk.chip.power_cycle()
    desk.run(1.0)
    assert desk.held(0x00, 128) == settings


def test_settings_that_are_not_ours_stay_as_they_are(ready):
    settings = ready.held(0x00, 128)
    ours = {0x01, 0x08, 0x09, 0x0A, *range(THRESHOLDS, THRESHOLDS + 12), DEBOUNCE}
    ours |= {0x1D, 0x4C, 0x4F, 0x52, CRC, CRC + 1}
    assert {at for at in range(128) if settings[at] != FACTORY[at]} == ours
    assert settings[ADDRESS] == CY8_ADDRESS


def test_second_set_up_saves_nothing_and_starts_the_chip_only_to_learn(ready):
    ready.set_up(baselines={0: 605})
    ready.chip.load(4, EMPTY_PF + FINGER_PF)
    ready.run(0.04)
    assert ready.driver.touched() == {4}
    # Learned with the finger on it, it is empty.
    assert ready.set_up() > 0
    ready.run(1.0)
    assert ready.driver.touched() == frozenset()
    assert ready.chip.saves == 1


def test_measured_thresholds_are_saved_within_what_the_chip_takes(ready):
    ready.set_up(tunings={0: Tuning(150, 90), 1: Tuning(255, 200), 2: Tuning(4, 2)})
    assert ready.chip.saves == 2
    assert list(ready.held(THRESHOLDS, 4)) == [130, 180, 42, 80]


def test_debounce_is_counted_in_scans(desk):
    desk.set_up(replace(MEASURING, touch_debounce=2))
    desk.run(1.0)
    desk.chip.load(3, EMPTY_PF + FINGER_PF)
    desk.run(0.04)
    assert desk.driver.touched() == frozenset()
    desk.run(0.02)
    assert desk.driver.touched() == {3}


def test_touch_begins_and_ends_at_its_thresholds_with_a_pulse_each(ready):
    ready.pulses.clear()
    for rise, touched in ((95, False), (105, True), (65, True), (55, False)):
        ready.chip.load(7, EMPTY_PF + rise / 250)
        ready.run(0.04)
        assert ready.driver.touched() == ({7} if touched else frozenset())
    assert [low for _, low in ready.pulses] == [True, False, True, False]


def test_finger_on_a_cell_at_the_start_is_felt_again_a_second_after_it_left(desk):
    desk.chip.load(0, EMPTY_PF + FINGER_PF)
    desk.set_up()
    desk.run(1.0)
    desk.chip.load(0, EMPTY_PF)
    desk.run(1.2)
    desk.chip.load(0, EMPTY_PF + FINGER_PF)
    desk.run(0.04)
    assert desk.driver.touched() == {0}


@pytest.mark.parametrize("bits", [0x1000, 0x8001, 0xFFFF])
def test_bits_of_inputs_that_are_not_used_are_refused(ready, bits):
    garble(ready.bus, CY8_ADDRESS, bits.to_bytes(2, "little"))
    with pytest.raises(SensorFault, match=f"says 0x{bits:04X}: allowed is 0x0000 to 0x0FFF"):
        ready.driver.touched()


def test_sleeping_chip_is_woken_by_repeating(ready):
    ready.run(5.0)
    with pytest.raises(OSError, match="does not acknowledge"):
        ready.bus.readfrom_into(CY8_ADDRESS, bytearray(1))
    assert ready.driver.touched() == frozenset()


def test_silent_chip_is_a_fault_that_names_it(ready):
    silence(ready.bus, CY8_ADDRESS)
    for call in (ready.driver.touched, ready.driver.check, lambda: ready.driver.readings(set())):
        with pytest.raises(SensorFault, match=r"chip A \(bus 1, address 0x37\) does not answer"):
            call()
    with pytest.raises(SensorFault, match="does not answer"):
        ready.driver.set_up(MEASURING, {}, {})


def test_failure_other_than_no_acknowledgement_is_not_repeated(ready):
    fail(ready.bus, error=errno.EIO)
    with pytest.raises(SensorFault, match="does not answer"):
        ready.driver.touched()
    assert ready.driver.touched() == frozenset()


def test_bus_that_cannot_be_reached_is_a_fault():
    def reach(chip):
        raise OSError(errno.ENODEV, "no such bus")

    with pytest.raises(SensorFault, match="no such bus"):
        CapSenseChip(PLACE, reach).set_up(MEASURING, {}, {})


def test_chip_that_goes_silent_while_it_saves_is_a_fault_and_set_up_later(desk):
    with pytest.raises(Unanswered):
        desk.driver.set_up(MEASURING, {}, {})
    silence(desk.bus, CY8_ADDRESS)
    with pytest.raises(SensorFault, match="does not answer"):
        desk.set_up()
    assert 1.5 < desk.now < 4.0
    heal(desk.bus, CY8_ADDRESS)
    desk.set_up()
    desk.run(1.0)
    assert desk.driver.touched() == frozenset()
    desk.driver.check()


def test_settings_that_arrive_damaged_are_refused_by_the_chip(desk):
    whole = desk.chip.write
    desk.chip.write = lambda data: whole(data[:-1] + b"\x00" if len(data) > 100 else data)
    with pytest.raises(SensorFault, match="refuses its settings: error 254"):
        desk.set_up()
    assert desk.chip.saves == 0


class Forgetful(EmulatedCy8cmbr3116):
    """A chip whose flash is worn out."""

    def _reset(self):
        self._flash = bytes(FACTORY)
        super()._reset()


def test_chip_that_keeps_nothing_is_saved_a_few_times_only():
    desk = Desk(Forgetful)
    for _ in range(3):
        with pytest.raises(SensorFault, match=f"does not keep its settings, saved {MOST_SAVES}"):
            desk.set_up()
    assert desk.chip.saves == MOST_SAVES


def test_check_finds_other_settings_and_lives_with_a_power_cut(ready):
    ready.chip.power_cycle()
    ready.run(0.04)
    ready.driver.check()
    ready.held(0x00)
    ready.bus.writeto(CY8_ADDRESS, bytes([CRC, 0x00]))
    with pytest.raises(SensorFault, match="has lost its settings: their CRC is 00"):
        ready.driver.check()


def test_chip_of_another_family_is_refused(desk):
    garble(desk.bus, CY8_ADDRESS, b"\x11")
    with pytest.raises(SensorFault, match="says family 17: allowed is 154"):
        desk.driver.set_up(MEASURING, {}, {})


def test_readings_fall_by_250_counts_a_picofarad_and_never_to_a_short(ready):
    ready.chip.load(2, EMPTY_PF + FINGER_PF)
    ready.chip.load(5, EMPTY_PF + 5.0)
    ready.run(0.04)
    readings = ready.driver.readings(ready.driver.touched())
    assert readings[2].touched
    assert readings[2].fall == pytest.approx(250, abs=8)
    assert readings[5].raw == 9
    assert abs(readings[0].fall) <= 8
    assert not readings[0].touched


def test_electrode_that_is_shorted_at_the_start_reads_nothing(desk):
    desk.chip.load(6, inf)
    desk.chip.load(8, 60.0)
    desk.set_up()
    desk.run(1.0)
    readings = desk.driver.readings(frozenset())
    assert [n for n, each in enumerate(readings) if each.raw == 0] == [6, 8]


@pytest.mark.parametrize(
    ("said", "fault"), [(b"\x00\x01\x02", "halves of two scans"), (b"\xff", "measures 65535")]
)
def test_readings_that_cannot_be_are_refused(ready, said, fault):
    garble(ready.bus, CY8_ADDRESS, said)
    with pytest.raises(SensorFault, match=fault):
        ready.driver.readings(frozenset())


def test_chip_ignores_writes_to_its_status_and_commands_that_it_lacks(ready):
    ready.chip.load(1, EMPTY_PF + FINGER_PF)
    ready.run(0.04)
    ready.held(TOUCHES)
    ready.bus.writeto(CY8_ADDRESS, bytes([TOUCHES, 0xFF, 0xFF]))
    assert ready.driver.touched() == {1}
    ready.bus.writeto(CY8_ADDRESS, bytes([COMMAND, 77]))
    assert ready.held(0x89) == b"\xff"


def test_board_feels_a_pulse_long_before_the_next_poll(open_desk):
    desk = open_desk("pi", built_in("hexagon-61-cy8"))
    # A chip that starts is no fault.
    assert desk.run(STARTED_S) == []
    assert [chip.saves for chip in desk.device.backend.body.chips.values()] == [1] * 6
    for cell in ("a1", "e5", "i5"):
        desk.hands.press("finger", cell)
        ((after_s, touch),) = desk.run_timed(0.2)
        assert touch.cell == cell
        assert after_s < 0.08
        desk.hands.lift("finger")
        desk.run(0.2)


def test_board_says_which_wire_is_shorted_and_which_chip_is_gone(open_desk):
    desk = open_desk("pi", built_in("hexagon-61-cy8"))
    backend = desk.device.backend
    desk.run(STARTED_S)
    body, profile = backend.body, backend.profile
    body.short("e5")
    body.chips[profile.cells["e5"].chip].power_cycle()
    desk.run(2.0)
    assert [(each.trouble, each.cells) for each in desk.device.faults] == [
        (Trouble.SHORT, frozenset({"e5"}))
    ]
    chip = next(each for each in profile.chips if each.name == profile.cells["i5"].chip)
    wires = backend.platform.cable(chip)
    taken = wires.detach(chip.address)
    desk.run(1.0)
    assert {each.part for each in desk.device.faults} == {"e5", chip.name}
    wires.attach(chip.address, taken)
    assert any(isinstance(each, FaultReport) for each in desk.run(7.0))
    assert {each.part for each in desk.device.faults} == {"e5"}
    desk.hands.press("finger", "i5")
    assert [each.cell for each in desk.run(0.2)] == ["i5"]
    assert taken.saves == 1
