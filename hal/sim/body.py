"""The emulated board's body: electrodes, an interrupt line, stones and virtual fingers on them."""

import random
import threading
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field

from hal.base.errors import SpotError
from hal.profile import Electrode, Profile
from hal.sim.chip import EmulatedMpr121

REST_S = 0.080
GAP_S = 0.060  # between two presses of the same spot
TRAVEL_S = 0.160  # to another spot: longer than a sliding finger takes
STEP_S = 0.040  # two steps are a rest, long enough for a touch to be debounced


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
    """Turns requests for fingers into moves. Thread-safe.

    Fingers are slower than clicks: they rest, and need a moment before they come down again. Their
    time advances in small steps, so that they wait for a board whose thread was delayed.
    """

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
        """Request a finger; raises SpotError."""
        if spot not in self._spots:
            raise SpotError(f"spot {spot!r} is unknown: allowed are the board's cells and keys")
        with self._lock:
            finger = self._fingers.setdefault(pointer, _Finger())
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
        """Lift the finger once its requests are done, unless it is up by then."""
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


# An electrode of about 20 mm with its trace, and what a finger or a conductive stone adds through
# 1.5 mm of acrylic. With the common settings (16 uA, 0.5 us) that is about 275 counts, and a fall
# of about 40.
_ELECTRODE_PF = (8.5, 9.5)
_TOUCH_PF = 1.6
# With a stone that does not conduct, shares of _TOUCH_PF: of the stone alone, and of a hand beside
# it, from one fingertip to two that grasp it (hardware/design.md, least and most of all boards). A
# real chip releases a stone of 0.18 because of noise, which an emulated one lacks.
_STONE_ALONE = (0.02, 0.16)
_BESIDE_STONE = (0.31, 0.79)
CUT_PF = 0.1  # at a chip's pin when its wire is broken
_STARTED_S = 1.0  # how long the chips have had power when a program opens the board


class Body:
    """The chips of a board, and what touches them. Stones conduct if it `sets_stones`.

    If so, a finger that comes down on a cell sets one there, or takes it; else stones hardly load
    their cells, and weaken touches. A hand laid down with `lay` sets no stone.
    """

    def __init__(
        self, profile: Profile, now: float, *, seed: int, stones: Iterable[str] = ()
    ) -> None:
        self.stones = set(stones)
        self.sets_stones = profile.sensing.stones
        self._pads = dict(profile.cells)
        self._pads.update((n, key) for n, key in profile.keys.items() if isinstance(key, Electrode))
        self._cells = profile.cells.keys()
        self.on_line: Callable[[bool], None] = lambda low: None
        self.on_key: Callable[[str, bool], None] = lambda key, down: None
        self._fingers: Counter[str] = Counter()
        self._broken_pf: dict[str, float | None] = {}
        self._chance = chance = random.Random(seed)
        self.chips = {
            chip.name: EmulatedMpr121(now - _STARTED_S, self._update_line) for chip in profile.chips
        }
        self._empty_pf = {spot: chance.uniform(*_ELECTRODE_PF) for spot in self._pads}
        self._alone = {cell: chance.uniform(*_STONE_ALONE) for cell in self._cells}
        self._touch_share = dict.fromkeys(self._pads, 1.0)
        for spot in self._pads:
            self._load(spot)
        self._pass(now)

    @property
    def step_s(self) -> float | None:
        steps = [chip.step_s for chip in self.chips.values()]
        return min((step for step in steps if step is not None), default=None)

    def advance(self, now: float, moves: Iterable[Move] = ()) -> None:
        """Advance to `now`, in seconds, and apply the finger moves made until then."""
        for move in moves:
            self._pass(move.time_s)
            if not self.sets_stones or move.spot not in self._cells:
                (self.lay if move.down else self.lift)(move.spot)
            elif move.down:
                self.stones ^= {move.spot}
                self._load(move.spot)
        self._pass(now)

    def put(self, cell: str) -> None:
        """Set a stone on a cell, now."""
        self.stones.add(cell)
        self._load(cell)

    def take(self, cell: str) -> None:
        """Take the stone of a cell away, now."""
        self.stones.discard(cell)
        self._load(cell)

    def lay(self, spot: str) -> None:
        """Lay a fingertip or part of a hand on a cell or key, now. Several may rest there."""
        self._fingers[spot] += 1
        self._touch(spot)

    def lift(self, spot: str) -> None:
        """Lift a fingertip or part of a hand off a cell or key, now."""
        self._fingers[spot] -= 1
        self._touch(spot)

    def damage(self, spot: str, load_pf: float | None) -> None:
        """Break the wire of a cell or pad: CUT_PF, or infinity for a short; None mends it."""
        self._broken_pf[spot] = load_pf
        self._load(spot)

    def _touch(self, spot: str) -> None:
        if spot in self._pads:
            beside = spot in self.stones and not self.sets_stones
            self._touch_share[spot] = self._chance.uniform(*_BESIDE_STONE) if beside else 1.0
            self._load(spot)
        else:
            self.on_key(spot, self._fingers[spot] > 0)

    def _pass(self, now: float) -> None:
        for chip in self.chips.values():
            chip.advance(now)

    def _load(self, spot: str) -> None:
        pad = self._pads[spot]
        share = self._touch_share[spot] if self._fingers[spot] > 0 else 0.0
        if spot in self.stones:
            share = 1.0 if self.sets_stones else share + self._alone[spot]
        load_pf = self._broken_pf.get(spot)
        if load_pf is None:
            load_pf = self._empty_pf[spot] + share * _TOUCH_PF
        self.chips[pad.chip].load(pad.electrode, load_pf)

    def _update_line(self) -> None:
        self.on_line(any(chip.interrupt for chip in self.chips.values()))
