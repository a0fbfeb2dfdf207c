"""Board profiles: which electrode, pixel, pin and chip belongs to what, read and written as TOML.

Owns the format of a profile file and of the file of learned settings. Must not know how touches are
sensed, how pixels are driven, or games.
"""

from hal.profile.pin_map import ELECTRODES, BusPins, Chip, Electrode, Key, Pico, Pin, Strip
from hal.profile.profile import (
    PRESENCE,
    TOUCH,
    Measuring,
    Night,
    Profile,
    Sensing,
    built_in,
    built_in_names,
    load,
)

__all__ = [
    "ELECTRODES",
    "PRESENCE",
    "TOUCH",
    "BusPins",
    "Chip",
    "Electrode",
    "Key",
    "Measuring",
    "Night",
    "Pico",
    "Pin",
    "Profile",
    "Sensing",
    "Strip",
    "built_in",
    "built_in_names",
    "load",
]
