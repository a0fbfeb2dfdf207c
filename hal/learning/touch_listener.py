"""Touches of electrodes that have no name yet become answers; time comes in as `now`."""

from hal.base.events import CellTouch
from hal.profile import Electrode
from hal.sensing import Debouncer

PRESS_S = 0.060
RELEASE_S = 0.100
LONG_S = 5.0  # a longer touch is no finger's
START_S = 1.0  # by then a board has reported what is touched without a finger


class TouchListener:
    """Turns touches into answers: first nothing is touched, and then the next touch answers.

    What is touched for longer than LONG_S is stuck, and ignored until it is lifted.
    """

    def __init__(self) -> None:
        self.lifting = True
        """Whether it still waits until nothing is touched."""
        self._touch = Debouncer(CellTouch, press_s=PRESS_S, release_s=RELEASE_S, hold_s=LONG_S)
        self._answer: set[str] = set()
        self._answer_s = 0.0
        self._ready_s: float | None = None

    @property
    def stuck(self) -> frozenset[Electrode]:
        """The electrodes that have been touched for longer than any finger would."""
        return frozenset(map(Electrode.parse, self._touch.held))

    @property
    def down(self) -> frozenset[Electrode]:
        """The electrodes that are touched now, without stuck ones."""
        return frozenset(map(Electrode.parse, self._touch.pressed - self._touch.held))

    def update(self, now: float, pads: frozenset[Electrode]) -> frozenset[Electrode]:
        """Process touched electrodes at time `now`, in seconds; return an answer, mostly empty."""
        before = self._touch.pressed
        down = frozenset(map(str, pads))
        self._touch.update(now, down)
        pressed = self._touch.pressed
        if self._ready_s is None:
            self._ready_s = now + START_S
        if self.lifting:
            self.lifting = now < self._ready_s or bool((down | pressed) - self._touch.held)
            return frozenset()
        # A second electrode that is touched with the first belongs to the same answer.
        if pressed - before and not self._answer:
            self._answer_s = now
        self._answer |= pressed - before
        if not self._answer or (down - pressed and now < self._answer_s + PRESS_S):
            return frozenset()
        answer = frozenset(map(Electrode.parse, self._answer))
        self._answer.clear()
        self.lifting = True
        return answer
