"""Traces of readings, written to a file for other programs to read.

A trace is text, one JSON object a line, compressed by gzip where its name ends in ".gz". The first
line names board, interval and electrodes with the charge each was measured with; every other line
is one sample: seconds since the first, raw readings and baselines in the order of the electrodes
(null for those whose chip was silent), and the places of those touched.
"""

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self, TextIO

from hal.base.errors import HalError
from hal.drivers.reading import Reading
from hal.measuring.charge import Charge
from hal.profile import Electrode

FORMAT, VERSION = "lifeboard-trace", 1
MOST_SAMPLES = 72_000
"""Two hours of ten samples a second."""


class TraceError(HalError, ValueError):
    """Report a trace that cannot be written: file, reason, what is allowed."""


class TraceWriter:
    """Writes a new file; raises TraceError. Never grows beyond `most` samples.

    The file is made at once, so that a wrong name is reported early, and is removed again if the
    trace never began.
    """

    def __init__(self, path: Path, *, most: int = MOST_SAMPLES) -> None:
        self.path = path
        self._order: tuple[Electrode, ...] = ()
        self._left = most
        self._began_s: float | None = None
        try:
            self._file: TextIO = _open_to_write(path)
        except FileExistsError as error:
            raise TraceError(f"{path}: is there already: allowed is a new file") from error
        except OSError as error:
            raise TraceError(f"{path}: cannot be written: {error.strerror}") from error

    def begin(
        self,
        board: str,
        interval_s: float,
        spots: Mapping[str, Electrode],
        charge: Callable[[Electrode], Charge],
    ) -> None:
        """Write the first line: the cells and keys, and with what charge each is measured."""
        self._order = tuple(spots.values())
        electrodes = [
            {
                "chip": each.chip,
                "electrode": each.electrode,
                "spot": spot,
                "charge_ua": (used := charge(each)).current_ua,
                "charge_us": used.time_us,
            }
            for spot, each in spots.items()
        ]
        what = {"format": FORMAT, "version": VERSION, "board": board}
        self._write({**what, "interval_s": interval_s, "electrodes": electrodes})

    def add(self, readings: Mapping[Electrode, Reading], now: float) -> bool:
        """Write one sample; tell whether there was room for it."""
        if not self._order:
            raise ValueError("a trace has no samples before it has begun")
        if self._left <= 0:
            return False
        self._left -= 1
        self._began_s = now if self._began_s is None else self._began_s
        found = [readings.get(each) for each in self._order]
        self._write(
            {
                "t": round(now - self._began_s, 3),
                "raw": [each and each.raw for each in found],
                "baseline": [each and each.baseline for each in found],
                "touched": [place for place, each in enumerate(found) if each and each.touched],
            }
        )
        return True

    def close(self) -> None:
        try:
            self._file.close()
            if not self._order:
                self.path.unlink(missing_ok=True)
        except OSError as error:
            raise TraceError(f"{self.path}: cannot be written: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, what: Mapping[str, object]) -> None:
        try:
            self._file.write(json.dumps(what, separators=(",", ":")) + "\n")
        except OSError as error:
            raise TraceError(f"{self.path}: cannot be written: {error.strerror}") from error


def _open_to_write(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "xt", encoding="utf-8")
    return path.open("x", encoding="utf-8")
