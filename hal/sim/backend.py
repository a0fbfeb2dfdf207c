"""The simulated board: emulated chips, bus, pins and pixels below the published drivers.

Owns how they are put together with virtual hands, and the waiting. The board thread alone touches
the emulation; other threads only ask fingers to move, and wake it.
"""

import time
from collections.abc import Iterable

from hal.backend import Clock, Sensed
from hal.light import Frame
from hal.memory import BoardMemory
from hal.profile import Profile
from hal.sim.body import Body
from hal.sim.hands import VirtualHands
from hal.sim.machine import EmulatedMachine
from hal.wired import WiredBackend

# The chips have power for so long when the board is ready, so that their baselines are those of an
# empty board even if a finger comes at once.
_POWERED_S = 0.1


class SimBackend(WiredBackend):
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
        self.body = Body(profile, now - _POWERED_S, seed=seed, stones=stones)
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

    @property
    def step_s(self) -> float | None:
        """Give how soon the emulation wants to go on, in seconds; None for no hurry."""
        steps = [step for step in (self.body.step_s, self.hands.step_s) if step is not None]
        return min(steps, default=None)

    def sense(self, now: float) -> Sensed:
        """Let the emulation run up to `now`, then read chips and keys through their drivers."""
        self._check_open()
        self.body.advance(now, self.hands.advance(now))
        return super().sense(now)

    def due(self, now: float) -> float:
        """Give when `sense` next has something to do, for the emulation too."""
        step_s = self.step_s
        due = super().due(now)
        return due if step_s is None else min(due, now + step_s)

    def lit(self) -> Frame:
        """Give what the emulated pixels have latched."""
        self._check_open()
        return self.machine.latched()

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until a finger or pin moves, `wake`, the emulation's next step, or the time-out."""
        times = [each for each in (timeout_s, self.step_s) if each is not None]
        super().wait(min(times, default=None))

    def close(self) -> None:
        """Put the lights out and let go of the pins."""
        super().close()
        self.machine.close()

    def let_stand(self, cells: frozenset[str]) -> None:
        """Let stones stand from before, where stones are felt."""
        self._check_open()
        if self.body.sets_stones:
            for cell in cells:
                self.body.put(cell)

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
