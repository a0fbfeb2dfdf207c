"""What the Pi's config.txt says, and the remedies that change it.

Owns the file's syntax, after Raspberry Pi's documentation ("config.txt", "Conditional filters",
"Device Trees, overlays, and parameters"). Must not read files.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

CONFIG = "/boot/firmware/config.txt"
SWITCH_ON = (
    f"sudo raspi-config nonint do_{{}} 0 (it writes `dtparam={{}}=on` to {CONFIG}), then restart"
    " the Pi"
)
"""The remedy that switches an interface on, by its name and its parameter."""
_MODEL_FILTER = re.compile(r"(pi|cm)\d.*|board-type=.*|none")
_ALIASES = {"i2c_baudrate": "i2c_arm_baudrate", "i2c1_baudrate": "i2c_arm_baudrate"}


def add_to_config(*lines: str) -> str:
    """Write the remedy that adds lines to config.txt."""
    return f"add {' and '.join(f'`{line}`' for line in lines)} to {CONFIG}, then restart the Pi"


@dataclass(frozen=True, slots=True)
class BootConfig:
    """Hold what applies to this Pi; of a setting or parameter that is given twice, the last.

    `overlays` are names with parameters, in their order.
    """

    settings: Mapping[str, str]
    parameters: Mapping[str, str]
    overlays: tuple[tuple[str, Mapping[str, str]], ...] = ()

    def number(self, setting: str) -> int | None:
        """Give a setting that is a whole number; None when it is not given, or is none."""
        text = self.settings.get(setting, "")
        return int(text) if text.isascii() and text.isdigit() else None


def parse(text: str, sections: frozenset[str]) -> BootConfig:
    """Read a config.txt as a Pi does to which these sections apply.

    A filter replaces the one before it of its kind. What follows one on monitors, pins and serial
    numbers is skipped; files that it includes are not read.
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
                # It is the overlay's, if that has one of this name.
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
