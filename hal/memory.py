"""What this very board has taught: empty baselines, measured settings, masked cells.

Owns the file and its format. A profile says how a board is wired, and people write it; this file
is written by lifeboard alone. Must not know chips' registers.
"""

import json
import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hal.errors import MemoryFault
from hal.files import write_whole
from hal.profile import Electrode

VERSION = 1

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tuning:
    """Hold the settings of one electrode; None leaves one to the profile.

    Thresholds are in counts of the chip's reading, `charge_ua` in microamperes (1 to 63) and
    `charge_us` in microseconds (0.5 to 32, doubling).
    """

    touch_threshold: int | None = None
    release_threshold: int | None = None
    charge_ua: int | None = None
    charge_us: float | None = None


class BoardMemory:
    """Remember by electrode, since a baseline belongs to a wire and not to a name.

    Without a path nothing outlives the program. A file that makes no sense is kept aside, never
    overwritten, and the board begins anew.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.baselines: dict[Electrode, int] = {}
        self.tunings: dict[Electrode, Tuning] = {}
        self.masked: frozenset[str] = frozenset()
        self._saved = ""
        if path is not None and path.exists():
            self._read(path)

    def remember(self, baselines: Mapping[Electrode, int]) -> None:
        """Take the empty baselines, in counts from 0 to 1023, of some electrodes."""
        self.baselines.update(baselines)

    def tune(self, tunings: Mapping[Electrode, Tuning]) -> None:
        """Take the measured settings of some electrodes."""
        for each, tuning in tunings.items():
            old = self.tunings.get(each, Tuning())
            if (old.charge_ua, old.charge_us) != (tuning.charge_ua, tuning.charge_us):
                self.baselines.pop(each, None)
        self.tunings.update(tunings)

    def mask(self, cells: Iterable[str]) -> None:
        """Take the whole set of cells that are not to be felt any more."""
        self.masked = frozenset(cells)

    def save(self) -> None:
        """Write the file if anything has changed; raise OSError when that cannot be done."""
        text = self._text()
        if self.path is None or text == self._saved:
            return
        write_whole(self.path, text.encode())
        self._saved = text

    def _text(self) -> str:
        known = sorted({*self.baselines, *self.tunings}, key=lambda e: (e.chip, e.electrode))
        electrodes = {}
        for each in known:
            tuning = asdict(self.tunings.get(each, Tuning()))
            entry = {key: value for key, value in tuning.items() if value is not None}
            if each in self.baselines:
                entry["baseline"] = self.baselines[each]
            electrodes[f"{each.chip}.{each.electrode}"] = entry
        what = {"version": VERSION, "masked": sorted(self.masked), "electrodes": electrodes}
        return json.dumps(what, indent=1) + "\n"

    def _read(self, path: Path) -> None:
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            # It may be sound, and another user's: it must not be put aside.
            raise MemoryFault(
                f"board file {path} cannot be read: {error.strerror}; allowed is a file that this"
                " user may read, or another folder with --data"
            ) from error
        try:
            self._take(json.loads(text))
            self._saved = text
        except (ValueError, RecursionError) as error:
            self.baselines, self.tunings, self.masked = {}, {}, frozenset()
            stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
            aside = path.with_name(f"{path.name}.damaged-{stamp}")
            try:
                os.replace(path, aside)
            except OSError as moved:
                raise MemoryFault(
                    f"board file {path} cannot be used ({error}), nor moved aside:"
                    f" {moved.strerror}; move it, or choose another folder with --data"
                ) from moved
            log.warning("board file %s cannot be used (%s); kept as %s", path, error, aside.name)

    def _take(self, what: Any) -> None:
        if not isinstance(what, dict) or what.get("version") != VERSION:
            raise ValueError(f"version is not {VERSION}")
        masked, electrodes = what.get("masked", []), what.get("electrodes", {})
        if not isinstance(masked, list) or not isinstance(electrodes, dict):
            raise ValueError("masked is no list, or electrodes is no table")
        self.masked = frozenset(str(cell) for cell in masked)
        for name, entry in electrodes.items():
            chip, _, number = name.rpartition(".")
            electrode = Electrode(chip, int(number))
            if not isinstance(entry, dict):
                raise ValueError(f"electrode {name} is no table")
            settings = dict(entry)
            baseline = settings.pop("baseline", None)
            if baseline is not None:
                self.baselines[electrode] = _within(name, "baseline", baseline, 0, 1023)
            if settings:
                self.tunings[electrode] = _tuning(name, settings)


def _tuning(name: str, settings: dict[str, Any]) -> Tuning:
    ranges = {"touch_threshold": (1, 255), "release_threshold": (0, 254), "charge_ua": (1, 63)}
    unknown = settings.keys() - {*ranges, "charge_us"}
    if unknown:
        raise ValueError(f"electrode {name} has an unknown setting {min(unknown)}")
    for key, (low, high) in ranges.items():
        if key in settings:
            _within(name, key, settings[key], low, high)
    if settings.get("charge_us", 0.5) not in (0.5, 1, 2, 4, 8, 16, 32):
        raise ValueError(f"electrode {name} has charge_us {settings['charge_us']}")
    return Tuning(**settings)


def _within(name: str, key: str, value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"electrode {name} has {key} {value}; allowed is {low} to {high}")
    return value
