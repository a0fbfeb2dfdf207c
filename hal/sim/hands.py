"""Virtual fingers, slower than clicks: they rest, and need a moment before they come down again.

Their time advances in small steps, so that they wait for a board whose thread was delayed.
"""

import threading
from collections import deque
from collections.abc import Callable, Container
from dataclasses import dataclass, field

from hal.base.errors import SpotError

REST_S = 0.080
GAP_S = 0.060  # between two presses of the same spot
TRAVEL_S = 0.160  # to another spot: longer than a sliding finger takes
STEP_S = 0.040  # two steps are a rest, long enough for a touch to be debounced
MOST_WAITING = 64


@dataclass(frozen=True, slots=True)
class Move:
    """A finger comes down on a spot at a time, or leaves it (not `down`)."""

    time_s: float
    spot: str
    down: bool


@dataclass(slots=True)
class _Finger:
    asked: deque[tuple[float, str | None]] = field(default_factory=deque)  # None lifts
    spot: str = ""  # where it is, or was last
    down: bool = False
    waited_s: float = 0.0  # since it came down, or since it was lifted

    def rests(self, wanted: str | None) -> bool:
        """Return whether it must wait before it goes to the wanted spot."""
        if not self.spot:
            return False
        rest_s = REST_S if self.down else GAP_S if wanted == self.spot else TRAVEL_S
        return self.waited_s < rest_s

    @property
    def counting(self) -> bool:
        """Whether the finger's next move waits for time to pass."""
        return bool(self.asked) or self.rests(None)


class VirtualHands:
    """Turns requests for fingers into moves. Thread-safe."""

    def __init__(
        self, spots: Container[str], clock: Callable[[], float], wake: Callable[[], None]
    ) -> None:
        self._spots = spots
        self._clock = clock
        self._wake = wake
        self._fingers: dict[str, _Finger] = {}
        self._lock = threading.Lock()
        self._now = clock()

    @property
    def step_s(self) -> float | None:
        with self._lock:
            counting = any(each.counting for each in self._fingers.values())
        return STEP_S / 4 if counting else None

    def press(self, pointer: str, spot: str) -> None:
        """Request a finger; raises SpotError, also for too many requests."""
        if spot not in self._spots:
            raise SpotError(f"spot {spot!r} is unknown: allowed are the board's cells and keys")
        with self._lock:
            finger = self._fingers.setdefault(pointer, _Finger())
            if len(finger.asked) >= MOST_WAITING:
                raise SpotError(
                    f"finger {pointer!r} is too fast: allowed are {MOST_WAITING} waiting moves"
                )
            self._ask_lift(finger)
            finger.asked.append((self._clock(), spot))
        self._wake()

    def lift(self, pointer: str) -> None:
        with self._lock:
            if pointer in self._fingers:
                self._ask_lift(self._fingers[pointer])
        self._wake()

    def lift_all(self, prefix: str) -> None:
        with self._lock:
            for pointer, finger in self._fingers.items():
                if pointer.startswith(prefix):
                    finger.asked.clear()
                    self._ask_lift(finger)
        self._wake()

    def advance(self, now: float) -> list[Move]:
        """Advance to `now`, in seconds, and return the moves made by then, in order."""
        with self._lock:
            since, self._now = self._now, max(self._now, now)
            passed_s = min(self._now - since, STEP_S)
            moves: list[Move] = []
            for pointer, finger in list(self._fingers.items()):
                finger.waited_s += passed_s
                self._move(finger, since, moves)
                if not finger.down and not finger.counting:
                    del self._fingers[pointer]
        moves.sort(key=lambda move: move.time_s)
        return moves

    def _ask_lift(self, finger: _Finger) -> None:
        """Lift it once all requests are done, unless it is up then."""
        if finger.asked[-1][1] if finger.asked else finger.down:
            finger.asked.append((self._clock(), None))

    def _move(self, finger: _Finger, since: float, moves: list[Move]) -> None:
        if not finger.asked or finger.rests(finger.asked[0][1]):
            return
        asked_s, spot = finger.asked.popleft()
        # The board may be sensed rarely while it is idle: a first press keeps its own time.
        time_s = self._now if finger.spot else min(max(asked_s, since), self._now)
        finger.spot, finger.down, finger.waited_s = spot or finger.spot, spot is not None, 0.0
        moves.append(Move(time_s, finger.spot, finger.down))
