"""What was measured on one board: empty baselines, settings of electrodes, masked cells.

A profile says how a board is wired, and people write it; this file is written by lifeboard alone.
"""

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hal.base.errors import MemoryFault
from hal.base.files import decoded, read_whole, write_whole
from hal.profile.pin_map import Electrode
from hal.profile.profile import CHARGE_TIMES_US

VERSION = 1

_ALLOWED = {
    "baseline": range(1024),
    "touch_threshold": range(1, 256),
    "release_threshold": range(255),
    "charge_ua": range(1, 64),
    "charge_us": CHARGE_TIMES_US,
}

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

    Without a path nothing is saved. A damaged file is renamed, never overwritten, and the board
    starts without measurements.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.baselines: dict[Electrode, int] = {}
        self.tunings: dict[Electrode, Tuning] = {}
        self.masked: frozenset[str] = frozenset()
        self._saved = ""
        self._aside: ThreadPoolExecutor | None = None
        self._newest = ""
        self._writing: Future[None] | None = None
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
        self._newest = self._text()
        if self._aside is None:
            self._write()
        elif self._writing is None or self._writing.running() or self._writing.done():
            self._writing = self._aside.submit(self._write_or_warn)

    @contextmanager
    def written_aside(self) -> Iterator[None]:
        """Let `save` return at once: a thread writes the newest, and the log tells of failures.

        All is written when the context is left.
        """
        with ThreadPoolExecutor(1, "board file") as self._aside:
            yield
        self._aside = None

    def _write(self) -> None:
        text = self._newest
        if self.path is not None and text != self._saved:
            write_whole(self.path, text.encode())
            self._saved = text

    def _write_or_warn(self) -> None:
        try:
            self._write()
        except OSError as error:
            log.warning("board file %s cannot be written: %s", self.path, error)

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
            text = decoded(read_whole(path), "replace")
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
            for key, value in entry.items():
                number = type(value) is int or (key == "charge_us" and type(value) is float)
                if not number or value not in _ALLOWED.get(key, ()):
                    raise ValueError(f"electrode {name} has {key} {value}, which is not allowed")
            settings = dict(entry)
            baseline = settings.pop("baseline", None)
            if baseline is not None:
                self.baselines[electrode] = baseline
            if settings:
                self.tunings[electrode] = Tuning(**settings)
