"""Layers of glows, each a colour in a rhythm, become frames within a current budget, for a strip.

Cues that are shown together differ in rhythm, so that players need not distinguish colours. Time
is a parameter.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from operator import itemgetter
from typing import Annotated, NamedTuple, Protocol

from hal.base.errors import LightError, LightsFault
from hal.base.schema import Meta, Struct

CHANNEL_MA = 20  # what one channel of a WS2812B draws at full level (its data sheet)
IDLE_MA = 1.0  # drawn by the pixel's controller, even when it is dark

FRAMES_PER_S = 30

FLASH_S = 0.2
DARK_S = 0.2
PAUSE_S = 0.9
"""A flash, the dark after it, and the longer dark around a row of flashes. At most three flashes
begin in any second: faster ones are hard to count, and harm some people."""

# Edge times are found by subtraction, so a time computed as "the next edge" may fall a rounding
# error short of it. `level` and `next_change` look this far ahead, so that they agree.
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


class Colour(NamedTuple):
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


class Power(Struct, frozen=True, forbid_unknown_fields=True):
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
    """Convert colours to pixel levels: gamma, brightness, then scaling to the budget."""
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


def on_screen(frame: Frame, power: Power) -> Frame:
    """Convert pixel levels back to colours for a screen, which has a gamma of its own."""
    table = _screen(power.brightness, power.gamma)
    shown = {c: Colour(table[c.red], table[c.green], table[c.blue]) for c in set(frame)}
    return tuple([shown[each] for each in frame])


def levels(frame: Frame, order: str) -> bytes:
    """Return the levels of a frame as the pixels get them, a byte per colour of a pixel."""
    pick = itemgetter(*map("RGBW".index, order))
    colours = map(_with_white, frame) if "W" in order else frame
    return bytes([level for colour in colours for level in pick(colour)])


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


RETRY_S = 5.0  # how often a device that is gone is tried again
REFRESH_S = 1.0  # how often a frame is sent again: pixels that lost power for a moment have lost it


class Pixels(Protocol):
    """Pixels, real or emulated."""

    def show(self, frame: Frame) -> None:
        """Send a whole frame of final levels; raises OSError."""

    def close(self) -> None:
        """Switch the lights off and release the device; raises OSError when it is gone."""


class Lights:
    """Show frames on pixels, which start dark. `now` is in monotonic seconds.

    A device that is gone is no error but a `fault`; once it is back it shows the last wanted frame.
    """

    def __init__(
        self, open_pixels: Callable[[], Pixels], count: int, now: float = -math.inf
    ) -> None:
        self.fault: LightsFault | None = None
        self._open_pixels = open_pixels
        self._dark: Frame = (DARK,) * count
        self._wanted = self._dark
        self._pixels: Pixels | None = None
        self._due = now
        self.attend(now)

    def show(self, frame: Frame, now: float) -> None:
        """Show final pixel levels, one per pixel; raises LightError for another length."""
        check_length(frame, len(self._wanted))
        self._wanted = frame
        if self._pixels is not None or now >= self._due:
            self._send(now)

    def attend(self, now: float) -> None:
        """Retry, or refresh, when that is due."""
        if now >= self._due:
            self._send(now)

    def revive(self, now: float) -> None:
        """Let the next `attend` retry a device that is gone."""
        if self._pixels is None:
            self._due = now

    def due(self) -> float:
        """Return when `attend` is next due; infinity after `close`."""
        return self._due

    def lit(self) -> Frame:
        """Return the levels that the pixels were sent last; all dark while they are gone."""
        return self._dark if self._pixels is None else self._wanted

    def close(self) -> None:
        self._let_go()
        self._due = math.inf

    def _send(self, now: float) -> None:
        try:
            if self._pixels is None:
                self._pixels = self._open_pixels()
            self._pixels.show(self._wanted)
        except OSError as error:
            self.fault = (
                error
                if isinstance(error, LightsFault)
                else LightsFault(f"the strip takes no frames: {error}")
            )
            self._let_go()
            self._due = now + RETRY_S
            return
        self.fault = None
        if now >= self._due:
            self._due = now + REFRESH_S

    def _let_go(self) -> None:
        """Close the device; a device that is gone cannot be made dark, and need not be."""
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            with suppress(OSError):
                pixels.close()
