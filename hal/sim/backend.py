"""The simulated board: emulated chips, bus, pins and pixels below the published drivers.

Owns how they are put together. The board thread alone touches the emulation; other threads only ask
fingers to move, and wake it.
"""

import time
from collections.abc import Iterable

from hal.backend import Clock, Sensed
from hal.light import Frame
from hal.memory import BoardMemory
from hal.profile import Profile
from hal.sim.board import POWERED_S, EmulatedBoard
from hal.sim.body import Body
from hal.sim.hands import VirtualHands
from hal.sim.machine import EmulatedMachine


class SimBackend(EmulatedBoard):
    """Carry a board that is emulated below its drivers, and offer virtual fingers for it.

    `stones` stand from the beginning. `bus_busy_s` and `strip_busy_s` are the seconds that the real
    wires would have been busy so far, `emulated_s` those that the emulation took here.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock = time.monotonic,
        seed: int = 0,
        memory: BoardMemory | None = None,
        stones: Iterable[str] = (),
    ) -> None:
        now = clock()
        self.body = Body(profile, now - POWERED_S, seed=seed, stones=stones)
        self.machine = EmulatedMachine(profile, self.body)
        super().__init__(profile, self.machine, clock=clock, memory=memory)
        self.body.advance(now)
        self.hands = VirtualHands(
            frozenset({*profile.cells, *profile.keys}), clock, self._woken.set
        )

    @property
    def bus_busy_s(self) -> float:
        """Give the seconds that the I2C buses would have been busy, one after the other."""
        return sum(self.machine.bus(number).busy_s for number in self.machine.buses())

    @property
    def strip_busy_s(self) -> float:
        """Give the seconds that the strip's wire would have been busy."""
        return self.machine.strip.busy_s

    @property
    def emulated_s(self) -> float:
        """Give the seconds that emulating took, which a real board would not take."""
        on_buses = sum(self.machine.bus(number).emulated_s for number in self.machine.buses())
        return on_buses + self.machine.strip.emulated_s + self.body.emulated_s

    def sense(self, now: float) -> Sensed:
        """Let the emulation run up to `now`, then read chips and keys through their drivers."""
        self._check_open()
        self.body.advance(now, self.hands.advance(now))
        return super().sense(now)

    def lit(self) -> Frame:
        """Give what the emulated pixels have latched."""
        self._check_open()
        return self.machine.latched()

    def close(self) -> None:
        """Put the lights out and let go of the pins."""
        super().close()
        self.machine.close()
