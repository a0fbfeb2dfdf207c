"""What the Pi's config.txt asks the firmware for: settings, parameters and overlays.

Owns the file's syntax, after Raspberry Pi's documentation ("config.txt", "Conditional filters",
"Device Trees, overlays, and parameters"). Must not read files, nor know what a board needs.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_ON = ("on", "true", "yes", "y", "1")
_PARAMETER = ("dtparam", "device_tree_param")
_OVERLAY = ("dtoverlay", "device_tree_overlay")
# Names of one thing each.
_ALIASES = {
    "i2c": "i2c_arm",
    "i2c1": "i2c_arm",
    "i2c_baudrate": "i2c_arm_baudrate",
    "i2c1_baudrate": "i2c_arm_baudrate",
}
_MODEL_FILTER = re.compile(r"pi\d|cm\d|board-type=")
_MOST_INCLUDES = 8


@dataclass(frozen=True, slots=True)
class Overlay:
    """Name an overlay and its parameters."""

    name: str
    parameters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BootConfig:
    """Hold what holds for this Pi; of a setting or parameter that is given twice, the last."""

    settings: Mapping[str, str]
    parameters: Mapping[str, str]
    overlays: tuple[Overlay, ...]

    def number(self, setting: str) -> int | None:
        """Give a setting that is a whole number; None when it is not given, or is none."""
        text = self.settings.get(setting, "")
        return int(text) if text.isascii() and text.isdigit() else None

    def on(self, parameter: str) -> bool:
        """Tell whether a parameter of the device tree is switched on."""
        return self.parameters.get(parameter, "").lower() in _ON

    def overlays_named(self, name: str) -> tuple[Overlay, ...]:
        """Give the overlays of one name, in the order of the file."""
        return tuple(each for each in self.overlays if each.name == name)


def parse(
    text: str, filters: frozenset[str], include: Callable[[str], str | None] = lambda _: None
) -> BootConfig:
    """Read a config.txt as a Pi with these model filters does.

    `include` gives the text of a file that an include line names. Lines under a filter that cannot
    be judged from here (a monitor, a pin, a serial number) are taken not to hold.
    """
    settings: dict[str, str] = {}
    parameters: dict[str, str] = {}
    overlays: list[Overlay] = []
    scope: dict[str, str] = {}
    for key, value in _lines(text, filters, include, 0):
        if key in _OVERLAY:
            name, *given = value.split(",")
            scope = _pairs(given)
            if name.strip():
                overlays.append(Overlay(name.strip(), scope))
        elif key in _PARAMETER:
            # After an overlay they belong to it, unless it has none of that name. The names that
            # we ask for are an overlay's or the base's, never both.
            given_here = _pairs(value.split(","))
            parameters.update({_ALIASES.get(name, name): on for name, on in given_here.items()})
            scope.update(given_here)
        else:
            settings[key] = value
    return BootConfig(settings, parameters, tuple(overlays))


def _lines(
    text: str, filters: frozenset[str], include: Callable[[str], str | None], depth: int
) -> Iterator[tuple[str, str]]:
    holds: dict[str, bool] = {}
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            name = line[1:-1].strip().lower()
            if name == "all":
                holds = {}
            else:
                # Filters of one kind replace each other, those of several kinds combine.
                holds[_kind(name)] = name in filters
        elif not line or line.startswith("#") or not all(holds.values()):
            continue
        elif line.startswith("include ") and depth < _MOST_INCLUDES:
            included = include(line.removeprefix("include ").strip())
            yield from _lines(included or "", filters, include, depth + 1)
        elif "=" in line:
            key, _, value = line.partition("=")
            yield key.strip(), value.strip()


def _kind(name: str) -> str:
    return "model" if _MODEL_FILTER.match(name) else re.split(r"[=:\d]", name)[0]


def _pairs(given: list[str]) -> dict[str, str]:
    pairs = {}
    for each in given:
        name, equals, value = each.strip().partition("=")
        if name:
            pairs[name.strip()] = value.strip() if equals else "on"
    return pairs
