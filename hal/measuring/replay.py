"""Replaying a trace: loads on emulated electrodes that make the chips read what was read.

Owns the way back from counts to capacitance, and the timing. Must not know files
(`hal.measuring.trace`), nor which emulated chips these are. Time comes in as `now`.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from hal.measuring.trace import Header, Sample
from hal.memory import Tuning
from hal.profile import Electrode


class Loadable(Protocol):
    """An emulated chip, whose electrodes can be loaded."""

    def advance(self, now: float) -> None:
        """Let time pass up to `now`."""
        ...

    def load(self, electrode: int, capacitance_pf: float) -> None:
        """Change the capacitance of an electrode."""
        ...


def tunings(header: Header) -> dict[Electrode, Tuning]:
    """Give the settings that chips must be set up with, so that they read what a trace holds."""
    return {
        each.electrode: Tuning(charge_ua=each.charge.current_ua, charge_us=each.charge.time_us)
        for each in header.electrodes
    }


class Replay:
    """Load emulated chips so that they read what a trace holds, from `start_s` on.

    They do when they are set up with the charges of the trace (`tunings`). Readings above the range
    of the chip cannot be replayed: the emulated ones end there.
    """

    def __init__(self, header: Header, samples: Iterable[Sample], start_s: float) -> None:
        self.ended = False
        self._charges = {each.electrode: each.charge for each in header.electrodes}
        self._samples = iter(samples)
        self._start_s = start_s
        self._next: Sample | None = None
        self._pull()

    def prepare(self, chips: Mapping[str, Loadable]) -> None:
        """Load what was empty at the beginning, for chips that are about to learn baselines."""
        if self._next is None:
            return
        # A baseline is read in steps of four counts, so an empty electrode itself is nearer.
        readings = self._next.readings.items()
        empty = {e: each.baseline if each.touched else each.raw for e, each in readings}
        self._load(chips, empty)

    def advance(self, now: float, chips: Mapping[str, Loadable]) -> None:
        """Let time pass up to `now` on chips, by name, with all that the trace holds until then."""
        while self._next is not None and self._start_s + self._next.time_s <= now:
            for chip in chips.values():
                chip.advance(self._start_s + self._next.time_s)
            self._load(chips, {e: each.raw for e, each in self._next.readings.items()})
            self._pull()
        for chip in chips.values():
            chip.advance(now)

    def _pull(self) -> None:
        self._next = next(self._samples, None)
        self.ended = self._next is None

    def _load(self, chips: Mapping[str, Loadable], counts: Mapping[Electrode, int]) -> None:
        for electrode, count in counts.items():
            if electrode.chip in chips:
                picofarads = self._charges[electrode].capacitance_pf(count)
                chips[electrode.chip].load(electrode.electrode, picofarads)
