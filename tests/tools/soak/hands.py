"""Kinds of hands, and their motions, contact by contact, on the emulated body of a board.

Owns how fast hands are, how often they slip, what really stands on the board, and how presses,
slides, palms and moved stones look at the electrodes. Must not know why a person moves, how a slip
is made (`slips`), nor what is shown. Randomness is a seeded generator; time comes in, in seconds.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import inf
from random import Random

from hal.sim.body import Body

BOUNCE_S = 0.012
"""Longest time that a contact bounces."""
Span = tuple[float, float]
"""The least and the most of something, in seconds; uniformly distributed."""
Chances = Mapping[str, float]
"""The chance of each slip, by its name."""


@dataclass(frozen=True, slots=True)
class Traits:
    """One kind of hands: times in seconds, chances from 0 to 1.

    `bounce` is the chance of each contact to bounce. `placing` are the chances of slips each time
    that a stone is to be set, `moving` further ones in games with keys or moves of several touches,
    `tidying` each time that the board asks for something, and `drawing` for each draw.
    """

    reaction_s: Span
    travel_s: Span
    press_s: Span
    notice_s: Span
    bounce: float
    placing: Chances
    tidying: Chances
    drawing: Chances
    moving: Chances


_PLACING = {
    "wrong_cell": 0.03,
    "echo": 0.06,
    "slide": 0.04,
    "palm": 0.03,
    "brush": 0.04,
    "two_stones": 0.015,
    "put_and_take": 0.02,
    "hesitate": 0.03,
    "inspect": 0.03,
    "stray_key": 0.006,
    "take_back": 0.012,
    "knock": 0.006,
    "unplug": 0.003,
    "prey_first": 0.08,
    "adjust": 0.02,
}
_MOVING = {"abandon": 0.06, "wrong_key": 0.02, "wrong_ring": 0.02, "two_bodies": 0.03}
_TIDYING = {
    "forget": 0.12,
    "wrong_removal": 0.05,
    "echo": 0.06,
    "slide": 0.04,
    "palm": 0.02,
    "two_at_once": 0.1,
    "take_back": 0.015,
    "knock": 0.006,
    "unplug": 0.003,
    "wrong_swap": 0.08,
}


def _hands(
    times_s: tuple[Span, Span, Span, Span], bounce: float, early: float, hurry: float, factor: float
) -> Traits:
    """Return hands with a chance to set a stone during the draw, to hurry, and of all else."""

    def scaled(chances: Chances, factor: float) -> Chances:
        return {slip: chance * factor for slip, chance in chances.items()}

    placing, moving = scaled(_PLACING, factor), scaled(_MOVING, factor)
    tidying = {**scaled(_TIDYING, min(factor, 1.6)), "wrong_cell": hurry}
    return Traits(*times_s, bounce, placing, tidying, {"wrong_cell": early}, moving)


HANDS: Mapping[str, Traits] = {
    "careful": _hands(((0.8, 3.0), (0.5, 1.0), (0.12, 0.35), (3.0, 6.0)), 0.1, 0.02, 0.008, 0.1),
    "hasty": _hands(((0.15, 0.7), (0.15, 0.4), (0.06, 0.14), (1.0, 3.0)), 0.3, 0.5, 0.25, 0.7),
    "clumsy": _hands(((0.4, 2.0), (0.25, 0.8), (0.06, 0.45), (2.0, 8.0)), 0.4, 0.15, 0.08, 1.0),
    "wild": _hands(((0.1, 1.0), (0.1, 0.6), (0.06, 0.6), (0.5, 6.0)), 0.7, 0.6, 0.13, 2.2),
}
"""The kinds of hands by name."""


def differences(stones: Mapping[str, str], pieces: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return what stands and what should, "" for nothing, for each cell that is wrong."""
    both = ((c, stones.get(c, ""), pieces.get(c, "")) for c in {*stones, *pieces})
    return {cell: (stands, should) for cell, stands, should in sorted(both) if stands != should}


