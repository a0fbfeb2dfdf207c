"""The models of Raspberry Pi, what their config.txt says, and the remedies that change it.

After Raspberry Pi's documentation ("config.txt", "Conditional filters", "Device Trees, overlays,
and parameters").
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

_PI = "Raspberry Pi "


class Family(Enum):
    """Tell apart the Pis that need different settings."""

    ZERO_2 = "Zero 2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Model:
    """Name a Pi and its family, and the `sections` of config.txt that apply to it."""

    name: str
    family: Family
    sections: frozenset[str] = frozenset()


# How the name goes on after "Raspberry Pi ", and the sections that apply (documentation of
# config.txt, "Model Filters"). The first that fits: a Pi 400 is a 4, a Zero W is none of these.
_MODELS = {
    "Zero 2": (Family.ZERO_2, "pi0 pi0w pi02"),
    "Compute Module 0": (Family.ZERO_2, "pi0 pi0w pi02 cm0"),
    "3 Model A Plus": (Family.THREE, "pi3 pi3+"),
    "3 Model B Plus": (Family.THREE, "pi3 pi3+"),
    "3": (Family.THREE, "pi3"),
    "Compute Module 3 Plus": (Family.THREE, "pi3 pi3+ cm3+"),
    "Compute Module 3": (Family.THREE, "pi3 cm3"),
    "400": (Family.FOUR, "pi4 pi400"),
    "4": (Family.FOUR, "pi4"),
    "Compute Module 4S": (Family.FOUR, "pi4 cm4s"),
    "Compute Module 4": (Family.FOUR, "pi4 cm4"),
    "500": (Family.FIVE, "pi5 pi500"),
    "5": (Family.FIVE, "pi5"),
    "Compute Module 5": (Family.FIVE, "pi5 cm5"),
}


def model_of(name: str) -> Model | None:
    """Recognise a model by its name in the device tree; None for other computers."""
    if not name.startswith(_PI):
        return None
    rest = name.removeprefix(_PI)
    found = (each for begin, each in _MODELS.items() if rest.startswith(begin))
    family, sections = next(found, (Family.OTHER, ""))
    return Model(name, family, frozenset(sections.split()))


CONFIG = "/boot/firmware/config.txt"
SWITCH_ON = (
    f"sudo raspi-config nonint do_{{}} 0 (it writes `dtparam={{}}=on` to {CONFIG}), then restart"
    " the Pi"
)
"""The remedy that switches an interface on, by its name and its parameter."""
_MODEL_FILTER = re.compile(r"(pi|cm)\d.*|none")
_ALIASES = {"i2c_baudrate": "i2c_arm_baudrate", "i2c1_baudrate": "i2c_arm_baudrate"}


def add_to_config(*lines: str) -> str:
    """Write the remedy that adds lines to config.txt."""
    return f"add {' and '.join(f'`{line}`' for line in lines)} to {CONFIG}, then restart the Pi"


@dataclass(frozen=True, slots=True)
class BootConfig:
    """What applies to this Pi, with overlays as names and parameters; the last value counts."""

    settings: Mapping[str, str]
    parameters: Mapping[str, str]
    overlays: tuple[tuple[str, Mapping[str, str]], ...] = ()

    def number(self, setting: str) -> int | None:
        """Return a setting as a whole number; None if it is missing or not a number."""
        text = self.settings.get(setting, "")
        return int(text) if text.isascii() and text.isdigit() else None


def parse(text: str, sections: frozenset[str]) -> BootConfig:
    """Read a config.txt as a Pi would if these sections apply to it.

    A filter replaces an earlier one. Lines after a filter on anything but a model are skipped, and
    included files are not read.
    """
    settings: dict[str, str] = {}
    parameters: dict[str, str] = {}
    overlays: list[tuple[str, dict[str, str]]] = []
    applies = known = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            name = line.strip("[]").lower()
            if name == "all":
                applies = known = True
            elif _MODEL_FILTER.fullmatch(name):
                applies = name in sections
            else:
                known = False
        key, equals, value = (part.strip() for part in line.partition("="))
        if not (applies and known and equals) or line.startswith("#"):
            continue
        if key in ("dtparam", "device_tree_param"):
            given = _parameters(value)
            parameters |= given
            if overlays:
                # The parameter is the last overlay's, if that has one of this name.
                overlays[-1][1].update(given)
        elif key in ("dtoverlay", "device_tree_overlay"):
            name, _, rest = value.partition(",")
            overlays.append((name, _parameters(rest)))
        else:
            settings[key] = value
    return BootConfig(settings, parameters, tuple(overlays))


def _parameters(text: str) -> dict[str, str]:
    pairs = (map(str.strip, each.partition("=")) for each in text.split(",") if each)
    return {_ALIASES.get(name, name): to if given else "on" for name, given, to in pairs}
