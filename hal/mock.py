"""A scripted double of the board: touches come from the script, frames are kept to be looked at.

Public, for tests of everything above `hal`. It follows the same contract as every backend, but
fingers are felt at once and nothing is emulated.
"""

import threading
import time
from collections import deque

from hal.backend import Clock, Sensed
from hal.colour import DARK
from hal.errors import BackendError, SpotError
from hal.light import Frame, check_length
from hal.profile import Profile

KEPT_FRAMES = 1000


class MockBackend:
    """Stand in for a board. `frames` keeps the newest frames that were sent, oldest first."""

    def __init__(self, profile: Profile, *, clock: Clock = time.monotonic, seed: int = 0) -> None:
        self.profile = profile
        self.frames: deque[Frame] = deque(maxlen=KEPT_FRAMES)
        self.closed = False
        self._shown: Frame = (DARK,) * profile.pixel_count
        self._fingers: dict[str, str] = {}
        self._lock = threading.Lock()
        self._woken = threading.Event()

    def sense(self, now: float) -> Sensed:
        """Read where the fingers are; the time does not matter to a double."""
        self._check_open()
        with self._lock:
            spots = frozenset(self._fingers.values())
        return Sensed(spots & self.profile.cells.keys(), spots & self.profile.keys.keys())

    def light(self, frame: Frame) -> None:
        """Keep the frame and show it."""
        self._check_open()
        check_length(frame, self.profile.pixel_count)
        self._shown = frame
        self.frames.append(frame)

    def lit(self) -> Frame:
        """Give the last frame."""
        self._check_open()
        return self._shown

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until a finger moves, `wake`, or the time-out."""
        self._check_open()
        self._woken.wait(timeout_s)
        self._woken.clear()

    def wake(self) -> None:
        """End the present wait, or the next one."""
        self._check_open()
        self._woken.set()

    def close(self) -> None:
        """Put the lights out, which adds one dark frame."""
        if not self.closed:
            self.light((DARK,) * self.profile.pixel_count)
            self.closed = True
            self._woken.set()

    def press(self, pointer: str, spot: str) -> None:
        """Put a finger down, at once."""
        self._check_open()
        if spot not in self.profile.cells and spot not in self.profile.keys:
            raise SpotError(f"spot {spot!r} is unknown: allowed are the board's cells and keys")
        with self._lock:
            self._fingers[pointer] = spot
        self._woken.set()

    def lift(self, pointer: str) -> None:
        """Lift a finger, at once."""
        self._check_open()
        with self._lock:
            self._fingers.pop(pointer, None)
        self._woken.set()

    def lift_all(self, prefix: str) -> None:
        """Lift every finger whose name begins so, at once."""
        self._check_open()
        with self._lock:
            for pointer in [each for each in self._fingers if each.startswith(prefix)]:
                del self._fingers[pointer]
        self._woken.set()

    def _check_open(self) -> None:
        if self.closed:
            raise BackendError("the mock backend is closed: allowed is only to close it again")
