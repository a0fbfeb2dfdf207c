"""A board on I2C: touch chips, keys, interrupt line and pixels of one platform."""

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from math import inf

from hal.backends.backend import Clock, IsLow, Platform
from hal.base.errors import BackendError, PinInUse
from hal.base.events import Fault, Sensed, Trouble
from hal.drivers.mpr121_registers import Reading
from hal.lights import Frame, Lights
from hal.profile import BoardMemory, Electrode, Pin, Profile, Tuning
from hal.sensing import SensorArray

FIRST_SAVE_S = 1.0  # how soon the first baseline of a cell is saved
SAVE_S = 600.0  # how often measurements are saved, if they have changed: SD cards wear out
PIN_RETRY_S = 5.0  # how often a pin that something else uses is tried again

_LINE = None  # stands for the interrupt line among the names of keys
_WIRES = {
    Trouble.SHORT: "is shorted to ground or to its neighbour",
    Trouble.OPEN: "measures the top of the range: its wire is broken, or its charge too large",
}

log = logging.getLogger(__name__)


class I2cBackend:
    """Drive a board on a platform, which a subclass opens; it may override `faults`."""

    def __init__(
        self,
        profile: Profile,
        platform: Platform,
        *,
        clock: Clock,
        memory: BoardMemory | None = None,
        woken: threading.Event | None = None,
    ) -> None:
        self.profile = profile
        self.memory = BoardMemory() if memory is None else memory
        self._closed = False
        self._known = 0
        self._now = clock()
        self._save_due_s = self._now + FIRST_SAVE_S
        self._woken = threading.Event() if woken is None else woken
        pads = [*profile.cells.items(), *profile.keys.items()]
        self._spots = {pad: spot for spot, pad in pads if isinstance(pad, Electrode)}
        wanted, there = sorted({chip.bus for chip in profile.chips}), platform.buses()
        if not set(wanted) & set(there):
            # No retry could repair that.
            have = ", ".join(map(str, there)) or "none"
            raise BackendError(
                f"board {profile.name} needs I2C bus {', '.join(map(str, wanted))}, and this"
                f" platform has {have}; `lifeboard doctor` says what is missing"
            )
        self._platform = platform
        self._openers: dict[str | None, Callable[[], IsLow]] = {
            name: partial(platform.key, key.number, self._woken.set)
            for name, key in profile.keys.items()
            if isinstance(key, Pin)
        }
        self._openers[_LINE] = partial(platform.line, profile.interrupt_pin, self._woken.set)
        self._pins: dict[str | None, IsLow] = {}
        self._open_pins(self._now)
        self.sensors = SensorArray(profile, platform.chip, self._line_low, self.memory, self._now)
        self._lights = Lights(
            lambda: platform.pixels(profile.strip), profile.pixel_count, self._now
        )

    def sense(self, now: float) -> Sensed:
        """Read chips and keys, and retry failed parts."""
        self._now = now
        self._lights.attend(now)
        if now >= self._pins_due_s:
            self._open_pins(now)
        spots = map(self._spots.get, self.sensors.scan(now))
        touched = {spot for spot in spots if spot is not None}
        if len(self.memory.baselines) > self._known:
            self._known = len(self.memory.baselines)
            self._save_due_s = min(self._save_due_s, now + FIRST_SAVE_S)
        if now >= self._save_due_s:
            self._save_due_s = now + SAVE_S
            self._save()
        touched |= {name for name, is_low in self._pins.items() if name is not _LINE and is_low()}
        faults = self.faults()
        for fault in faults:
            touched -= fault.cells | fault.keys
        return Sensed(
            frozenset(touched & self.profile.cells.keys()),
            frozenset(touched & self.profile.keys.keys()),
            faults,
        )

    def settle(self, empty: frozenset[str]) -> None:
        pads = (key for key in self.profile.keys.values() if isinstance(key, Electrode))
        self.sensors.empty = frozenset([*[self.profile.cells[cell] for cell in empty], *pads])

    def due(self, now: float) -> float:
        return max(now, min(self.sensors.due(), self._lights.due(), self._pins_due_s))

    def light(self, frame: Frame) -> None:
        """Show final pixel levels; a strip that is gone shows the newest levels once it is back."""
        self._lights.show(frame, self._now)

    def lit(self) -> Frame:
        return self._lights.lit()

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until a pin moves, `wake`, or the time-out."""
        self._woken.wait(timeout_s)
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._save()
        self._lights.close()
        self._platform.close()
        self._woken.set()

    def pads(self, now: float) -> frozenset[Electrode]:
        self._now = now
        self._lights.attend(now)
        return self.sensors.scan(now)

    def readings(self, now: float) -> Mapping[Electrode, Reading]:
        return self.sensors.readings(now)

    def tune(self, tunings: Mapping[Electrode, Tuning], now: float) -> None:
        self.memory.tune(tunings)
        self.sensors.restart(now, learn=True)

    def faults(self) -> tuple[Fault, ...]:
        """Return the present faults, without reading chips or keys."""
        found = []
        for chip, why in self.sensors.failing().items():
            spots = {spot for pad, spot in self._spots.items() if pad.chip == chip}
            found.append(self._fault(Trouble.CHIP, chip, spots, str(why)))
        for pad, trouble in self.sensors.given_up().items():
            spot = self._spots[pad]
            detail = f"{spot} (electrode {pad.electrode} of chip {pad.chip}) {_WIRES[trouble]}"
            found.append(self._fault(trouble, spot, {spot}, detail))
        if self._lights.fault is not None:
            found.append(self._fault(Trouble.STRIP, "strip", set(), str(self._lights.fault)))
        return (*found, *self._pin_faults)

    def _open_pins(self, now: float) -> None:
        """Open missing pins; one that is in use is a fault, and play goes on without it."""
        self._pin_faults: list[Fault] = []
        self._pins_due_s = inf
        for name, open_pin in self._openers.items():
            if name in self._pins:
                continue
            try:
                self._pins[name] = open_pin()
            except PinInUse as error:
                what, keys = "without their interrupt line the chips are polled", set[str]()
                if name is not _LINE:
                    what, keys = f"key {name} is not sensed", {name}
                self._pin_faults.append(
                    self._fault(Trouble.PIN, error.pin, keys, f"{what}: {error}")
                )
                self._pins_due_s = now + PIN_RETRY_S

    def _line_low(self) -> bool:
        return _LINE not in self._pins or self._pins[_LINE]()

    def _fault(self, trouble: Trouble, part: str, spots: set[str], detail: str) -> Fault:
        cells = frozenset(spots & self.profile.cells.keys())
        return Fault(trouble, part, cells, frozenset(spots - cells), detail)

    def _save(self) -> None:
        try:
            self.memory.save()
        except OSError as error:
            log.warning("board file %s cannot be written: %s", self.memory.path, error)
