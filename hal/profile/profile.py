"""Board profiles: everything that a profile file says about one board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from hal.base.schema import Meta
from hal.lights import Power
from hal.profile.pin_map import Chip, Electrode, Key, Pico, Strip

CHARGE_TIMES_US = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
TouchThreshold = Annotated[int, Meta(ge=1, le=255)]
ReleaseThreshold = Annotated[int, Meta(ge=0, le=254)]
Current = Annotated[int, Meta(ge=1, le=63)]

TOUCH: Literal["touch"] = "touch"
PRESENCE: Literal["presence"] = "presence"
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Sensing:
    """Say how touches are felt, times in ms. `mode` is "touch" or "presence" (of stones).

    `settle_ms` is for presence: a stone counts as standing, or as gone, after this time.
    """

    mode: Literal["touch", "presence"]
    press_ms: Annotated[int, Meta(ge=5, le=40)]
    release_ms: Annotated[int, Meta(ge=5, le=200)]
    hold_ms: Annotated[int, Meta(ge=100, le=10_000)]
    palm_cells: Annotated[int, Meta(ge=3, le=12)]
    poll_ms: Annotated[int, Meta(ge=5, le=500)]
    settle_ms: Annotated[int, Meta(ge=50, le=2000)]


@dataclass(frozen=True, slots=True)
class Measuring:
    """Say how the chips measure; thresholds in counts, filters in samples, as their registers do.

    A debounce is the number of further results that must agree. With `automatic` each chip finds
    its own charge settings when it starts; the ones here are then only where it begins. Ranges are
    those of the MPR121's registers (data sheet, section 5).
    """

    touch_threshold: TouchThreshold
    release_threshold: ReleaseThreshold
    touch_debounce: Annotated[int, Meta(ge=0, le=7)]
    release_debounce: Annotated[int, Meta(ge=0, le=7)]
    automatic: bool
    charge_ua: Current
    charge_us: float
    first_filter: Literal[6, 10, 18, 34]
    second_filter: Literal[4, 6, 10, 18]
    interval_ms: Literal[1, 2, 4, 8, 16, 32, 64, 128]


@dataclass(frozen=True, slots=True)
class Night:
    """Say when the strip is to be darker, in minutes after midnight, and how bright it is then."""

    start: int
    end: int
    brightness: float

    def covers(self, minute: int) -> bool:
        """Tell whether it is night at this minute of the day; the end is day again."""
        return (minute - self.start) % _DAY_MINUTES < (self.end - self.start) % _DAY_MINUTES


@dataclass(frozen=True, slots=True)
class Profile:
    """Describe one board.

    `pixels` maps cells ("e5") and lights ("circle.0") to pixel numbers; a cell may have none.
    `pico` is None for a board that is wired to a Raspberry Pi.
    """

    name: str
    title: str
    sensing: Sensing
    measuring: Measuring
    chips: tuple[Chip, ...]
    interrupt_pin: int
    cells: Mapping[str, Electrode]
    pixels: Mapping[str, int]
    pixel_count: int
    strip: Strip
    keys: Mapping[str, Key]
    power: Power
    night: Night | None
    lights: Mapping[str, int]
    pico: Pico | None = None

    @property
    def filter_ms(self) -> int:
        """For how long a chip has measured a touch when it reports it.

        An MPR121 averages all samples of a result, one each interval, and then waits for as many
        further results as its debounce says (data sheet, sections 5.8 and 5.11).
        """
        result_ms = self.measuring.second_filter * self.measuring.interval_ms
        return (1 + self.measuring.touch_debounce) * result_ms

    def pin_name(self, number: int) -> str:
        """Name a pin as the drawings of its computer do."""
        return f"GPIO{number}" if self.pico is None else f"GP{number}"
