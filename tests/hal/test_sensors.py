"""The chips of a board above emulated buses: reading, faults, retries, healing, baselines."""

import errno
from dataclasses import replace
from math import inf

import pytest

from hal.base.errors import BackendError
from hal.base.events import CellTouch, FaultReport, Moment, Standing
from hal.base.faults import Trouble
from hal.profile import BoardMemory, Electrode, Tuning, built_in
from hal.sensing.chip_watch import LONGEST_RETRY_S
from tests.helpers.boards import bad_wires
from tests.helpers.boards.emulated_pi import EmulatedPi
from tests.helpers.boards.profiles import board_named, spare_electrode

FOUND_S = 1.0
"""Within this time every fault must be found."""


@pytest.fixture(params=["hexagon-61", "hexagon-61-mux"])
def profile(request):
    return board_named(request.param)


@pytest.fixture
def presence(profile):
    return replace(profile, sensing=replace(profile.sensing, mode="presence"))


@pytest.fixture
def desk(open_desk, profile):
    desk = open_desk("pi", profile)
    assert not desk.run(1.5)
    return desk


@pytest.fixture
def pi(desk) -> EmulatedPi:
    return desk.device.backend


def chip_of(pi, cell):
    name = pi.profile.cells[cell].chip
    return next(chip for chip in pi.profile.chips if chip.name == name)


def cells_of(profile, chip):
    return {cell for cell, pad in profile.cells.items() if pad.chip == chip.name}


def only_fault(events):
    """Return the one fault of a report; fail for any other event."""
    (event,) = events
    assert isinstance(event, FaultReport)
    (fault,) = event.faults
    return fault


def tap(desk, cell):
    desk.hands.press("finger", cell)
    events = desk.run(0.15)
    desk.hands.lift("finger")
    return events + desk.run(0.15)


def touches(cell):
    return [CellTouch(cell, Moment.DOWN), CellTouch(cell, Moment.UP)]


def silence(pi, chip):
    bad_wires.silence(pi.platform.cable(chip), chip.address)
    return lambda: bad_wires.heal(pi.platform.cable(chip), chip.address)


def floating_wire(pi, chip):
    bad_wires.garble(pi.platform.cable(chip), chip.address)
    return lambda: bad_wires.heal(pi.platform.cable(chip), chip.address)


def hang(pi, chip):
    pi.platform.bus(chip.bus).hold()
    return pi.platform.bus(chip.bus).release


@pytest.mark.parametrize("break_it", [silence, floating_wire, hang])
def test_chip_that_fails_is_found_told_once_and_healed(desk, pi, profile, break_it):
    chip = chip_of(pi, "e5")
    mend = break_it(pi, chip)
    events = desk.run(FOUND_S)
    faults = {fault.part: fault for event in events for fault in event.faults}
    assert faults[chip.name].trouble is Trouble.CHIP
    assert faults[chip.name].cells == cells_of(profile, chip)
    assert chip.place in faults[chip.name].detail
    assert desk.run(10.0) == []
    mend()
    healed = desk.run(LONGEST_RETRY_S + 0.5)
    assert healed[-1] == FaultReport(())
    assert tap(desk, "e5") == touches("e5")
    assert desk.run(3.0) == []


def test_chip_that_has_lost_its_settings_is_found_and_set_up_again(desk, pi):
    pi.body.chips[chip_of(pi, "e5").name].power_cycle()
    assert [bool(event.faults) for event in desk.run(FOUND_S)] == [True, False]
    assert tap(desk, "e5") == touches("e5")


def test_chips_of_a_released_bus_come_back_together(desk, pi, profile):
    bus = pi.platform.bus(chip_of(pi, "e5").bus)
    bus.hold()
    desk.run(FOUND_S)
    failing = len(pi.sensors.failing())
    assert failing > 1
    # Where reading is slow, as over a serial line, chips are retried at different times.
    next(each for each in pi.sensors._watches if each.fault is not None).retry_s += 4.0
    bus.release()
    while len(pi.sensors.failing()) == failing:
        desk.run(0.05)
    assert pi.sensors.failing() == {}


