"""Turn touches of a board's cells into taps: reject bounces and slides, tell taps from holds.

Time comes in as `now`, in seconds.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import inf

DEBOUNCE_S = 0.5
"""A touch within this time after a finger has left the same cell is by the same finger."""
SLIDE_S = 0.1
"""A touch within this time after a finger has left a neighbouring cell is by the same finger.

A finger that slides touches the next cell before, or just after, it leaves the last one; a tap or
a click comes after a finger was lifted."""


class TouchVerdict(Enum):
    """Whether a touch counts, and the reason if it does not."""

    TAP = auto()
    REPEAT = auto()  # The same finger again, where a touch has no effect: ignore it
    BOUNCE = auto()  # The same finger again, where it would enter a move
    SLIDE = auto()  # A finger slid here from a neighbouring cell, and would begin a move
    SECOND_STONE = auto()
    """The finger that made the last move still rests, and another finger would begin a move."""
    SLIDE_OFF = auto()  # The finger that made the last move slid here, and would confirm an edit

    @property
    def rejected(self) -> bool:
        """Whether the table shows why the touch does not count."""
        return self not in (TouchVerdict.TAP, TouchVerdict.REPEAT)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a touch of a cell if it counts; `nothing` if it has no effect there."""

    enters_move: bool = False
    begins_move: bool = False
    confirms_edit: bool = False
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Fingers:
    """Fingers on the board, and fingers that have just left it.

    `debounce_until` is when a touch of a cell or key counts as a new one; infinite while a finger
    is down on a cell. `rejected_until` is the same where the last touch was rejected.
    `sliding` are the cells of the finger that made the last move. `down` are touches of pieces
    that may become a hold; those also in `repeats` are ignored if they do not.
    """

    debounce_until: Mapping[str, float] = field(default_factory=dict)
    rejected_until: Mapping[str, float] = field(default_factory=dict)
    sliding: frozenset[str] = frozenset()
    down: frozenset[str] = frozenset()
    repeats: frozenset[str] = frozenset()

    def is_repeat(self, cell: str, now: float) -> bool:
        """Return whether a touch of a cell is by the finger whose touch there just counted."""
        return self.debounce_until.get(cell, -inf) > now < self.rejected_until.get(cell, inf)

    def beside(self, neighbours: Iterable[str], now: float) -> frozenset[str]:
        """Return the neighbouring cells that a finger touches or has just left."""
        since = now + DEBOUNCE_S - SLIDE_S
        return frozenset(each for each in neighbours if self.debounce_until.get(each, -inf) > since)

    def touch(
        self, cell: str, neighbours: Iterable[str], effect: Effect, now: float
    ) -> tuple["Fingers", TouchVerdict]:
        """Handle a touch of a cell; return the fingers after it and whether it counts."""
        beside, repeat = self.beside(neighbours, now), self.is_repeat(cell, now)
        verdict = self._judge(beside, repeat, effect)
        recent = self._recent(now)
        rejected = {each: end for each, end in recent.rejected_until.items() if each != cell}
        if verdict.rejected:
            # A rejected touch does not extend the debounce, so repeated tries succeed in the end.
            until = self.rejected_until.get(cell, self.debounce_until[cell]) if repeat else -inf
            rejected[cell] = until
        slid = {cell} if beside & self.sliding else set()
        sliding = frozenset(self.sliding & recent.debounce_until.keys() | slid)
        return replace(
            recent._resting(cell, inf), rejected_until=rejected, sliding=sliding
        ), verdict

    def rest(self, cell: str, now: float) -> "Fingers":
        """Handle a touch of a cell without checks for bounces and slides."""
        return self._recent(now)._resting(cell, inf)

    def press(self, key: str, now: float) -> tuple["Fingers", bool]:
        """Handle a press of a key, which starts a debounce only if it counts."""
        until = self.debounce_until.get(key, -inf)
        if until > now:
            return replace(self, rejected_until={**self.rejected_until, key: until}), False
        return self._recent(now)._resting(key, now + DEBOUNCE_S), True

    def lift(self, spot: str, is_key: bool, now: float) -> tuple["Fingers", bool]:
        """Handle a lift; return the fingers after it and whether a hold was still possible."""
        pending = spot in self.down and spot not in self.repeats
        after = self.release({spot})
        if spot in self.debounce_until and not (is_key and spot in self.rejected_until):
            after = after._resting(spot, now + DEBOUNCE_S)
        return after, pending

    def wait_for_hold(self, cell: str, repeat: bool = False) -> "Fingers":
        """Record a touch of a piece that may become a hold."""
        repeats = self.repeats | {cell} if repeat else self.repeats
        return replace(self, down=self.down | {cell}, repeats=repeats)

    def release(self, cells: Iterable[str]) -> "Fingers":
        """Stop waiting for a hold on these cells."""
        gone = frozenset(cells)
        return replace(self, down=self.down - gone, repeats=self.repeats - gone)

    def forget(self, cells: Iterable[str]) -> "Fingers":
        """Forget fingers on cells that are no longer sensed."""
        gone = frozenset(cells)
        until = {each: end for each, end in self.debounce_until.items() if each not in gone}
        return replace(self.release(gone), debounce_until=until)

    def moved(self, cell: str) -> "Fingers":
        """Record that the finger on a cell has just made a move, and may slide on."""
        return replace(self, sliding=frozenset({cell}))

    def _judge(self, beside: frozenset[str], repeat: bool, effect: Effect) -> TouchVerdict:
        if repeat and effect.nothing:
            return TouchVerdict.REPEAT
        if repeat and effect.enters_move:
            return TouchVerdict.BOUNCE
        if effect.begins_move and beside:
            return TouchVerdict.SLIDE
        if effect.begins_move and any(self.debounce_until.get(c) == inf for c in self.sliding):
            return TouchVerdict.SECOND_STONE
        if effect.confirms_edit and beside & self.sliding:
            return TouchVerdict.SLIDE_OFF
        return TouchVerdict.TAP

    def _recent(self, now: float) -> "Fingers":
        """Forget the cells and keys where any touch counts again."""
        until = {spot: end for spot, end in self.debounce_until.items() if end > now}
        rejected = {spot: end for spot, end in self.rejected_until.items() if spot in until}
        return replace(self, debounce_until=until, rejected_until=rejected)

    def _resting(self, spot: str, until: float) -> "Fingers":
        return replace(self, debounce_until={**self.debounce_until, spot: until})
