"""The simulated board: emulated chips, bus, pins and pixels below the published drivers.

Owns how they are put together and the waiting. The board thread alone touches the emulation; other
threads only ask fingers to move, and wake it.
"""

import threading
import time
from typing import Any

from gpiozero.pins.mock import MockFactory

from hal.backend import Clock, Sensed
from hal.colour import Colour
from hal.errors import BackendError
from hal.light import Frame
from hal.mpr121 import SensorArray
from hal.pins import InterruptLine, Keys
from hal.profile import Profile
from hal.sim.body import Body
from hal.sim.bus import EmulatedI2CBus
from hal.sim.hands import VirtualHands
from hal.sim.strip import EmulatedPixelStrip
from hal.strip import Lights

# The chips have power for so long when the board is ready, so that their baselines are those of an
# empty board even if a finger comes at once.
_POWERED_S = 0.1


class SimBackend:
    """Carry a board that is emulated below its drivers, and offer virtual fingers for it.

    `bus_busy_s` and `strip_busy_s` are the seconds that the real wires would have been busy so far,
    `emulated_s` those that the emulation took here.
    """

    def __init__(self, profile: Profile, *, clock: Clock = time.monotonic, seed: int = 0) -> None:
        self._closed = False
        self._woken = threading.Event()
        # A factory of its own: two boards in one process must not share pins.
        self._factory = MockFactory()
        self._key_pins = {key: self._factory.pin(pin) for key, pin in profile.keys.items()}
        self._line_pin = self._factory.pin(profile.interrupt_pin)
        self._keys = Keys(profile.keys, self._factory, self._woken.set)
        self._line = InterruptLine(profile.interrupt_pin, self._factory, self._woken.set)
        now = clock()
        self.body = Body(
            profile, now - _POWERED_S, seed=seed, on_line=self._drive_line, on_key=self._drive_key
        )
        self.buses = {chip.bus: EmulatedI2CBus() for chip in profile.chips}
        for chip in profile.chips:
            self.buses[chip.bus].attach(chip.address, self.body.chips[chip.name])
        self.sensors = SensorArray(profile, self.buses, lambda: self._line.low)
        self.body.advance(now)
        self.strip = EmulatedPixelStrip(profile.pixel_count, profile.strip.pin)
        self._lights = Lights(self.strip)
        self.hands = VirtualHands(
            frozenset({*profile.cells, *profile.keys}), clock, self._woken.set
        )

    @property
    def bus_busy_s(self) -> float:
        """Give the seconds that the I2C buses would have been busy, one after the other."""
        return sum(bus.busy_s for bus in self.buses.values())

    @property
    def strip_busy_s(self) -> float:
        """Give the seconds that the strip's wire would have been busy."""
        return self.strip.busy_s

    @property
    def emulated_s(self) -> float:
        """Give the seconds that emulating took, which a real board would not take."""
        on_buses = sum(bus.emulated_s for bus in self.buses.values())
        return on_buses + self.strip.emulated_s + self.body.emulated_s

    @property
    def step_s(self) -> float | None:
        """Give how soon `sense` wants to be called again, in seconds; None for no hurry."""
        steps = [step for step in (self.body.step_s, self.hands.step_s) if step is not None]
        return min(steps, default=None)

    def sense(self, now: float) -> Sensed:
        """Let the emulation run up to `now`, then read chips and keys through their drivers."""
        self._check_open()
        self.body.advance(now, self.hands.advance(now))
        return Sensed(self.sensors.scan(now), self._keys.pressed())

    def light(self, frame: Frame) -> None:
        """Send final pixel levels down the emulated wire."""
        self._check_open()
        self._lights.show(frame)

    def lit(self) -> Frame:
        """Give what the emulated pixels have latched."""
        self._check_open()
        return tuple(Colour(*levels) for levels in self.strip.latched)

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until a finger or pin moves, `wake`, the emulation's next step, or the time-out."""
        self._check_open()
        times = [each for each in (timeout_s, self.step_s) if each is not None]
        self._woken.wait(min(times, default=None))
        self._woken.clear()

    def wake(self) -> None:
        """End the present wait, or the next one."""
        self._check_open()
        self._woken.set()

    def close(self) -> None:
        """Put the lights out and let go of the pins."""
        if self._closed:
            return
        self._closed = True
        self._lights.close()
        self._keys.close()
        self._line.close()
        self._factory.close()
        self._woken.set()

    def press(self, pointer: str, spot: str) -> None:
        """Put a virtual finger down; raise SpotError for a spot that the board does not have."""
        self._check_open()
        self.hands.press(pointer, spot)

    def lift(self, pointer: str) -> None:
        """Lift a virtual finger; does nothing when it is not down."""
        self._check_open()
        self.hands.lift(pointer)

    def lift_all(self, prefix: str) -> None:
        """Lift every virtual finger whose name begins so."""
        self._check_open()
        self.hands.lift_all(prefix)

    def _drive_line(self, low: bool) -> None:
        _drive(self._line_pin, low)

    def _drive_key(self, key: str, pressed: bool) -> None:
        _drive(self._key_pins[key], pressed)

    def _check_open(self) -> None:
        if self._closed:
            raise BackendError("the sim backend is closed: allowed is only to close it again")


def _drive(pin: Any, low: bool) -> None:
    if low:
        pin.drive_low()
    else:
        pin.drive_high()
