"""Readings of all cells as a table of a given size.

Owns the arrangement: as many columns as fit, and shorter entries where not all would fit.
"""

from collections.abc import Callable, Mapping

from hal.drivers.mpr121_registers import Reading
from hal.profile import Electrode

_GAP = "  "
_LONGEST_NAME = 6
_STATES = {True: "#", False: " "}


def _whole(reading: Reading) -> str:
    return f"{reading.raw:4} {reading.baseline:4} {reading.fall:4}{_STATES[reading.touched]}"


def _short(reading: Reading) -> str:
    return f"{reading.raw:4} {reading.fall:4}{_STATES[reading.touched]}"


_FORMS: tuple[tuple[str, Callable[[Reading], str]], ...] = (
    (" raw base diff ", _whole),
    (" raw diff ", _short),
)


def table(
    spots: Mapping[str, Electrode], readings: Mapping[Electrode, Reading], width: int, height: int
) -> list[str]:
    """Write cells in columns, downward, under their titles; the last line tells of those left out.

    Each has raw reading, baseline (if there is room), the fall below it, and "#" while it is
    touched.
    """
    names = {spot: spot[:_LONGEST_NAME] for spot in spots}
    name_width = max(map(len, names.values()), default=0)
    title, write = _FORMS[0]
    if _rows(len(spots), name_width + len(title), width) >= height:
        title, write = _FORMS[1]
    rows = _rows(len(spots), name_width + len(title), width)
    columns = _columns(name_width + len(title), width)
    left_out = 0
    if rows >= height:
        rows = max(1, height - 2)
        left_out = len(spots) - rows * columns
    entries = []
    for spot, electrode in list(spots.items())[: rows * columns]:
        reading = readings.get(electrode)
        text = "silent".center(len(title)) if reading is None else write(reading)
        entries.append(f"{names[spot]:<{name_width}} {text}")
    used = -(-len(entries) // rows) if rows else 0
    lines = [_GAP.join([f"{'':<{name_width}} {title}"] * used).rstrip()]
    lines += [_GAP.join(entries[row::rows]).rstrip() for row in range(rows)]
    if left_out:
        lines.append(f"... and {left_out} more; a larger window shows them.")
    return lines


def _columns(entry: int, width: int) -> int:
    """Give how many entries stand side by side; between name and numbers is a space."""
    return max(1, (width + len(_GAP)) // (entry + 1 + len(_GAP)))


def _rows(count: int, entry: int, width: int) -> int:
    return -(-count // _columns(entry, width))