def test_chip_that_is_missing_at_the_start_is_a_fault_and_comes_in_later(profile, open_desk):
    desk = open_desk("pi", profile, missing=("F",))
    fault = only_fault(desk.run(FOUND_S))
    assert (fault.trouble, fault.part) == (Trouble.CHIP, "F")
    assert "cannot be set up" in fault.detail
    assert tap(desk, "a1") == touches("a1")
    desk.device.backend.plug("F")
    assert desk.run(LONGEST_RETRY_S + 0.5) == [FaultReport(())]
    assert tap(desk, "i5") == touches("i5")


def test_machine_without_any_bus_of_the_board_is_refused(profile, clock):
    class NoBuses:
        def buses(self):
            return (20, 21)

    from hal.backends.pi import PiBackend

    with pytest.raises(BackendError, match=r"needs I2C bus 1.*has 20, 21.*lifeboard doctor"):
        PiBackend(profile, clock=clock, platform=NoBuses())


@pytest.mark.parametrize("break_it", [silence, hang])
def test_finger_that_rests_through_a_fault_is_no_touch_afterwards(desk, pi, break_it):
    mend = break_it(pi, chip_of(pi, "e5"))
    desk.run(FOUND_S / 4)
    desk.hands.press("finger", "e5")
    events = desk.run(FOUND_S)
    mend()
    events += desk.run(LONGEST_RETRY_S + 1.0)
    desk.hands.lift("finger")
    events += desk.run(1.0)
    assert not [event for event in events if isinstance(event, CellTouch)]
    assert desk.device.faults == ()


@pytest.mark.parametrize(
    ("fail", "trouble", "words"),
    [("short", Trouble.SHORT, "shorted to ground"), ("cut", Trouble.OPEN, "its wire is broken")],
)
def test_electrode_that_fails_is_found_touches_nothing_and_heals(desk, pi, fail, trouble, words):
    getattr(pi.body, fail)("e5")
    fault = only_fault(desk.run(FOUND_S))
    assert (fault.trouble, fault.part, fault.cells) == (trouble, "e5", {"e5"})
    assert words in fault.detail
    assert tap(desk, "a1") == touches("a1")
    pi.body.mend("e5")
    assert desk.run(5.0) == [FaultReport(())]
    assert tap(desk, "e5") == touches("e5")


def test_electrode_that_nothing_hangs_on_is_no_fault_whatever_it_measures(desk, pi):
    spare = spare_electrode(pi.profile)
    pi.body.chips[spare.chip].load(spare.electrode, inf)
    assert desk.run(2.0) == []
    pi.body.chips[spare.chip].load(spare.electrode, 0.1)
    assert desk.run(2.0) == []


def test_masked_cell_is_neither_felt_nor_asked_for(desk, pi):
    desk.device.mask(frozenset({"e5"}))
    pi.body.short("e5")
    assert desk.run(2.0) == []
    pi.body.mend("e5")
    desk.run(2.0)
    assert tap(desk, "e5") == []
    desk.device.mask(frozenset())
    desk.run(0.5)
    assert tap(desk, "e5") == touches("e5")


def test_line_that_is_held_low_makes_the_chips_be_read_often(desk, pi, profile):
    pi.body.on_line(True)  # a chip that died while it held it
    pi.body.on_line = lambda low: None
    desk.run(1.0)
    desk.hands.press("finger", "a1")
    ((latency_s, event),) = desk.run_timed(0.2)
    assert event == CellTouch("a1", Moment.DOWN)
    assert latency_s < 0.08


def test_settings_of_the_profile_and_of_single_electrodes_are_written(profile, clock):
    measuring = replace(
        profile.measuring,
        touch_threshold=20,
        release_threshold=10,
        touch_debounce=2,
        release_debounce=3,
        charge_ua=32,
        charge_us=1.0,
        first_filter=18,
        second_filter=10,
        interval_ms=4,
    )
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


def standing(desk, seconds=1.5):
    """Return the standing stones that were reported, newest last."""
    return [event.cells for event in desk.run(seconds) if isinstance(event, Standing)]


def test_forty_standing_stones_are_felt_after_a_power_cut(presence, open_desk, tmp_path):
    path = tmp_path / "board.json"
    desk = open_desk("pi", presence, memory=BoardMemory(path))
    desk.device.backend.settle(frozenset(presence.cells))
    assert standing(desk, 12.0) == [frozenset()]  # long enough to be written down
    stood = sorted(presence.cells)[:40]
    again = open_desk("pi", presence, memory=BoardMemory(path), stones=stood)
    assert standing(again, 1.5) == [frozenset(stood)]
    assert standing(again, 60.0) == []
    for cell in stood[:20]:
        again.device.backend.body.take(cell)
    assert standing(again) == [frozenset(stood[20:])]


