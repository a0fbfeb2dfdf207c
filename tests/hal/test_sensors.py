"""The chips of a board above emulated buses: reading, faults, retries, healing, baselines."""

from dataclasses import replace
from itertools import chain, repeat
from math import inf
from unittest.mock import Mock

import pytest

from hal.backends.pi import PiBackend
from hal.base.errors import BackendError
from hal.base.events import CellTouch, FaultReport, Moment, Standing, Trouble
from hal.drivers.mpr121_registers import Reading
from hal.profile import BoardMemory, Electrode, Measuring, Tuning, built_in
from hal.sensing import SensorArray
from hal.sensing.sensor_array import LONGEST_RETRY_S
from hal.sim.body import CUT_PF
from hal.sim.platform import EmulatedPlatform
from tests.helpers.boards import bad_wires
from tests.helpers.boards.emulated_pi import EmulatedPi
from tests.helpers.boards.profiles import board_named

FOUND_S = 1.0
"""Within this time every fault must be found."""


@pytest.fixture(params=["hexagon-61", "hexagon-61-mux"])
def profile(request):
    return board_named(request.param)


@pytest.fixture
def presence(profile):
    return replace(profile, sensing=replace(profile.sensing, mode="presence"))


@pytest.fixture
def rig(open_rig, profile):
    rig = open_rig("pi", profile)
    assert not rig.run(1.5)
    return rig


@pytest.fixture
def pi(rig):
    return rig.device.backend


def chip_of(pi, cell):
    name = pi.profile.cells[cell].chip
    return next(chip for chip in pi.profile.chips if chip.name == name)


def only_fault(events):
    """Return the one fault of a report; fail for any other event."""
    (event,) = events
    assert isinstance(event, FaultReport)
    (fault,) = event.faults
    return fault


def tap(rig, cell):
    rig.hands.press("finger", cell)
    events = rig.run(0.15)
    rig.hands.lift("finger")
    return events + rig.run(0.15)


def touches(cell):
    return [CellTouch(cell, Moment.DOWN), CellTouch(cell, Moment.UP)]


@pytest.mark.parametrize("break_it", [bad_wires.silence, bad_wires.garble, None])
def test_chip_that_fails_is_reported_once_and_heals_with_a_finger_on_it(rig, pi, profile, break_it):
    chip = chip_of(pi, "e5")
    bus, place = pi.platform.bus(chip.bus), (pi.platform.cable(chip), chip.address)
    bus.stuck = break_it is None
    if break_it is not None:
        break_it(*place)
    events = rig.run(FOUND_S)
    faults = {fault.part: fault for event in events for fault in event.faults}
    assert faults[chip.name].trouble is Trouble.CHIP
    on_chip = {cell for cell, pad in profile.cells.items() if pad.chip == chip.name}
    assert faults[chip.name].cells == on_chip
    assert chip.place in faults[chip.name].detail
    rig.hands.press("finger", "e5")
    assert rig.run(10.0) == []
    bus.stuck = False
    if break_it is not None:
        bad_wires.heal(*place)
    healed = rig.run(LONGEST_RETRY_S + 0.5)
    assert healed[-1] == FaultReport(())
    assert {type(event) for event in healed} == {FaultReport}
    rig.hands.lift("finger")
    assert rig.run(1.0) == []
    assert tap(rig, "e5") == touches("e5")
    assert rig.run(3.0) == []


def test_chip_that_is_missing_at_the_start_is_a_fault_and_comes_in_later(profile, open_rig):
    missing = next(chip for chip in profile.chips if chip.name == "F")

    def without_it(profile, body):
        platform = EmulatedPlatform(profile, body)
        platform.cable(missing).detach(missing.address)
        return platform

    rig = open_rig("pi", profile, make=without_it)
    fault = only_fault(rig.run(FOUND_S))
    assert (fault.trouble, fault.part) == (Trouble.CHIP, "F")
    assert "cannot be set up" in fault.detail
    assert tap(rig, "a1") == touches("a1")
    pi = rig.device.backend
    pi.platform.cable(missing).attach(missing.address, pi.body.chips["F"])
    assert rig.run(LONGEST_RETRY_S + 0.5) == [FaultReport(())]
    assert tap(rig, "i5") == touches("i5")


def test_machine_without_any_bus_of_the_board_is_refused(profile, clock):
    with pytest.raises(BackendError, match=r"needs I2C bus 1.*has 20, 21.*lifeboard doctor"):
        PiBackend(profile, clock=clock, platform=Mock(buses=lambda: (20, 21)))


@pytest.mark.parametrize(
    ("load_pf", "trouble", "words"),
    [(inf, Trouble.SHORT, "shorted to ground"), (CUT_PF, Trouble.OPEN, "its wire is broken")],
)
def test_electrode_that_fails_touches_nothing_and_heals(rig, pi, load_pf, trouble, words):
    pi.body.damage("e5", load_pf)
    fault = only_fault(rig.run(FOUND_S))
    assert (fault.trouble, fault.part, fault.cells) == (trouble, "e5", {"e5"})
    assert words in fault.detail
    assert tap(rig, "a1") == touches("a1")
    pi.body.damage("e5", None)
    assert rig.run(5.0) == [FaultReport(())]
    assert tap(rig, "e5") == touches("e5")
    rig.device.mask(frozenset({"e5"}))
    pi.body.damage("e5", load_pf)
    assert rig.run(2.0) == []
    pi.body.damage("e5", None)
    rig.run(2.0)
    assert tap(rig, "e5") == []
    rig.device.mask(frozenset())
    rig.run(0.5)
    assert tap(rig, "e5") == touches("e5")


