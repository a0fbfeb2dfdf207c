"""What was measured on one board: empty baselines, settings of electrodes, masked cells."""

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from hal.base.errors import MemoryFault
from hal.base.files import decoded, read_whole, write_whole
from hal.base.schema import Meta, SchemaError, Struct, asdict, astuple, decode, field, to_builtins
from hal.profile.profile import (
    CHARGE_TIMES_US,
    Current,
    Electrode,
    ReleaseThreshold,
    TouchThreshold,
)

VERSION: Literal[1] = 1

log = logging.getLogger(__name__)


class Tuning(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Hold the settings of one electrode; None means the profile's value.

    Thresholds are in counts of the chip's reading, `charge_ua` in microamperes (1 to 63) and
    `charge_us` in microseconds (0.5 to 32, doubling).
    """

    touch_threshold: TouchThreshold | None = None
    release_threshold: ReleaseThreshold | None = None
    charge_ua: Current | None = None
    charge_us: float | None = None

    def __post_init__(self) -> None:
        if self.charge_us not in (None, *CHARGE_TIMES_US):
            raise ValueError(f"charge_us of {', '.join(map(str, CHARGE_TIMES_US))}")


class _Electrode(Tuning, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    baseline: Annotated[int, Meta(ge=0, le=1023)] | None = None


class _File(Struct, frozen=True):
    """The file; an electrode is named "CHIP.NUMBER"."""

    version: Literal[1]
    masked: list[str] = field(default_factory=list)
    electrodes: dict[Annotated[str, Meta(pattern=r"\.\d{1,2}\Z")], _Electrode] = field(
        default_factory=dict
    )


class BoardMemory:
    """Measurements by electrode, since a baseline belongs to a wire, not to a cell's name.

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
        if path is not None and path.exists():
            self._read(path)

    def remember(self, baselines: Mapping[Electrode, int]) -> None:
        """Store the empty baselines of some electrodes, in counts from 0 to 1023."""
        self.baselines.update(baselines)

    def tune(self, tunings: Mapping[Electrode, Tuning]) -> None:
        """Store the measured settings of some electrodes; a new charge drops the baseline."""
        for each, tuning in tunings.items():
            old = self.tunings.get(each, Tuning())
            if (old.charge_ua, old.charge_us) != (tuning.charge_ua, tuning.charge_us):
                self.baselines.pop(each, None)
        self.tunings.update(tunings)

    def mask(self, cells: Iterable[str]) -> None:
        """Replace the set of masked cells, which are not sensed."""
        self.masked = frozenset(cells)

    def save(self) -> None:
        """Write the file if anything has changed; raise OSError when that cannot be done."""
        electrodes = {
            str(each): _Electrode(
                **asdict(self.tunings.get(each, Tuning())), baseline=self.baselines.get(each)
            )
            for each in sorted({*self.baselines, *self.tunings})
        }
        file = _File(VERSION, sorted(self.masked), electrodes)
        text = json.dumps(to_builtins(file), indent=1) + "\n"
        if self._aside is None:
            self._write(text)
        else:
            self._aside.submit(self._write_or_warn, text)

    @contextmanager
    def written_aside(self) -> Iterator[None]:
        """Within this context let `save` write on a thread, which logs failures."""
        with ThreadPoolExecutor(1, "board file") as self._aside:
            yield
        self._aside = None

    def _write(self, text: str) -> None:
        if self.path is not None and text != self._saved:
            write_whole(self.path, text.encode())
            self._saved = text

    def _write_or_warn(self, text: str) -> None:
        try:
            self._write(text)
        except OSError as error:
            log.warning("board file %s cannot be written: %s", self.path, error)

    def _read(self, path: Path) -> None:
        try:
            text = decoded(read_whole(path), "replace")
            try:
                self._take(decode(text, _File))
                self._saved = text
            except SchemaError as error:
                stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
                aside = path.with_name(f"{path.name}.damaged-{stamp}")
                os.replace(path, aside)
                log.warning(
                    "board file %s cannot be used (%s); kept as %s", path, error, aside.name
                )
        except OSError as error:
            # Do not rename it: it may be intact, and belong to another user.
            raise MemoryFault(
                f"board file {path} cannot be used: {error.strerror}; allowed is a file that this"
                " user may read and move, or another folder with --data"
            ) from error

    def _take(self, file: _File) -> None:
        for name, entry in file.electrodes.items():
            *settings, baseline = astuple(entry)
            if baseline is not None:
                self.baselines[Electrode.parse(name)] = baseline
            if (tuning := Tuning(*settings)) != Tuning():
                self.tunings[Electrode.parse(name)] = tuning
        self.masked = frozenset(file.masked)
