"""Calibrating a board: from readings to charge settings, noise, baselines and thresholds.

Pure: readings and time come in, settings for the chips go out. All phases and transitions:

    CLEAR    waits for `go` on an empty board        -> CHARGE, or EMPTY when charges are settled
    CHARGE   finds the charge of every electrode     -> EMPTY, or CLEAR when a chip falls silent
    EMPTY    measures noise and baselines            -> TOUCH, or DONE when no touch is wanted;
             CHARGE when a charge does not fit; CLEAR when something touched the board or a chip
             fell silent
    TOUCH    asks for one cell after the other       -> DONE; CLEAR when a cell must have been
             covered in the empty measurement (measured touches are kept)
    DONE     has final results
"""

from collections.abc import Mapping
from enum import Enum
from statistics import fmean, median, pstdev

from hal.drivers.mpr121_registers import SHORTED_COUNTS, Reading
from hal.measuring import margins
from hal.measuring.margins import Charge, Margin, Noise, better_charge, fits
from hal.measuring.presses import Presses, Readings
from hal.profile import Electrode, Tuning

INTERVAL_S = 0.025  # the interval of readings; chips that need longer for a result get longer

_SETTLE_S = 0.3
_CHARGE_SAMPLES = 8
_MOST_PASSES = 6
_EMPTY_SAMPLES = 60

Tunings = Mapping[Electrode, Tuning]


class CalibrationPhase(Enum):
    """Phases of the calibrator."""

    CLEAR = "clear"
    CHARGE = "charge"
    EMPTY = "empty"
    TOUCH = "touch"
    DONE = "done"


