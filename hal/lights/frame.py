"""Layers of glows become one colour per pixel, within the supply's current budget."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Annotated

from hal.base.errors import LightError
from hal.base.schema import Meta
from hal.lights.rhythm import Rhythm, Steps

CHANNEL_MA = 20  # what one channel of a WS2812B draws at full level (its data sheet)
IDLE_MA = 1.0  # drawn by the pixel's controller, even when it is dark


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour, each channel 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """Write the colour as "#rrggbb"."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    def scaled(self, level: float) -> "Colour":
        """Dim the colour to a level, 0 (dark) to 1 (unchanged)."""
        return Colour(
            int(self.red * level + 0.5), int(self.green * level + 0.5), int(self.blue * level + 0.5)
        )


DARK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)


@dataclass(frozen=True, slots=True)
class Power:
    """Limits of the strip; `channel_ma` is what one channel of a pixel draws at full level."""

    brightness: Annotated[float, Meta(ge=0, le=1)]
    gamma: Annotated[float, Meta(ge=1, le=4)]
    budget_ma: Annotated[int, Meta(ge=1, le=100_000)]
    channel_ma: Annotated[int, Meta(ge=1, le=100)] = CHANNEL_MA


@dataclass(frozen=True, slots=True)
class Glow:
    """The light of one spot: a colour, its rhythm, and the rhythm's delay in periods."""

    colour: Colour
    rhythm: Rhythm | Steps = Rhythm.STEADY
    phase: float = 0.0


Layer = Mapping[str, Glow]
Frame = tuple[Colour, ...]

_NAMES = {"R": "red", "G": "green", "B": "blue"}


def compose(layers: Sequence[Layer], pixels: Mapping[str, int], count: int, now: float) -> Frame:
    """Draw layers, the first one lowest, into `count` pixels; spots without one are ignored."""
    frame = [DARK] * count
    covered: dict[str, Glow] = {}
    for layer in layers:
        covered.update(layer)
    # Spots of a cue mostly share one glow object, and hashing it costs as much as drawing it.
    drawn: dict[int, Colour] = {}
    for spot, glow in covered.items():
        pixel = pixels.get(spot)
        if pixel is not None:
            colour = drawn.get(id(glow))
            if colour is None:
                level = glow.rhythm.level(now, glow.phase)
                colour = drawn[id(glow)] = glow.colour.scaled(level)
            frame[pixel] = colour
    return tuple(frame)


def next_change(layers: Sequence[Layer], now: float) -> float | None:
    """Return the next time, in seconds, at which `compose` may differ; None when it never will."""
    rhythms = {(glow.rhythm, glow.phase) for layer in layers for glow in layer.values()}
    times = [rhythm.next_change(now, phase) for rhythm, phase in rhythms]
    return min((time for time in times if time is not None), default=None)


def correct(frame: Frame, power: Power) -> Frame:
    """Convert colours to pixel levels: gamma, brightness, then the frame within the budget."""
    table = _levels(power.brightness, power.gamma)
    counts = Counter(frame)
    levels = {each: (table[each.red], table[each.green], table[each.blue]) for each in counts}
    total = sum(sum(levels[each]) * count for each, count in counts.items())
    wanted_ma = total / 255 * power.channel_ma
    allowed_ma = max(0.0, power.budget_ma - len(frame) * IDLE_MA)
    share = 1.0 if wanted_ma <= allowed_ma else allowed_ma / wanted_ma
    # Rounding down keeps the sum within the budget.
    final = {
        each: Colour(int(red * share), int(green * share), int(blue * share))
        for each, (red, green, blue) in levels.items()
    }
    return tuple([final[each] for each in frame])


def current_ma(frame: Frame, channel_ma: int = CHANNEL_MA) -> float:
    """Estimate the current of a strip, in mA; for four-colour pixels it is an upper bound."""
    total = sum([each.red + each.green + each.blue for each in frame])
    return total / 255 * channel_ma + len(frame) * IDLE_MA


def on_screen(frame: Frame, power: Power) -> Frame:
    """Convert pixel levels back to colours for a screen, which has a gamma of its own."""
    table = _screen(power.brightness, power.gamma)
    return tuple([Colour(table[c.red], table[c.green], table[c.blue]) for c in frame])


def levels(frame: Frame, order: str) -> bytes:
    """Return the levels of a frame as the pixels get them, a byte per colour of a pixel."""
    if "W" in order:
        pick = itemgetter(*map("RGBW".index, order))
        return bytes([level for colour in frame for level in pick(_with_white(colour))])
    read = attrgetter(*(_NAMES[each] for each in order))
    return bytes([level for colour in frame for level in read(colour)])


def _with_white(colour: Colour) -> tuple[int, int, int, int]:
    """Split a colour into red, green, blue and white: white takes the common part of the others."""
    white = min(colour.red, colour.green, colour.blue)
    return colour.red - white, colour.green - white, colour.blue - white, white


def check_length(frame: Frame, count: int) -> None:
    """Raise LightError when a frame does not have one colour per pixel."""
    if len(frame) != count:
        raise LightError(f"frame has {len(frame)} colours: allowed is {count}, one per pixel")


@lru_cache(maxsize=8)
def _levels(brightness: float, gamma: float) -> tuple[int, ...]:
    """Tabulate gamma and brightness; levels above 0 stay at least just visible."""
    if brightness <= 0.0:
        return (0,) * 256
    return (0, *(max(1, round(255 * brightness * (v / 255) ** gamma)) for v in range(1, 256)))


@lru_cache(maxsize=8)
def _screen(brightness: float, gamma: float) -> tuple[int, ...]:
    if brightness <= 0.0:
        return (0,) * 256
    return tuple(min(255, round(255 * (v / 255 / brightness) ** (1 / gamma))) for v in range(256))