class Fingers:
    """Make motions on a body and its board, on which `stones` stand, by cell.

    `feels_stones` tells whether stones are sensed; else only fingers are. Each motion takes
    its begin and returns its end. `done_s` is when the last one was made.
    """

    def __init__(
        self, body: Body, stones: dict[str, str], rng: Random, feels_stones: bool, bounce: float
    ) -> None:
        self.stones = stones
        self.done_s = -inf
        self._body = body
        self._rng = rng
        self._feels_stones = feels_stones
        self._bounce = bounce
        self._coming: list[tuple[float, int, str, Callable[[str], None]]] = []
        self._numbers = count()

    @property
    def due(self) -> float:
        return self._coming[0][0] if self._coming else inf

    @property
    def ends_s(self) -> float:
        return max((coming[0] for coming in self._coming), default=-inf)

    def move(self, now: float) -> list[str]:
        """Make the motions that are due, each at its time, and return their spots."""
        moved = []
        while self._coming and self._coming[0][0] <= now:
            self.done_s, _, spot, motion = heapq.heappop(self._coming)
            self._body.advance(self.done_s)
            motion(spot)
            moved.append(spot)
        return moved

    def moved_to(self, body: Body, now: float) -> None:
        self._body, self.done_s = body, now
        self._coming.clear()

    def press(self, spot: str, at: float, hold_s: float) -> float:
        self._touch(spot, at)
        return self._release(spot, at + hold_s)

    def slide(self, path: Sequence[str], at: float, step_s: float) -> float:
        """Drag a finger along cells: it leaves one a moment after it has come to the next."""
        self._touch(path[0], at)
        for earlier, later in pairwise(path):
            at += step_s
            self._ask(at, self._body.lay, later)
            self._ask(at + self._rng.uniform(-0.3, 0.6) * step_s, self._body.lift, earlier)
        return self._release(path[-1], at + step_s)

    def rest(self, cells: Iterable[str], at: float, hold_s: float, landing_s: float) -> float:
        end = at
        for cell in cells:
            self._ask(at + self._rng.uniform(0.0, landing_s), self._body.lay, cell)
            leaves = at + hold_s + self._rng.uniform(0.0, 0.1)
            end = max(end, self._ask(leaves, self._body.lift, cell))
        return end

    def put(self, cell: str, piece: str, at: float, hold_s: float, touch: bool = True) -> float:
        """Set a stone; where stones are not sensed, its finger is, if it touches the cell."""
        self._set(cell, piece, at)
        if self._feels_stones:
            for begin, end in self._bounces(at):
                self.wobble(cell, begin, end - begin)
            return at + hold_s
        return self.press(cell, at, hold_s) if touch else at + hold_s

    def take(self, cell: str, at: float, hold_s: float, touch: bool = True) -> float:
        if touch and not self._feels_stones:
            self.press(cell, at, hold_s)
        return self._ask(at + 0.8 * hold_s, self._take, cell)

    def drag(self, path: Sequence[str], piece: str, at: float, step_s: float) -> float:
        for earlier, later in pairwise(path):
            at += step_s
            self._ask(at, self._take, earlier)
            self._set(later, piece, at + self._rng.uniform(0.0, 0.5) * step_s)
        return at + step_s

    def turn(self, ring: str, cells: Sequence[str], steps: int, at: float, turns_s: float) -> float:
        if turns_s > 0.0:
            for cell in cells:
                self._ask(at, self._body.take, cell)

        def turn(ring: str) -> None:
            stood = [self.stones.pop(cell, "") for cell in cells]
            for n, cell in enumerate(cells):
                if stone := stood[(n - steps) % len(cells)]:
                    self.stones[cell] = stone
                self._land(cell)

        return self._ask(at + turns_s, turn, ring)

    def wobble(self, cell: str, at: float, gone_s: float) -> float:
        self._ask(at, self._body.take, cell)
        return self._ask(at + gone_s, self._land, cell)

    def _ask(self, at: float, motion: Callable[[str], None], spot: str) -> float:
        heapq.heappush(self._coming, (at, next(self._numbers), spot, motion))
        return at

    def _set(self, cell: str, piece: str, at: float) -> None:
        def put(cell: str) -> None:
            assert cell not in self.stones, f"cell {cell} has a stone"
            self.stones[cell] = piece
            self._land(cell)

        self._ask(at, put, cell)

    def _touch(self, spot: str, at: float) -> None:
        self._ask(at, self._body.lay, spot)
        for begin, end in self._bounces(at):
            self._ask(begin, self._body.lift, spot)
            self._ask(end, self._body.lay, spot)

    def _release(self, spot: str, at: float) -> float:
        for begin, end in self._bounces(at):
            self._ask(begin - BOUNCE_S, self._body.lift, spot)
            self._ask(end - BOUNCE_S, self._body.lay, spot)
        return self._ask(at + BOUNCE_S, self._body.lift, spot)

    def _bounces(self, at: float) -> list[Span]:
        """Draw when a contact that was made is lost again, and until when."""
        if self._rng.random() >= self._bounce:
            return []
        times = sorted(at + self._rng.uniform(0.001, BOUNCE_S) for _ in range(4))
        return [(times[0], times[1]), (times[2], times[3])][: self._rng.randint(1, 2)]

    def _land(self, cell: str) -> None:
        (self._body.put if cell in self.stones else self._body.take)(cell)

    def _take(self, cell: str) -> None:
        del self.stones[cell]
        self._land(cell)
