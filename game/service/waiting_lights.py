"""What the lights show while the service waits, on a strip of which nothing is known.

White is the same in any order of colours. The pattern repeats every twelve pixels, so that it looks
alike on strips of any length; on pixels of four colours it still runs, since twelve times three
channels are nine times four. Pure: time comes in.
"""

from dataclasses import replace
from enum import Enum
from itertools import cycle, islice

from hal.lights.colour import DARK, WHITE
from hal.lights.frame import IDLE_MA, Frame, Power, correct
from hal.profile import Profile

PERIOD = 12
"""Pixels between two lights."""
STEP_S = 0.125
_DIMMED = 0.3
_MAX_MA = 300
"""Current beside that of the pixels' controllers; any supply gives it."""

_TAIL = (0.65, 0.4, 0.25)
_BLINK_STEPS = (0, 1, 4, 5)
_BLINK_PERIOD = 16


class Pattern(Enum):
    """What the lights show."""

    LEARN = "learn"
    """Lights run along the strip: run learn."""
    TROUBLE = "trouble"
    """Lights blink twice in place: something is wrong, and the page says what."""


def power_of(profile: Profile) -> Power:
    """Return the power that the patterns may use on a board."""
    power = profile.power
    return replace(
        power,
        brightness=min(power.brightness, _DIMMED),
        budget_ma=min(power.budget_ma, int(profile.pixel_count * IDLE_MA) + _MAX_MA),
    )


def pattern_frame(pattern: Pattern, count: int, power: Power, now: float) -> Frame:
    """Draw a pattern on `count` pixels at a time in seconds, as final levels."""
    step = int(now / STEP_S + 0.5)
    levels = [0.0] * PERIOD
    if pattern is Pattern.LEARN:
        for behind, level in enumerate(_TAIL):
            levels[(step - behind) % PERIOD] = level
    elif step % _BLINK_PERIOD in _BLINK_STEPS:
        levels[0] = _TAIL[0]
    colours = [WHITE.scaled(level) if level else DARK for level in levels]
    return correct(tuple(islice(cycle(colours), count)), power)


def next_frame(now: float) -> float:
    return (int(now / STEP_S + 0.5) + 1) * STEP_S
