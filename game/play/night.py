"""Night mode: when the lights are dimmed, and how much."""

from datetime import datetime
from enum import Enum

from hal.profile import Profile


class NightMode(Enum):
    """Who decides: the clock with the profile's hours, or the command line."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


DIMMED = 0.3  # Night brightness relative to day, where the profile does not set it


class Dimmer:
    """The brightness of the strip, 0 to 1, from any thread; `percent` is of the profile's."""

    def __init__(self, profile: Profile, mode: NightMode = NightMode.AUTO) -> None:
        self._day, self._hours = profile.power.brightness, profile.night
        self._night = self._day * DIMMED if self._hours is None else self._hours.brightness
        self.mode = mode
        self.percent = 100

    def __call__(self) -> float:
        return (self._night if self._is_dark() else self._day) * self.percent / 100

    @property
    def is_night(self) -> bool:
        return self._is_dark() and self._night < self._day

    def _is_dark(self) -> bool:
        if self.mode is not NightMode.AUTO:
            return self.mode is NightMode.ON
        time = datetime.now()
        return self._hours is not None and self._hours.covers(60 * time.hour + time.minute)