def test_line_that_is_held_low_makes_the_chips_be_read_often(rig, pi, profile):
    pi.body.on_line(True)  # a chip that died while it held it
    pi.body.on_line = lambda low: None
    rig.run(1.0)
    rig.hands.press("finger", "a1")
    ((latency_s, event),) = rig.run_timed(0.2)
    assert event == CellTouch("a1", Moment.DOWN)
    assert latency_s < 0.08


def test_settings_of_the_profile_and_of_single_electrodes_are_written(profile, clock):
    measuring = Measuring(20, 10, 2, 3, False, 32, 1.0, 18, 10, 4)
    memory = BoardMemory()
    memory.tune({Electrode("A", 3): Tuning(30, 15, 40, 2.0), Electrode("A", 4): Tuning(31)})
    pi = EmulatedPi(replace(profile, measuring=measuring), clock=clock, memory=memory)
    chip = pi.body.chips["A"]

    def registers(first, count):
        chip.write(bytes([first]))
        return list(chip.read(count))

    assert registers(0x41, 10) == [20, 10, 20, 10, 20, 10, 30, 15, 31, 10]
    assert registers(0x5B, 3) == [3 << 4 | 2, 2 << 6 | 32, 2 << 5 | 2 << 3 | 2]
    assert registers(0x5F, 13) == [0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert registers(0x6C, 6) == [0, 3 << 4, 0, 0, 0, 0]
    assert chip.running
    pi.close()


def standing(rig, seconds=1.5):
    """Return the standing stones that were reported, newest last."""
    return [event.cells for event in rig.run(seconds) if isinstance(event, Standing)]


def test_forty_standing_stones_are_felt_after_power_cuts(presence, open_rig, tmp_path):
    path = tmp_path / "board.json"
    rig = open_rig("pi", presence, memory=BoardMemory(path))
    rig.device.backend.settle(frozenset(presence.cells))
    assert standing(rig, 12.0) == [frozenset()]  # long enough to be written down
    stood = sorted(presence.cells)[:40]
    rig = open_rig("pi", presence, memory=BoardMemory(path), stones=stood)
    backend = rig.device.backend
    assert standing(rig, 1.5) == [frozenset(stood)]
    assert standing(rig, 60.0) == []
    backend.settle(frozenset(presence.cells) - set(stood))
    for chip in backend.body.chips.values():
        chip.power_cycle()
    assert set(standing(rig, 20.0)) == {frozenset(stood)}  # nothing has moved
    for cell in stood[:20]:
        backend.body.take(cell)
    assert standing(rig) == [frozenset(stood[20:])]


def test_only_empty_cells_are_remembered(presence, open_rig):
    memory = BoardMemory()
    rig = open_rig("pi", presence, memory=memory)
    rig.run(5.0)
    assert memory.baselines == {}
    rig.device.backend.settle(frozenset({"a1", "e5"}))
    rig.run(1.0)
    # Nothing ever stands on the pad of a key.
    keys = {key for key in presence.keys.values() if isinstance(key, Electrode)}
    assert memory.baselines.keys() == {presence.cells["a1"], presence.cells["e5"], *keys}


def test_automatic_charge_is_found_and_remembered(profile, open_rig):
    automatic = replace(profile, measuring=replace(profile.measuring, automatic=True))
    memory = BoardMemory()
    rig = open_rig("pi", automatic, memory=memory)
    assert rig.run(1.0) == []
    readings = rig.device.backend.readings(rig.clock.now)
    wired = [reading.raw for pad, reading in readings.items() if pad in profile.cells.values()]
    assert 650 <= min(wired) <= max(wired) <= 800
    assert all(memory.tunings[pad].charge_ua for pad in profile.cells.values())
    assert tap(rig, "e5") == touches("e5")


def test_one_flipped_bit_is_no_touch(rig, pi):
    """A misread poll would otherwise stand until the next one."""
    chip, left = chip_of(pi, "e5"), [True]

    def flip(said):
        if len(said) != 2 or not left:
            return said
        left.clear()
        return bytes([said[0] ^ 1, said[1]])

    bad_wires.garble(pi.platform.cable(chip), chip.address, flip)
    assert rig.run(2.0) == []
    assert not left


def test_chip_that_browns_out_again_and_again_is_tried_ever_less_often(rig, pi):
    after_s = 0.3
    chip = pi.body.chips[chip_of(pi, "e5").name]
    toggles = 0
    for _ in range(round(60.0 / after_s)):
        if chip.running:
            chip.power_cycle()
        toggles += len(rig.run(after_s))
    assert toggles <= 2 * (60.0 / LONGEST_RETRY_S + 6)


def test_dead_key_on_a_pad_is_not_felt_and_does_not_pause_play(open_rig):
    rig = open_rig("pi", built_in("disc-32"))
    rig.run(0.5)
    rig.device.backend.body.damage("ring1", inf)
    assert rig.run(5.0) == []
    rig.device.backend.body.damage("ring1", None)
    rig.run(5.0)
    rig.hands.press("finger", "ring1")
    (event,) = rig.run(0.2)
    assert event.key == "ring1"


def test_chips_are_read_until_the_line_is_released():
    profile, chips = built_in(), []

    def open_chip(place):
        chip = Mock(automatic=False, chip=place)
        chip.touched.return_value = frozenset()
        chip.suspect.return_value = False
        chip.readings.return_value = (Reading(0, 0, False),) * 12
        chips.append(chip)
        return chip

    lows = repeat(False)
    array = SensorArray(profile, open_chip, lambda: next(lows), BoardMemory(), 0.0)
    array.scan(0.0)
    assert {chip.touched.call_count for chip in chips} == {1}
    lows = chain([True, True], repeat(False))
    array.scan(0.01)
    assert [chip.touched.call_count - 1 for chip in chips] == [1, 1, 0, 0, 0, 0]
