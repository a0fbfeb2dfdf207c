"""Calibrating a board: from readings to charge settings, noise, baselines and thresholds.

Pure: readings and time come in, settings for the chips go out. All phases and transitions:

    CLEAR    waits for `go` on an empty board        -> CHARGE, or EMPTY when charges are settled
    CHARGE   finds the charge of every electrode     -> EMPTY, or CLEAR when a chip falls silent
    EMPTY    measures noise and baselines            -> TOUCH, or DONE when no touch is wanted;
             CLEAR when something touched the board or a chip fell silent
    TOUCH    asks for one cell after the other       -> DONE
    DONE     has final results
"""

from collections import deque
from collections.abc import Mapping
from enum import Enum
from statistics import fmean, median, pstdev

from hal.drivers.mpr121_registers import Reading
from hal.measuring import margins
from hal.measuring.margins import Charge, Margin, Noise, better_charge, fits
from hal.profile import Electrode, Tuning

INTERVAL_S = 0.025  # the interval of readings; chips that need longer for a result get longer

_SETTLE_S = 0.3
_CHARGE_SAMPLES = 8
_MOST_PASSES = 6
_EMPTY_SAMPLES = 60

_HOLD_SAMPLES = 12
_HOLD_S = 0.5
_LONGEST_HOLD_S = 3.0
_LIFT_SAMPLES = 3
_MORE = 1.5  # a touch after hovering has a fall larger by this factor
_FOLLOW = 1 / 64  # share of each reading in the empty level, which follows temperature and humidity

Readings = Mapping[Electrode, Reading]
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
                self._shares,
            )
            for spot, electrode in self._spots.items()
            if spot in self._noise
        )

    def go(self, readings: Readings, now: float) -> Tunings | None:
        """Begin to measure the empty board, unless a chip is silent or something touches it.

        If a second call finds the same spots touched, they count as empty: a chip may be wrong.
        """
        if self.phase is not CalibrationPhase.CLEAR:
            return None
        covered = tuple(s for s, e in self._spots.items() if e in readings and readings[e].touched)
        if self.absent or (covered and covered != self.covered):
            self.covered = covered
            return None
        self._passes = 0
        return self._enter(
            CalibrationPhase.EMPTY if self._settled else CalibrationPhase.CHARGE, now
        )

    def step(self, readings: Readings, now: float) -> Tunings | None:
        """Take readings of all spots; those of chips that are silent may be missing."""
        self.absent = frozenset(s for s, e in self._spots.items() if e not in readings)
        if self.phase in (CalibrationPhase.CHARGE, CalibrationPhase.EMPTY):
            return self._measure(readings, now)
        if self.phase is CalibrationPhase.TOUCH:
            self.presses.step(readings, now)
        return None

    def skip(self) -> None:
        """Skip the present spot; it keeps the thresholds of the profile."""
        if self.phase is CalibrationPhase.TOUCH:
            self.presses.skip()

    def back(self) -> None:
        if self.phase is CalibrationPhase.TOUCH:
            self.presses.back()

    def _enter(self, phase: CalibrationPhase, now: float) -> Tunings | None:
        self._phase = phase
        self.covered = ()
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
        if covered := tuple(s for s, each in samples.items() if margins.shifted(each)):
            self._enter(CalibrationPhase.CLEAR, now)
            self.covered = covered
            return None
        self._noise = {s: Noise(fmean(v), pstdev(v), max(v) - min(v)) for s, v in samples.items()}
        self.presses.begin(self._noise)
        return self._enter(CalibrationPhase.DONE if self._quick else CalibrationPhase.TOUCH, now)


class Hand(Enum):
    """What the hand at the present spot must do next."""

    TOUCH = "touch"
    HOLD = "hold"
    LIFT = "lift"


class Presses:
    """Asks for a touch of each spot in turn.

    A touch goes TOUCH -> HOLD -> LIFT, back to TOUCH when it was too short, and after LIFT comes
    the next spot.
    """

    def __init__(self, spots: Mapping[str, Electrode]) -> None:
        self.hand = Hand.TOUCH
        self.changes: dict[str, float | None] = {}
        """The fall of each touched spot, in order; None for skipped ones."""
        self.left_out: frozenset[str] = frozenset()
        """Spots that are left out, since no touch could be measured there."""
        self._spots = dict(spots)
        self._noise: Mapping[str, Noise] = {}
        self._levels: dict[str, float] = {}
        self._falls: deque[float] = deque(maxlen=_HOLD_SAMPLES)
        self._change = 0.0
        self._held_s = 0.0
        self._lifted = 0

    @property
    def asked(self) -> str | None:
        """The spot that must be touched or released; None when all are known."""
        done = self.changes.keys() | self.left_out
        return next((spot for spot in self._spots if spot not in done), None)

    def begin(self, noise: Mapping[str, Noise]) -> None:
        """Begin, with the noise of each empty spot."""
        self._noise = noise
        self.left_out = frozenset(spot for spot, each in noise.items() if not each.measurable)
        self._levels = {spot: each.mean for spot, each in noise.items()}
        self._rest()

    def skip(self) -> None:
        """Skip the present spot, or finish it where only its release is missing."""
        if self.asked is not None:
            self._next(self.asked, self._change if self.hand is Hand.LIFT else None)

    def back(self) -> None:
        if self.changes:
            self.changes.popitem()
            self._rest()

    def fall(self, spot: str, readings: Readings) -> float:
        """Return the fall of a spot's reading below empty; 0 while that is unknown."""
        electrode = self._spots[spot]
        if electrode not in readings or spot not in self._levels:
            return 0.0
        return self._levels[spot] - readings[electrode].raw

    def step(self, readings: Readings, now: float) -> None:
        """Take readings of all spots; those of chips that are silent may be missing."""
        asked = self.asked
        for spot in self._spots:
            fall = self.fall(spot, readings)
            if abs(fall) <= max(2.0, self._noise[spot].reach / 2):
                self._levels[spot] -= _FOLLOW * fall
        if asked is None or self._spots[asked] not in readings:
            return
        fall = self.fall(asked, readings)
        self._falls.append(fall)
        # The spot counts as touched from this fall on: its thresholds are not known yet.
        begins = max(4.0, self._noise[asked].reach + 1.0)
        match self.hand:
            case Hand.TOUCH:
                if fall >= begins:
                    self.hand, self._held_s = Hand.HOLD, now
                    self._falls.clear()
            case Hand.HOLD:
                if fall < begins:
                    self._rest()
                elif self._steady(asked, now - self._held_s):
                    self._change = median(self._falls)
                    self.hand = Hand.LIFT
            case Hand.LIFT:
                if median(self._falls) > _MORE * self._change and self._steady(asked, _HOLD_S):
                    self._change = median(self._falls)
                let_go = fall < max(begins, 0.4 * self._change)
                self._lifted = self._lifted + 1 if let_go else 0
                if self._lifted >= _LIFT_SAMPLES:
                    self._next(asked, self._change)

    def _steady(self, spot: str, held_s: float) -> bool:
        """Return whether a touch was held long and steadily enough, or for the longest time."""
        if len(self._falls) < _HOLD_SAMPLES or held_s < _HOLD_S:
            return False
        spread = max(self._falls) - min(self._falls)
        calm = max(0.3 * median(self._falls), self._noise[spot].reach + 4.0)
        return spread <= calm or held_s >= _LONGEST_HOLD_S

    def _next(self, spot: str, change: float | None) -> None:
        self.changes[spot] = change
        self._rest()

    def _rest(self) -> None:
        self.hand, self._lifted, self._change = Hand.TOUCH, 0, 0.0
        self._falls.clear()
