"""The emulated MPR121 against its data sheet, register by register."""

import pytest

from hal.sim import EmulatedMpr121

STATUS, BASELINE = 0x00, 0x1E
EMPTY_PF, FINGER_PF = 9.0, 1.6
TEN_BITS, FIVE_BITS = 0xCF, 0x8F


@pytest.fixture
def chip():
    chip = EmulatedMpr121(0.0)
    for electrode in range(12):
        chip.load(electrode, EMPTY_PF)
    set_up(chip)
    return chip


def set_up(chip):
    """Write what the published driver does."""
    chip.write(bytes([0x41, *([12, 6] * 12)]))
    chip.write(bytes([0x2B, 1, 1, 14, 0, 1, 5, 1, 0, 0, 0, 0]))
    chip.write(bytes([0x5D, 0x20]))


def read(chip, register, count=1):
    chip.write(bytes([register]))
    return chip.read(count)


def test_chip_run_mode_ignores_writes_of_settings(chip):
    chip.write(bytes([0x5E, TEN_BITS]))
    chip.write(bytes([0x80, 0x62]))  # not the key of a reset
    assert chip.running
    for register in (0x1E, 0x2B, 0x41, 0x5B, 0x5C, 0x5D, 0x5F, 0x6C, 0x7B):
        before = read(chip, register)
        chip.write(bytes([register, 0x55]))
        assert read(chip, register) == before, hex(register)


def test_chip_long_silence_says_what_stepping_through_it_says(chip):
    # Counts with 16 uA for 0.5 us, by the data sheet.
    empty = 16 * 0.5 / EMPTY_PF * 1024 / 3.3

    def follow(step_s, began):
        chip.write(bytes([0x80, 0x63]))
        set_up(chip)
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
            baseline = read(chip, BASELINE)[0] << 2
            shown.append((read(chip, STATUS, 2), abs(baseline - empty) <= 12))
        return shown

    assert follow(20.0, began=0.0) == follow(0.05, began=120.0)
