"""Night mode: when the lights are dimmed.

Owns the choice between day and night brightness. Hours and levels come from the profile.
"""

from collections.abc import Callable
from datetime import datetime
from enum import Enum

from hal.profile import Profile


class NightMode(Enum):
    """Who decides: the clock with the profile's hours, or the command line."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


DIMMED = 0.3
"""Night brightness relative to day, where the profile does not set it."""


def brightness(
    profile: Profile, mode: NightMode, clock: Callable[[], datetime] = datetime.now
) -> Callable[[], float]:
    """Return a function that gives the present brightness of the strip, 0 to 1."""
    day, night = profile.power.brightness, profile.night
    dark = night.brightness if night is not None else day * DIMMED

    def now() -> float:
        if mode is NightMode.AUTO:
            if night is None:
                return day
            time = clock()
            return dark if night.covers(60 * time.hour + time.minute) else day
        return dark if mode is NightMode.ON else day

    return now


class Dimmer:
    """The brightness of the strip, 0 to 1, which can be changed during play, from any thread.

    `percent` is the share of what the profile says, by day or by night as the `mode` has it.
    """

    def __init__(self, profile: Profile, mode: NightMode = NightMode.AUTO) -> None:
        self._profile = profile
        self.mode = mode
        self.percent = 100

    def __call__(self) -> float:
        return brightness(self._profile, self.mode)() * self.percent / 100

    @property
    def is_night(self) -> bool:
        return brightness(self._profile, self.mode)() < self._profile.power.brightness
