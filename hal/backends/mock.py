"""A scripted double of the board: touches come from the script, and frames are recorded.

Public, for tests of everything above `hal`. It follows the same contract as every backend, but it
senses fingers at once and emulates nothing.
"""

import threading
import time
from collections import deque
from math import inf

from hal.backends.backend import Clock
from hal.base.errors import SpotError
from hal.base.events import Sensed
from hal.base.faults import Fault
from hal.lights import DARK, Frame, check_length
from hal.profile import BoardMemory, Profile

KEPT_FRAMES = 1000


class MockBackend:
    """Stand in for a board. `frames` has the newest frames that were sent, oldest first.

    A test may set `faults`; `empty` has the cells of the last `settle`. In presence sensing a press
    sets a stone, and a press on a stone takes it.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock = time.monotonic,
        seed: int = 0,
        memory: BoardMemory | None = None,
    ) -> None:
        self.profile = profile
        self.faults: tuple[Fault, ...] = ()
        self.empty: frozenset[str] = frozenset()
        self._stones: set[str] = set()
        self.frames: deque[Frame] = deque(maxlen=KEPT_FRAMES)
        self.closed = False
        self._shown: Frame = (DARK,) * profile.pixel_count
        self._fingers: dict[str, str] = {}
        self._lock = threading.Lock()
        self._woken = threading.Event()

    def sense(self, now: float) -> Sensed:
        """Return the spots under fingers; a double ignores the time."""
        with self._lock:
            spots = frozenset(self._fingers.values()) | self._stones
        for fault in self.faults:
            spots -= fault.cells | fault.keys
        cells, keys = self.profile.cells.keys(), self.profile.keys.keys()
        return Sensed(spots & cells, spots & keys, self.faults)

    def due(self, now: float) -> float:
        """Return infinity: a double has nothing to do without input."""
        return inf

    def settle(self, empty: frozenset[str]) -> None:
        """Record the empty cells."""
        self.empty = empty

    def light(self, frame: Frame) -> None:
        check_length(frame, self.profile.pixel_count)
        self._shown = frame
        self.frames.append(frame)

    def lit(self) -> Frame:
        return self._shown

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until a finger moves, `wake`, or the time-out."""
        self._woken.wait(timeout_s)
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        """Switch the lights off, which adds one dark frame."""
        if not self.closed:
            self.light((DARK,) * self.profile.pixel_count)
            self.closed = True
            self._woken.set()

    def place_stones(self, cells: frozenset[str], gone: frozenset[str] = frozenset()) -> None:
        if self.profile.sensing.mode == "presence":
            self._stones |= cells
            self._stones -= gone

    def press(self, pointer: str, spot: str) -> None:
        if spot not in self.profile.cells and spot not in self.profile.keys:
            raise SpotError(f"spot {spot!r} is unknown: allowed are the board's cells and keys")
        with self._lock:
            if self.profile.sensing.mode == "presence" and spot in self.profile.cells:
                self._stones ^= {spot}
            else:
                self._fingers[pointer] = spot
        self._woken.set()

    def lift(self, pointer: str) -> None:
        with self._lock:
            self._fingers.pop(pointer, None)
        self._woken.set()

    def lift_all(self, prefix: str) -> None:
        with self._lock:
            for pointer in [each for each in self._fingers if each.startswith(prefix)]:
                del self._fingers[pointer]
        self._woken.set()
