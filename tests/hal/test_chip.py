"""The emulated MPR121 against its data sheet, register by register."""

import pytest

from hal.sim import EmulatedMpr121

STATUS, BASELINE = 0x00, 0x1E
EMPTY_PF, FINGER_PF = 9.0, 1.6
TEN_BITS, FIVE_BITS, KEEP = 0xCF, 0x8F, 0x0F
# Registers 0x2B to 0x35: NXP's (quick start guide AN3944), and those of the published driver.
QUICK_START = (1, 1, 0, 0, 1, 1, 0xFF, 2, 0, 0, 0)
PUBLISHED = (1, 1, 14, 0, 1, 5, 1, 0, 0, 0, 0)


@pytest.fixture
def chip():
    chip = EmulatedMpr121(0.0, seed=3)
    for electrode in range(12):
        chip.load(electrode, EMPTY_PF)
    set_up(chip, PUBLISHED)
    return chip


def set_up(chip, drift):
    chip.write(bytes([0x41, *([12, 6] * 12)]))
    chip.write(bytes([0x2B, *drift]))
    chip.write(bytes([0x5D, 0x20]))


def run(chip, until=0.1):
    chip.write(bytes([0x5E, TEN_BITS]))
    chip.advance(until)


def read(chip, register, count=1):
    chip.write(bytes([register]))
    return chip.read(count)


def status(chip):
    return int.from_bytes(read(chip, STATUS, 2), "little")


def baseline(chip, electrode=0):
    return read(chip, BASELINE + electrode)[0] << 2


def ideal(capacitance_pf):
    """Counts with 16 uA for 0.5 us, by the data sheet."""
    return 16 * 0.5 / capacitance_pf * 1024 / 3.3


def test_chip_run_mode_ignores_writes_of_settings(chip):
    run(chip)
    chip.write(bytes([0x80, 0x62]))  # not the key of a reset
    assert chip.running
    for register in (0x1E, 0x2B, 0x41, 0x5B, 0x5C, 0x5D, 0x5F, 0x6C, 0x7B):
        before = read(chip, register)
        chip.write(bytes([register, 0x55]))
        assert read(chip, register) == before, hex(register)


def test_chip_long_silence_says_what_stepping_through_it_says(chip):
    def follow(step_s, began):
        chip.write(bytes([0x80, 0x63]))
        set_up(chip, PUBLISHED)
        chip.load(0, EMPTY_PF)
        chip.write(bytes([0x5E, FIVE_BITS]))
        shown = []
        for n, load_pf in enumerate((0.0, FINGER_PF, 0.0, 0.2, FINGER_PF, 0.0)):
            chip.load(0, EMPTY_PF + load_pf)
            end = began + 20.0 * (n + 1)
            now = began + 20.0 * n
            while now < end:
                now = min(end, now + step_s)
                chip.advance(now)
            shown.append((status(chip), abs(baseline(chip) - ideal(EMPTY_PF)) <= 12))
        return shown

    assert follow(20.0, began=0.0) == follow(0.05, began=120.0)


@pytest.mark.parametrize("debounce", [0x00, 0x77])
def test_chip_stones_that_stand_at_a_restart_are_felt_from_written_baselines(chip, debounce):
    run(chip, until=1.0)
    stored = [baseline(chip, electrode) for electrode in range(12)]
    for electrode in (0, 3, 11):
        chip.load(electrode, EMPTY_PF + FINGER_PF)
    chip.advance(2.0)
    chip.power_cycle()
    set_up(chip, QUICK_START)
    chip.write(bytes([0x5B, debounce]))
    chip.write(bytes([BASELINE, *(counts >> 2 for counts in stored)]))
    chip.write(bytes([0x5E, KEEP]))
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
