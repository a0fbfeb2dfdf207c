"""What the Pi's config.txt says, and the remedies that change it.

Owns the file's syntax, after Raspberry Pi's documentation ("config.txt", "Conditional filters",
"Device Trees, overlays, and parameters"). Must not read files.
"""

from collections.abc import Mapping
from dataclasses import dataclass

CONFIG = "/boot/firmware/config.txt"
SWITCH_ON = (
    f"sudo raspi-config nonint do_{{}} 0 (it writes `dtparam={{}}=on` to {CONFIG}), then restart"
    " the Pi"
)
"""The remedy that switches an interface on, by its name and its parameter."""
_ALIASES = {"i2c_baudrate": "i2c_arm_baudrate", "i2c1_baudrate": "i2c_arm_baudrate"}


def add_to_config(*lines: str) -> str:
    """Write the remedy that adds lines to config.txt."""
    return f"add {' and '.join(f'`{line}`' for line in lines)} to {CONFIG}, then restart the Pi"


@dataclass(frozen=True, slots=True)
class BootConfig:
    """Hold what applies to this Pi; of a setting or parameter that is given twice, the last."""

    settings: Mapping[str, str]
    parameters: Mapping[str, str]

    def number(self, setting: str) -> int | None:
        """Give a setting that is a whole number; None when it is not given, or is none."""
        text = self.settings.get(setting, "")
        return int(text) if text.isascii() and text.isdigit() else None


def parse(text: str, sections: frozenset[str]) -> BootConfig:
    """Read a config.txt as a Pi does to which these sections apply.

    Other sections, also those on monitors, pins and serial numbers, are skipped; files that it
    includes are not read.
    """
    settings: dict[str, str] = {}
    parameters: dict[str, str] = {}
    applies = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            applies = line.strip("[]").lower() in {"all", *sections}
        key, equals, value = (part.strip() for part in line.partition("="))
        if not applies or not equals or line.startswith("#"):
            continue
        if key in ("dtparam", "device_tree_param"):
            for each in value.split(","):
                name, given, to = (part.strip() for part in each.partition("="))
                parameters[_ALIASES.get(name, name)] = to if given else "on"
        else:
            settings[key] = value
    return BootConfig(settings, parameters)
