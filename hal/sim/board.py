"""A board whose body is emulated, whatever carries it: virtual fingers and stones act on that body.

Owns what can be done to such a board by hand, and that nobody sleeps past the emulation's next
step. Must not know which machine senses the body, nor how that one keeps up with it.
"""

from hal.sim.body import Body
from hal.sim.hands import VirtualHands
from hal.wired import WiredBackend

POWERED_S = 0.1
"""The chips have power for so long when the board is ready: their baselines are those of an empty
board even if a finger comes at once.
"""


class EmulatedBoard(WiredBackend):
    """Offer virtual fingers for an emulated body. See `hal.backend.Hands`.

    A descendant sets `body` and `hands`, and lets both live when it senses.
    """

    body: Body
    hands: VirtualHands

    @property
    def step_s(self) -> float | None:
        """Give how soon the emulation wants to go on, in seconds; None for no hurry."""
        steps = [step for step in (self.body.step_s, self.hands.step_s) if step is not None]
        return min(steps, default=None)

    def due(self, now: float) -> float:
        """Give when `sense` next has something to do, for the emulation too."""
        step_s = self.step_s
        due = super().due(now)
        return due if step_s is None else min(due, now + step_s)

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until something moves or comes, `wake`, the emulation's step, or the time-out."""
        times = [each for each in (timeout_s, self.step_s) if each is not None]
        super().wait(min(times, default=None))

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
