"""A scripted double of the board, public, for tests of everything above `hal`."""

import threading
import time
from collections import deque
from math import inf

from hal.backends.backend import Clock
from hal.base.errors import SpotError
from hal.base.events import Fault, Sensed
from hal.lights import DARK, Frame, check_length
from hal.profile import BoardMemory, Profile


class MockBackend:
    """Stand in for a board; a test may set `faults`. `frames` holds the newest frame last."""

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
        self._stones: set[str] = set()
        self.frames: deque[Frame] = deque(maxlen=1000)
        self.closed = False
        self._fingers: dict[str, str] = {}
        self._lock = threading.Lock()
        self._woken = threading.Event()

    def sense(self, now: float) -> Sensed:
        with self._lock:
            spots = frozenset(self._fingers.values()) | self._stones
        for fault in self.faults:
            spots -= fault.cells | fault.keys
        cells, keys = self.profile.cells.keys(), self.profile.keys.keys()
        return Sensed(spots & cells, spots & keys, self.faults)

    def due(self, now: float) -> float:
        return inf

    def settle(self, empty: frozenset[str]) -> None:
        """Do nothing: no baselines are learned."""

    def light(self, frame: Frame) -> None:
        check_length(frame, self.profile.pixel_count)
        self.frames.append(frame)

    def lit(self) -> Frame:
        return self.frames[-1] if self.frames else (DARK,) * self.profile.pixel_count

    def wait(self, timeout_s: float | None) -> None:
        self._woken.wait(timeout_s)
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        if not self.closed:
            self.light((DARK,) * self.profile.pixel_count)
            self.closed = True
            self._woken.set()

    def place_stones(self, cells: frozenset[str], gone: frozenset[str] = frozenset()) -> None:
        if self.profile.sensing.stones:
            self._stones |= cells
            self._stones -= gone

    def press(self, pointer: str, spot: str) -> None:
        if spot not in self.profile.cells and spot not in self.profile.keys:
            raise SpotError(f"spot {spot!r} is unknown: allowed are the board's cells and keys")
        with self._lock:
            if self.profile.sensing.stones and spot in self.profile.cells:
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
