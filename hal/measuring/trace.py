"""Traces of readings: written to a file, and read back strictly.

Owns the file format. Must not know who measures, nor who replays (`hal.measuring.replay`).

A trace is text, one JSON object a line, packed by gzip where its name ends in ".gz". The first line
names board, interval and electrodes with the charge each was measured with; every other line is one
sample: seconds since the first, raw readings and baselines in the order of the electrodes (null for
those whose chip was silent), and the places of those touched.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TextIO

from hal.drivers.mpr121_registers import Reading
from hal.errors import HalError
from hal.measuring.charge import Charge
from hal.profile import ELECTRODES, Electrode

FORMAT, VERSION = "lifeboard-trace", 1
MOST_SAMPLES = 72_000
"""Two hours of ten samples a second."""
_LONGEST_LINE = 65_536
_TOP = 1023


class TraceError(HalError, ValueError):
    """Report a trace that cannot be written or read: file, line, what is allowed."""


@dataclass(frozen=True, slots=True)
class Traced:
    """Describe one electrode of a trace; `spot` is its cell or key, "" for a spare one."""

    electrode: Electrode
    spot: str
    charge: Charge


@dataclass(frozen=True, slots=True)
class Header:
    """Describe a whole trace."""

    board: str
    interval_s: float
    electrodes: tuple[Traced, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """Hold all readings of one moment, in seconds since the first."""

    time_s: float
    readings: Mapping[Electrode, Reading]


class TraceWriter:
    """Write a new file; raises TraceError where that cannot be done. Never grows beyond `most`.

    The file is made at once, so that a wrong name is told early, and is taken away again when the
    trace never began.
    """

    def __init__(self, path: Path, *, most: int = MOST_SAMPLES) -> None:
        self.path = path
        self._header: Header | None = None
        self._left = most
        self._began_s: float | None = None
        try:
            self._file: TextIO = _open_to_write(path)
        except FileExistsError as error:
            raise TraceError(f"{path}: is there already: allowed is a new file") from error
        except OSError as error:
            raise TraceError(f"{path}: cannot be written: {error.strerror}") from error

    def begin(self, header: Header) -> None:
        """Write what all samples share; only then can there be samples."""
        self._header = header
        electrodes = [
            {
                "chip": each.electrode.chip,
                "electrode": each.electrode.electrode,
                "spot": each.spot,
                "charge_ua": each.charge.current_ua,
                "charge_us": each.charge.time_us,
            }
            for each in header.electrodes
        ]
        what = {"format": FORMAT, "version": VERSION, "board": header.board}
        self._write({**what, "interval_s": header.interval_s, "electrodes": electrodes})

    def add(self, readings: Mapping[Electrode, Reading], now: float) -> bool:
        """Write one sample; tell whether there was room for it."""
        if self._header is None:
            raise ValueError("a trace has no samples before it has begun")
        if self._left <= 0:
            return False
        self._left -= 1
        self._began_s = now if self._began_s is None else self._began_s
        order = [each.electrode for each in self._header.electrodes]
        found = [readings.get(each) for each in order]
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
        """Finish the file."""
        try:
            self._file.close()
            if self._header is None:
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


class TraceReader:
    """Read a file sample by sample; raises TraceError, which names the line, for what is wrong."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line = 0
        try:
            self._file: TextIO = _open_to_read(path)
        except OSError as error:
            raise TraceError(f"{path}: cannot be read: {error.strerror}") from error
        try:
            self.header = self._read_header()
        except TraceError:
            self._file.close()
            raise
        self._places = [each.electrode for each in self.header.electrodes]

    def __iter__(self) -> Iterator[Sample]:
        last_s = 0.0
        while (what := self._next()) is not None:
            if self._line - 1 > MOST_SAMPLES:
                raise self._fault(f"is one sample too many: allowed are {MOST_SAMPLES}")
            sample = self._sample(what)
            if sample.time_s < last_s:
                raise self._fault(f"t = {sample.time_s}: allowed is {last_s} or later")
            last_s = sample.time_s
            yield sample

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _next(self) -> dict[str, Any] | None:
        """Decode the next line; None at the end of the file."""
        self._line += 1
        try:
            text = self._file.readline(_LONGEST_LINE)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._fault("cannot be unpacked: the file is cut off or damaged") from error
        except UnicodeDecodeError as error:
            raise self._fault("is no text: allowed is JSON in UTF-8") from error
        except OSError as error:
            raise self._fault(f"cannot be read: {error.strerror}") from error
        if not text:
            return None
        if not text.endswith("\n"):
            raise self._fault(f"is cut off, or longer than {_LONGEST_LINE} characters")
        try:
            what = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._fault("is no JSON") from error
        if not isinstance(what, dict):
            raise self._fault("is no JSON object")
        return what

    def _read_header(self) -> Header:
        what = self._next()
        if what is None or what.get("format") != FORMAT or what.get("version") != VERSION:
            raise self._fault(f"is no header of a {FORMAT}, version {VERSION}")
        self._known(what, {"format", "version", "board", "interval_s", "electrodes"})
        board, interval_s, listed = what["board"], what["interval_s"], what["electrodes"]
        if not isinstance(board, str):
            raise self._fault(f"board = {board}: allowed is a text")
        if not _is_number(interval_s) or not 0 < interval_s <= 3600:
            raise self._fault(f"interval_s = {interval_s}: allowed is a number up to 3600")
        if not isinstance(listed, list) or not listed:
            raise self._fault("electrodes: allowed is a list that is not empty")
        electrodes = tuple(self._traced(each) for each in listed)
        if len({each.electrode for each in electrodes}) < len(electrodes):
            raise self._fault("electrodes: allowed is each electrode once")
        return Header(board, float(interval_s), electrodes)

    def _traced(self, what: Any) -> Traced:
        if not isinstance(what, dict):
            raise self._fault("electrodes: allowed are JSON objects")
        self._known(what, {"chip", "electrode", "spot", "charge_ua", "charge_us"})
        if not isinstance(what["chip"], str) or not isinstance(what["spot"], str):
            raise self._fault("chip and spot: allowed are texts")
        number = self._count(what["electrode"], "electrode", ELECTRODES - 1)
        current_ua = self._count(what["charge_ua"], "charge_ua", 63)
        if not _is_number(what["charge_us"]):
            raise self._fault(f"charge_us = {what['charge_us']}: allowed is a number")
        try:
            charge = Charge(current_ua, float(what["charge_us"]))
        except ValueError as error:
            raise self._fault(str(error)) from error
        return Traced(Electrode(what["chip"], number), what["spot"], charge)

    def _sample(self, what: dict[str, Any]) -> Sample:
        self._known(what, {"t", "raw", "baseline", "touched"})
        time_s, touched = what["t"], what["touched"]
        if not _is_number(time_s) or not time_s >= 0:
            raise self._fault(f"t = {time_s}: allowed is a number from 0")
        if not isinstance(touched, list):
            raise self._fault("touched: allowed is a list of places")
        places = {self._count(each, "touched", len(self._places) - 1) for each in touched}
        raw, baseline = self._counts(what, "raw"), self._counts(what, "baseline")
        readings: dict[Electrode, Reading] = {}
        for place, electrode in enumerate(self._places):
            pair = raw[place], baseline[place]
            match pair:
                case (int(), int()):
                    readings[electrode] = Reading(pair[0], pair[1], place in places)
                case (None, None) if place not in places:
                    pass
                case _:
                    raise self._fault(f"place {place}: allowed are two readings, or none")
        return Sample(float(time_s), readings)

    def _counts(self, what: dict[str, Any], key: str) -> list[int | None]:
        values = what[key]
        if not isinstance(values, list) or len(values) != len(self._places):
            raise self._fault(f"{key}: allowed is a list of {len(self._places)}")
        return [None if each is None else self._count(each, key, _TOP) for each in values]

    def _count(self, value: Any, key: str, most: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise self._fault(f"{key} = {value}: allowed is a whole number from 0 to {most}")
        return value

    def _known(self, what: dict[str, Any], keys: set[str]) -> None:
        if what.keys() != keys:
            key = min(what.keys() ^ keys)
            state = "missing" if key in keys else "unknown"
            raise self._fault(f"{key} is {state}: allowed are {', '.join(sorted(keys))}")

    def _fault(self, what: str) -> TraceError:
        return TraceError(f"{self._path}: line {self._line}: {what}")


def _open_to_read(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _open_to_write(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "xt", encoding="utf-8")
    return path.open("x", encoding="utf-8")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