def test_chip_that_was_power_cycled_feels_its_stones_again(presence, open_desk):
    desk = open_desk("pi", presence)
    backend = desk.device.backend
    backend.settle(frozenset(presence.cells))
    desk.run(3.0)
    stood = sorted(presence.cells)[:40]
    for cell in stood:
        backend.body.put(cell)
    backend.settle(frozenset(presence.cells) - set(stood))
    assert standing(desk) == [frozenset(stood)]
    for chip in backend.body.chips.values():
        chip.power_cycle()
    assert set(standing(desk, 20.0)) == {frozenset(stood)}  # nothing has moved
    backend.body.take(stood[0])
    assert standing(desk) == [frozenset(stood[1:])]


def test_only_empty_cells_are_remembered(presence, open_desk):
    memory = BoardMemory()
    desk = open_desk("pi", presence, memory=memory)
    desk.run(5.0)
    assert memory.baselines == {}
    desk.device.backend.settle(frozenset({"a1", "e5"}))
    desk.run(1.0)
    # Nothing ever stands on the pad of a key.
    keys = {key for key in presence.keys.values() if isinstance(key, Electrode)}
    assert memory.baselines.keys() == {presence.cells["a1"], presence.cells["e5"], *keys}


def test_automatic_charge_is_found_and_remembered(profile, open_desk):
    automatic = replace(profile, measuring=replace(profile.measuring, automatic=True))
    memory = BoardMemory()
    desk = open_desk("pi", automatic, memory=memory)
    assert desk.run(1.0) == []
    readings = desk.device.backend.readings(desk.clock.now)
    wired = [reading.raw for pad, reading in readings.items() if pad in profile.cells.values()]
    assert 650 <= min(wired) <= max(wired) <= 800
    assert all(memory.tunings[pad].charge_ua for pad in profile.cells.values())
    assert tap(desk, "e5") == touches("e5")


def test_one_flipped_bit_is_no_touch(open_desk, profile):
    """A misread poll would otherwise stand until the next one."""
    for bit in (0, 11):
        desk = open_desk("pi", profile)
        desk.run(1.5)
        chip, left = chip_of(desk.device.backend, "e5"), [True]

        def flip(said, bit=bit, left=left):
            if len(said) != 2 or not left:
                return said
            left.clear()
            return (int.from_bytes(said, "little") ^ 1 << bit).to_bytes(2, "little")

        bad_wires.garble(desk.device.backend.platform.cable(chip), chip.address, flip)
        assert desk.run(2.0) == []
        assert not left


def test_chip_that_browns_out_again_and_again_is_tried_ever_less_often(desk, pi):
    after_s = 0.3
    chip = pi.body.chips[chip_of(pi, "e5").name]
    toggles = 0
    for _ in range(round(60.0 / after_s)):
        if chip.running:
            chip.power_cycle()
        toggles += len(desk.run(after_s))
    assert toggles <= 2 * (60.0 / LONGEST_RETRY_S + 6)


def test_chip_that_stretches_the_clock_leaves_the_others_of_its_bus_in_peace(
    open_desk, monkeypatch
):
    desk = open_desk("pi", built_in("hexagon-61"))
    desk.run(1.5)
    chip = chip_of(desk.device.backend, "e5")
    bus = desk.device.backend.platform.bus(chip.bus)
    carry = bus._transfer

    def stretch(address, data, count):
        if address == chip.address:
            raise OSError(errno.ETIMEDOUT, "the clock is held")
        return carry(address, data, count)

    monkeypatch.setattr(bus, "_transfer", stretch)
    assert {fault.part for each in desk.run(30.0) for fault in each.faults} == {chip.name}


def test_dead_key_on_a_pad_is_not_felt_and_does_not_pause_play(open_desk):
    desk = open_desk("pi", built_in("disc-32"))
    desk.run(0.5)
    desk.device.backend.body.short("ring1")
    assert desk.run(5.0) == []
    desk.device.backend.body.mend("ring1")
    desk.run(5.0)
    desk.hands.press("finger", "ring1")
    (event,) = desk.run(0.2)
    assert event.key == "ring1"
