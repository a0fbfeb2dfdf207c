"""Touches from MPR121 chips, through the published `adafruit_mpr121` driver.

Owns how the chips are set up, when they are read, and which answers are believed. Must not know
whether the bus is real or emulated, and does not debounce.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from adafruit_bus_device.i2c_device import I2CDevice  # type: ignore[import-untyped]
from adafruit_mpr121 import MPR121

from hal.errors import SensorFault
from hal.profile import ELECTRODES, Chip, Profile, Sensing

_THRESHOLDS = 0x41
_ECR = 0x5E
_STOP = 0x00
# CL = 11, ELE_EN = 12: run all electrodes, with all ten bits of the first result as baseline. The
# driver's own 0x8F takes five bits only, and a baseline that is up to 31 counts too low would hide
# a finger for the first second.
_RUN = 0xCF
_MOST_ROUNDS = 3

log = logging.getLogger(__name__)


class SensorArray:
    """Read all chips of a profile. `buses` are what `adafruit_bus_device` can use, by number.

    `faults` counts the readings of each chip that failed or were refused; its cells keep the state
    that was read last. `last_fault` is the newest of them.
    """

    def __init__(
        self, profile: Profile, buses: Mapping[int, Any], line_low: Callable[[], bool]
    ) -> None:
        self.faults: Counter[str] = Counter()
        self.last_fault: SensorFault | None = None
        self._failing: set[str] = set()
        self._line_low = line_low
        self._poll_s = profile.sensing.poll_ms / 1000
        self._poll_due_s = -inf
        self._cells = {(each.chip, each.electrode): cell for cell, each in profile.cells.items()}
        self._chips = {chip.name: chip for chip in profile.chips}
        self._drivers = {
            chip.name: _set_up(chip, buses[chip.bus], profile.sensing) for chip in profile.chips
        }
        self._touched: dict[str, frozenset[str]] = {
            chip.name: frozenset() for chip in profile.chips
        }

    def scan(self, now: float) -> frozenset[str]:
        """Give the touched cells; read the chips only if their line is low or a poll is due."""
        if self._line_low() or now >= self._poll_due_s:
            self._poll_due_s = now + self._poll_s
            # A chip that pulls the line again while another still holds it makes no new edge, so
            # nothing would wake us for it.
            for _ in range(_MOST_ROUNDS):
                for name in self._drivers:
                    self._refresh(name)
                if not self._line_low():
                    break
        return frozenset().union(*self._touched.values())

    def _refresh(self, name: str) -> None:
        """Read a chip; a fault is counted, and told once until the chip answers again."""
        try:
            self._touched[name] = self._read(name)
        except SensorFault as fault:
            self.faults[name] += 1
            self.last_fault = fault
            if name not in self._failing:
                log.warning("%s", fault)
            self._failing.add(name)
        else:
            if name in self._failing:
                log.warning("%s answers again", _place(self._chips[name]))
            self._failing.discard(name)

    def _read(self, name: str) -> frozenset[str]:
        try:
            bits = self._drivers[name].touched()
        except OSError as error:
            raise SensorFault(f"{_place(self._chips[name])} does not answer: {error}") from error
        # Bit 15 is the over-current flag, 12 to 14 are never set here: such a frame is a failed
        # read (0xFFFF looks like twelve stones) or a chip that has stopped.
        if bits >> ELECTRODES:
            raise SensorFault(
                f"{_place(self._chips[name])} says 0x{bits:04X}: allowed is 0x0000 to 0x0FFF"
            )
        return frozenset(
            self._cells[name, number]
            for number in range(ELECTRODES)
            if bits >> number & 1 and (name, number) in self._cells
        )


def _set_up(chip: Chip, bus: Any, sensing: Sensing) -> MPR121:
    """Reset a chip and write its thresholds; raise SensorFault when it does not answer so."""
    # Every restart of the chip reloads its baselines from what the electrodes feel then. That is
    # right here and only here: the board starts empty. It is also why the thresholds go in one
    # write, with one restart after it, and not through the driver's property, with one for each.
    try:
        driver = MPR121(bus, address=chip.address)
        with I2CDevice(bus, chip.address) as device:
            device.write(bytes([_ECR, _STOP]))
            pair = [sensing.touch_threshold, sensing.release_threshold]
            device.write(bytes([_THRESHOLDS, *(pair * ELECTRODES)]))
            device.write(bytes([_ECR, _RUN]))
    except (OSError, ValueError, RuntimeError) as error:
        raise SensorFault(f"{_place(chip)} cannot be set up: {error}") from error
    return driver


def _place(chip: Chip) -> str:
    return f"sensor chip {chip.name} (bus {chip.bus}, address 0x{chip.address:X})"
