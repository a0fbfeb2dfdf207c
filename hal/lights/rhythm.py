"""Light rhythms: the brightness of a glow over time, as data.

Cues that are shown together differ in rhythm, so that players need not distinguish colours.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache

FRAMES_PER_S = 30

FLASH_S = 0.2
DARK_S = 0.2
PAUSE_S = 0.9
"""A flash, the dark after it, and the longer dark around a row of flashes. At most three flashes
begin in any second: faster ones are hard to count, and harm some people."""

# Edge times are found by subtraction, so a time computed as "the next edge" may fall a rounding
# error short of it. Both functions look this far ahead, so that they agree.
_AHEAD_S = 1e-6


@dataclass(frozen=True, slots=True)
class Steps:
    """A square rhythm: (seconds into the period at which a level begins, the level), ascending."""

    period_s: float
    steps: tuple[tuple[float, float], ...]

    def level(self, t_s: float, phase: float = 0.0) -> float:
        at_s = _into(self.period_s, t_s, phase)
        return [level for begins_s, level in self.steps if begins_s <= at_s][-1]

    def next_change(self, t_s: float, phase: float = 0.0) -> float | None:
        if len(self.steps) == 1:
            return None
        at_s = _into(self.period_s, t_s, phase)
        # After the last step comes the first one of the next period.
        last = self.steps[-1][1]
        first_s = next((begins for begins, level in self.steps if level != last), 0.0)
        edge_s = next(
            (begins for begins, _ in self.steps if begins > at_s), self.period_s + first_s
        )
        return t_s + (edge_s - at_s) + _AHEAD_S


@dataclass(frozen=True, slots=True)
class _Smooth:
    """A smooth rhythm: its shape maps the elapsed share of the period, 0 to 1, to a level."""

    period_s: float
    shape: Callable[[float], float]

    def level(self, t_s: float, phase: float) -> float:
        return self.shape(_into(self.period_s, t_s, phase) / self.period_s)

    def next_change(self, t_s: float, phase: float) -> float:
        return (math.floor(t_s * FRAMES_PER_S + 1e-4) + 1) / FRAMES_PER_S


def _into(period_s: float, t_s: float, phase: float) -> float:
    """Return the seconds elapsed in the current period."""
    return (t_s + _AHEAD_S - phase * period_s) % period_s


def _raised_cosine(share: float) -> float:
    return 0.1 + 0.9 * (0.5 + 0.5 * math.cos(2.0 * math.pi * share))


def _comet(share: float) -> float:
    return max(0.0, 1.0 - share / 0.25)


class Rhythm(Enum):
    """The rhythms, each with its pattern."""

    STEADY = Steps(1.0, ((0.0, 1.0),))
    WINK = Steps(2.0, ((0.0, 1.0), (1.8, 0.2)))
    PULSE = _Smooth(1.2, _raised_cosine)
    BREATHE = _Smooth(3.5, _raised_cosine)
    BLINK = Steps(1.0, ((0.0, 1.0), (0.5, 0.15)))
    BEAT = Steps(1.6, ((0.0, 1.0), (0.15, 0.1), (0.3, 1.0), (0.45, 0.1)))
    LIMP = Steps(1.8, ((0.0, 1.0), (0.8, 0.0), (1.1, 1.0), (1.3, 0.0)))
    FLASH = Steps(0.2, ((0.0, 1.0), (0.1, 0.0)))
    RUN = _Smooth(1.2, _comet)

    def level(self, t_s: float, phase: float = 0.0) -> float:
        """Return the brightness, 0 to 1, at a time; the phase is a delay in periods."""
        level: float = self.value.level(t_s, phase)
        return level

    def next_change(self, t_s: float, phase: float = 0.0) -> float | None:
        """Return the time of the next edge, or of a smooth rhythm's next frame; None for none."""
        change_s: float | None = self.value.next_change(t_s, phase)
        return change_s


@cache
def flashes(counts: tuple[int, ...], own: int) -> Steps:
    """Return a rhythm that shows numbers: lights take turns, each flashing as often as it counts.

    `own` is the place of this light in `counts`. Half a pause is at either end of a turn.
    """
    at_s, steps = 0.0, [(0.0, 0.0)]
    for turn, count in enumerate(counts):
        at_s += PAUSE_S / 2
        for n in range(count):
            begins_s = at_s + n * (FLASH_S + DARK_S)
            if turn == own:
                steps += [(begins_s, 1.0), (begins_s + FLASH_S, 0.0)]
        at_s += count * (FLASH_S + DARK_S) - DARK_S + PAUSE_S / 2
    return Steps(at_s, tuple(steps))
