"""Motions of fingers and stones, contact by contact, on the emulated body of a board.

Owns what really stands on the board, and how presses, slides, palms and moved stones look at the
electrodes. Must not know why a person moves, nor what is shown. Randomness is a seeded generator;
time comes in, in seconds.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, pairwise
from math import inf
from random import Random

from game.common import AppError
from hal.sim.body import Body
from tests.tools.soak.traits import Span

BOUNCE_S = 0.012
"""Longest time that a contact bounces."""


class PhysicalBoard:
    """The stones that stand on a board, each a piece of the game by its code."""

    def __init__(self) -> None:
        self._stones: dict[str, str] = {}

    @property
    def stones(self) -> Mapping[str, str]:
        return self._stones

    def put(self, cell: str, piece: str) -> None:
        if cell in self._stones:
            raise AppError(f"cell {cell} has a stone: only an empty cell takes one")
        self._stones[cell] = piece

    def take(self, cell: str) -> str:
        if cell not in self._stones:
            raise AppError(f"cell {cell} is empty: only a stone that stands can be taken")
        return self._stones.pop(cell)

    def turn(self, cells: Sequence[str], steps: int) -> None:
        stood = [self._stones.pop(cell, "") for cell in cells]
        for n, cell in enumerate(cells):
            if stone := stood[(n - steps) % len(cells)]:
                self._stones[cell] = stone

    def differences(self, pieces: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Return what stands and what should, "" for nothing, for each cell that is wrong."""
        both = ((c, self._stones.get(c, ""), pieces.get(c, "")) for c in {*self._stones, *pieces})
        return {cell: (stands, should) for cell, stands, should in sorted(both) if stands != should}


class Fingers:
    """Make motions on a body and its board.

    `feels_stones` tells whether stones are sensed; else only fingers are. Each motion takes
    its begin and returns its end. `done_s` is when the last one was made.
    """

    def __init__(
        self, body: Body, board: PhysicalBoard, rng: Random, *, feels_stones: bool, bounce: float
    ) -> None:
        self.board = board
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
            self.board.turn(cells, steps)
            for cell in cells:
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
            self.board.put(cell, piece)
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
        (self._body.put if cell in self.board.stones else self._body.take)(cell)

    def _take(self, cell: str) -> None:
        self.board.take(cell)
        self._land(cell)
