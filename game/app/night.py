"""Night: when the lights are to be low.

Owns the choice between day and night brightness. The hours and both levels stand in the profile.
"""

from collections.abc import Callable
from datetime import datetime
from enum import Enum

from hal.profile import Profile


class NightMode(Enum):
    """Say who decides: the clock and the profile's hours, or the person who started lifeboard."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


DIMMED = 0.3
"""What is left of the brightness at night where the profile does not say."""


def brightness(
    profile: Profile, mode: NightMode, clock: Callable[[], datetime] = datetime.now
) -> Callable[[], float]:
    """Give a function that says how bright the strip is to be now, 0 to 1."""
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
