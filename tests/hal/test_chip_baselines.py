"""Baselines of the emulated MPR121: how they are loaded, written and kept, and how they follow."""

import pytest

from tests.helpers.boards.chip_access import (
    BASELINE,
    EMPTY_PF,
    FINGER_PF,
    KEEP,
    QUICK_START,
    TEN_BITS,
    baseline,
    ideal,
    run,
    set_up,
    status,
    stopped,
)


@pytest.fixture
def chip():
    return stopped()


def test_chip_baseline_is_kept_and_tracked_with_cl_00(chip):
    chip.write(bytes([BASELINE, 70]))
    run(chip, KEEP, until=0.004)
    assert abs(baseline(chip) - 280) <= 8
    chip.advance(2.0)
    assert abs(baseline(chip) - ideal(EMPTY_PF)) <= 6


def test_chip_stones_that_stand_at_a_restart_are_absorbed_unless_cl_is_00(chip):
    run(chip)
    chip.load(0, EMPTY_PF + FINGER_PF)
    chip.advance(0.2)
    assert status(chip) == 1
    run(chip, mode=0x00, until=0.2)
    run(chip, KEEP, until=0.3)
    assert status(chip) == 1
    run(chip, mode=0x00, until=0.3)
    run(chip, TEN_BITS, until=0.4)
    assert status(chip) == 0


def test_chip_falling_baseline_follows_drift_that_is_no_touch(chip):
    run(chip)
    chip.load(0, EMPTY_PF + 0.3)
    chip.advance(5.0)
    assert status(chip) == 0
    assert abs(baseline(chip) - ideal(EMPTY_PF + 0.3)) <= 6


def restart(chip, baselines, *, drift=QUICK_START, debounce=0x00, mode=KEEP):
    """Cut the chip's power, and start it from baselines in counts with stones as they stand."""
    chip.power_cycle()
    set_up(chip, drift)
    chip.write(bytes([0x5B, debounce]))
    chip.write(bytes([BASELINE, *(counts >> 2 for counts in baselines)]))
    chip.write(bytes([0x5E, mode]))


@pytest.mark.parametrize("debounce", [0x00, 0x77])
def test_chip_stones_that_stand_at_a_restart_are_felt_from_written_baselines(chip, debounce):
    run(chip, until=1.0)
    stored = [baseline(chip, electrode) for electrode in range(12)]
    for electrode in (0, 3, 11):
        chip.load(electrode, EMPTY_PF + FINGER_PF)
    chip.advance(2.0)
    restart(chip, stored, debounce=debounce)
    chip.advance(2.004 + 0.004 * (debounce & 7))
    assert status(chip) == 0b1000_0000_1001
    chip.advance(600.0)
    assert status(chip) == 0b1000_0000_1001
    for electrode in (0, 3, 11):
        assert baseline(chip, electrode) == stored[electrode]
    chip.load(3, EMPTY_PF)
    chip.advance(600.004 + 0.004 * (debounce & 7) + 0.004)
    assert status(chip) == 0b1000_0000_0001
    chip.load(3, EMPTY_PF + FINGER_PF)
    chip.advance(601.0)
    assert status(chip) == 0b1000_0000_1001
