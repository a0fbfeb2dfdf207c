"""Drive an emulated MPR121 over its registers."""

from hal.sim import EmulatedMpr121

STATUS, DATA, BASELINE = 0x00, 0x04, 0x1E
EMPTY_PF, FINGER_PF = 9.0, 1.6
TEN_BITS, FIVE_BITS, KEEP, NO_TRACKING = 0xCF, 0x8F, 0x0F, 0x4F
# Registers 0x2B to 0x35: NXP's (quick start guide AN3944), and those of the published driver.
QUICK_START = (1, 1, 0, 0, 1, 1, 0xFF, 2, 0, 0, 0)
PUBLISHED = (1, 1, 14, 0, 1, 5, 1, 0, 0, 0, 0)


def stopped():
    """A chip in stop mode with a reading every 4 ms, thresholds 12 and 6, and nine picofarads."""
    chip = EmulatedMpr121(0.0, seed=3)
    for electrode in range(12):
        chip.load(electrode, EMPTY_PF)
    set_up(chip, PUBLISHED)
    return chip


def set_up(chip, drift):
    chip.write(bytes([0x41, *([12, 6] * 12)]))
    chip.write(bytes([0x2B, *drift]))
    chip.write(bytes([0x5D, 0x20]))


def run(chip, mode=TEN_BITS, until=0.1):
    chip.write(bytes([0x5E, mode]))
    chip.advance(until)


def read(chip, register, count=1):
    chip.write(bytes([register]))
    return chip.read(count)


def status(chip):
    return int.from_bytes(read(chip, STATUS, 2), "little")


def data(chip, electrode=0):
    return int.from_bytes(read(chip, DATA + 2 * electrode, 2), "little")


def baseline(chip, electrode=0):
    return read(chip, BASELINE + electrode)[0] << 2


def ideal(capacitance_pf, current_ua=16, time_us=0.5):
    return current_ua * time_us / capacitance_pf * 1024 / 3.3