class Calibrator:
    """Calibrate `spots`, the cells and keys by their electrodes.

    `start` is the charge to begin with; `period_s` is the time between two results of a chip.
    `shares` are those of the thresholds (`margins`): of fingers, or of stones that are sensed.
    `quick` measures noise and baselines only, with the settings that the chips have. `go` and
    `step` return settings with which the chips must be set up before the next step.
    """

    def __init__(
        self,
        spots: Mapping[str, Electrode],
        start: Charge,
        period_s: float,
        *,
        quick: bool = False,
        shares: tuple[float, float] = margins.FINGER_SHARES,
    ) -> None:
        self._phase = CalibrationPhase.CLEAR
        self.presses = Presses(spots)
        self.absent: frozenset[str] = frozenset()
        """Spots whose chips do not answer now."""
        self.covered: tuple[str, ...] = ()
        """Spots that something touches, or has touched, while the board had to be empty."""
        self.interval_s = max(INTERVAL_S, period_s)
        self._spots = dict(spots)
        self._quick = quick
        self._shares = shares
        self._settle_s = max(_SETTLE_S, 5 * period_s)
        self._charges = dict.fromkeys(self._spots, start)
        self._passes = 0
        self._settled = quick
        self._from_s = 0.0
        self._taken: list[Readings] = []
        self._trusted: frozenset[str] = frozenset()
        self._noise: dict[str, Noise] = {}

    @property
    def phase(self) -> CalibrationPhase:
        """The present phase: touching ends when there is no more to ask."""
        ended = self._phase is CalibrationPhase.TOUCH and self.presses.asked is None
        return CalibrationPhase.DONE if ended else self._phase

    @property
    def asked(self) -> str | None:
        """The spot that must be touched, or released."""
        return self.presses.asked if self.phase is CalibrationPhase.TOUCH else None

    @property
    def results(self) -> tuple[Margin, ...]:
        """Return the results of each spot whose noise was measured."""
        return tuple(
            Margin(
                spot,
                electrode,
                self._noise[spot],
                None if self._quick else self._charges[spot],
                self.presses.changes.get(spot),
                self.presses.echoes.get(spot),
                self._shares,
            )
            for spot, electrode in self._spots.items()
            if spot in self._noise
        )

    def go(self, readings: Readings, now: float, *, anyway: bool = False) -> Tunings | None:
        """Begin to measure the empty board.

        Does nothing while a chip is silent, or something touches the board; `anyway` ignores
        touches, for a caller who knows that the board is empty.
        """
        if self.phase is not CalibrationPhase.CLEAR:
            return None
        self.absent = frozenset(s for s, e in self._spots.items() if e not in readings)
        touched = tuple(s for s, e in self._spots.items() if _is_touched(readings.get(e)))
        self.covered = () if anyway else touched
        if self.absent or self.covered:
            return None
        self._trusted = frozenset(touched)
        if self._settled:
            return self._enter(CalibrationPhase.EMPTY, now)
        self._passes = 0
        return self._enter(CalibrationPhase.CHARGE, now)

    def step(self, readings: Readings, now: float) -> Tunings | None:
        """Take readings of all spots; those of chips that are silent may be missing."""
        self.absent = frozenset(s for s, e in self._spots.items() if e not in readings)
        if self.phase in (CalibrationPhase.CHARGE, CalibrationPhase.EMPTY):
            return self._measure(readings, now)
        if self.phase is CalibrationPhase.TOUCH:
            self.presses.step(readings, now)
            if risen := self.presses.risen:
                self._enter(CalibrationPhase.CLEAR, now, risen)
        return None

    def skip(self) -> None:
        """Skip the present spot; it keeps the thresholds of the profile."""
        if self.phase is CalibrationPhase.TOUCH:
            self.presses.skip()

    def back(self) -> None:
        if self.phase is CalibrationPhase.TOUCH:
            self.presses.back()

    def _enter(
        self, phase: CalibrationPhase, now: float, covered: tuple[str, ...] = ()
    ) -> Tunings | None:
        self._phase = phase
        self.covered = covered
        self._taken = []
        self._from_s = now
        if phase is not CalibrationPhase.CHARGE:
            return None
        self._passes += 1
        self._from_s = now + self._settle_s
        return {
            self._spots[spot]: Tuning(charge_ua=charge.current_ua, charge_us=charge.time_us)
            for spot, charge in self._charges.items()
        }

    def _measure(self, readings: Readings, now: float) -> Tunings | None:
        if self.absent:
            return self._enter(CalibrationPhase.CLEAR, now)
        if now < self._from_s:
            return None
        self._taken.append(readings)
        charges = self.phase is CalibrationPhase.CHARGE
        if len(self._taken) < (_CHARGE_SAMPLES if charges else _EMPTY_SAMPLES):
            return None
        samples = {s: [each[e].raw for each in self._taken] for s, e in self._spots.items()}
        return self._choose(samples, now) if charges else self._conclude(samples, now)

    def _choose(self, samples: Mapping[str, list[int]], now: float) -> Tunings | None:
        """End a pass; begin another with better charges if some do not fit and passes are left."""
        counts = {spot: median(values) for spot, values in samples.items()}
        wrong = [spot for spot in self._spots if not fits(counts[spot], self._charges[spot])]
        if not wrong or self._passes >= _MOST_PASSES:
            self._settled = True
            return self._enter(CalibrationPhase.EMPTY, now)
        for spot in wrong:
            self._charges[spot] = better_charge(counts[spot], self._charges[spot])
        return self._enter(CalibrationPhase.CHARGE, now)

    def _conclude(self, samples: Mapping[str, list[int]], now: float) -> Tunings | None:
        """End the measurement of the empty board; go back to CLEAR if it was not empty."""
        lasting = {
            spot
            for spot, electrode in self._spots.items()
            if median(_is_touched(each[electrode]) for each in self._taken) == 1
        }
        touched = lasting - self._trusted
        covered = tuple(s for s, each in samples.items() if s in touched or margins.shifted(each))
        noise = {s: Noise(fmean(v), pstdev(v), max(v) - min(v)) for s, v in samples.items()}
        if covered:
            return self._enter(CalibrationPhase.CLEAR, now, covered)
        wrong = [s for s, charge in self._charges.items() if not fits(noise[s].mean, charge)]
        again = not self._quick and not self.presses.changes and self._passes < _MOST_PASSES
        if wrong and again:
            return self._enter(CalibrationPhase.CHARGE, now)
        self._noise = noise
        self.presses.begin(noise)
        return self._enter(CalibrationPhase.DONE if self._quick else CalibrationPhase.TOUCH, now)


def _is_touched(reading: Reading | None) -> bool:
    """Return whether a reading is a touch; a short to ground stays on a cleared board."""
    return reading is not None and reading.touched and reading.raw > SHORTED_COUNTS
