"""The signs of a board that cannot be played yet, on a strip of which nothing is known.

Owns how they look. They are white, since that is the same in any order of colours, and repeat
every twelve pixels, so that they look alike on strips of any length; on pixels of four colours,
which need other frames, they still run, since twelve times three channels are nine times four.
Pure: time comes in.
"""

from enum import Enum
from itertools import cycle, islice

from hal.colour import DARK, WHITE
from hal.light import IDLE_MA, Frame, Power, correct
from hal.profile import Profile

PERIOD = 12
"""How many pixels lie between two lights."""
STEP_S = 0.125
_DIMMED = 0.3
_MOST_MA = 300
"""What the lights may draw beside the pixels' own controllers: any supply gives that."""

_TAIL = (0.65, 0.4, 0.25)
_WINK_STEPS = (0, 1, 4, 5)
_WINK_PERIOD = 16


class Sign(Enum):
    """Name the signs."""

    LEARN = "learn"
    """Lights that run along the strip: run learn."""
    TROUBLE = "trouble"
    """Lights that wink twice where they stand: something is wrong, and the page says what."""


def power_of(profile: Profile) -> Power:
    """Give what the signs may use of a board's power."""
    most_ma = int(profile.pixel_count * IDLE_MA) + _MOST_MA
    return Power(
        min(profile.power.brightness, _DIMMED),
        profile.power.gamma,
        min(profile.power.budget_ma, most_ma),
    )


def frame(sign: Sign, count: int, power: Power, now: float) -> Frame:
    """Draw a sign on so many pixels at a time in seconds, as final levels."""
    step = int(now / STEP_S + 0.5)
    levels = [0.0] * PERIOD
    if sign is Sign.LEARN:
        for behind, level in enumerate(_TAIL):
            levels[(step - behind) % PERIOD] = level
    elif step % _WINK_PERIOD in _WINK_STEPS:
        levels[0] = _TAIL[0]
    colours = [WHITE.scaled(level) if level else DARK for level in levels]
    return correct(tuple(islice(cycle(colours), count)), power)


def next_frame(now: float) -> float:
    """Give the time, in seconds, at which a sign may look different."""
    return (int(now / STEP_S + 0.5) + 1) * STEP_S
