"""Calibration from readings alone: charges, noise, touches, thresholds, and what goes wrong."""

from dataclasses import astuple
from random import Random

import pytest

from hal.drivers.mpr121_registers import Reading
from hal.measuring import CalibrationPhase, Calibrator, Charge, Hand, Margin, Verdict
from hal.measuring.margins import LOWEST_COUNTS, TARGET_COUNTS, TOP_COUNTS, Noise, shifted
from hal.profile import Electrode, Tuning
from hal.sim.chip import counts

START = Charge(16, 0.5)
CELLS = ("a1", "a2", "b1", "b2")
QUIET = Noise(600.0, 0.5, 2)


class Bench:
    """A board of four cells as its chips would read it, and the hand that touches it."""

    def __init__(self) -> None:
        self.spots = {cell: Electrode("A", at) for at, cell in enumerate(CELLS)}
        self.empty_pf = dict.fromkeys(CELLS, 9.0)
        self.touch_pf = dict.fromkeys(CELLS, 0.0)
        self.charges = dict.fromkeys(CELLS, START)
        self.flagged: set[str] = set()
        self.silent: set[str] = set()
        self.now = 0.0
        self.tuned: list[dict[Electrode, Tuning]] = []
        self.calibrator = Calibrator(self.spots, START, 0.004, quick=False)
        self._random = Random(5)

    def readings(self) -> dict[Electrode, Reading]:
        return {
            electrode: Reading(self._raw(cell), 600, cell in self.flagged)
            for cell, electrode in self.spots.items()
            if cell not in self.silent
        }

    def _raw(self, cell: str) -> int:
        ideal = self.ideal(cell, self.empty_pf[cell] + self.touch_pf[cell])
        return max(0, min(1023, round(ideal + self._random.gauss(0.0, 0.5))))

    def ideal(self, cell: str, capacitance_pf: float) -> float:
        return counts(*astuple(self.charges[cell]), capacitance_pf)

    def go(self) -> None:
        self._tune(self.calibrator.go(self.readings(), self.now))

    def run(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.now += self.calibrator.interval_s
            self._tune(self.calibrator.step(self.readings(), self.now))

    def until(self, phase: CalibrationPhase) -> None:
        for _ in range(2000):
            if self.calibrator.phase is phase:
                return
            self.run()
        raise AssertionError(f"{self.calibrator.phase}, not {phase}")

    def touch(self, cell: str) -> None:
        self.touch_pf[cell] = 1.6
        self.run(40)
        self.touch_pf[cell] = 0.0
        self.run(10)

    def result(self, cell: str) -> Margin:
        return next(each for each in self.calibrator.results if each.spot == cell)

    def _tune(self, tunings: dict[Electrode, Tuning] | None) -> None:
        if tunings:
            self.tuned.append(tunings)
            for cell, electrode in self.spots.items():
                tuning = tunings[electrode]
                self.charges[cell] = Charge(tuning.charge_ua, tuning.charge_us)


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def asking(bench):
    """Return a bench that was measured empty and now asks for touches."""
    bench.go()
    bench.until(CalibrationPhase.TOUCH)
    return bench


def test_noisy_readings_are_told_from_moved_ones():
    rng = Random(1)
    noisy = [600 + round(rng.gauss(0, 8)) for _ in range(60)]
    assert not shifted(noisy)
    assert not shifted([600] * 60)
    assert shifted([600] * 40 + [580] * 20)
    assert shifted([round(rng.gauss(600 if at < 20 else 560, 2)) for at in range(60)])
    assert shifted([600 - at // 4 for at in range(60)])


def test_verdicts_name_what_is_wrong():
    def verdict(noise=QUIET, charge=START, change=40.0):
        return Margin("e5", Electrode("A", 0), noise, charge, change).verdict

    assert verdict() is Verdict.GOOD
    still = Noise(600, 0.1, 1)
    assert verdict(noise=still, change=12.0) is Verdict.GOOD
    assert verdict(noise=still, change=11.9) is Verdict.WEAK
    assert verdict(noise=Noise(600, 2.0, 10)) is Verdict.WEAK
    assert verdict(change=None) is Verdict.EMPTY
    assert verdict(noise=Noise(TOP_COUNTS, 0.0, 0)) is Verdict.RANGE
    assert verdict(noise=Noise(LOWEST_COUNTS - 1, 0.0, 0)) is Verdict.RANGE
    assert verdict(noise=Noise(TOP_COUNTS, 0.0, 0), charge=None, change=None) is Verdict.EMPTY


def test_whole_calibration_gives_charges_baselines_and_thresholds(bench):
    bench.empty_pf |= {"a2": 14.0, "b1": 3.0}
    bench.go()
    bench.until(CalibrationPhase.TOUCH)
    assert len(bench.tuned) <= 3
    for cell in CELLS:
        assert bench.calibrator.asked == cell
        bench.touch(cell)
    assert bench.calibrator.phase is CalibrationPhase.DONE
    assert [each.spot for each in bench.calibrator.results] == list(CELLS)
    for each in bench.calibrator.results:
        expected = bench.ideal(each.spot, bench.empty_pf[each.spot])
        touched = bench.ideal(each.spot, bench.empty_pf[each.spot] + 1.6)
        assert each.verdict is Verdict.GOOD
        assert each.baseline == pytest.approx(expected, abs=1)
        assert each.baseline == pytest.approx(TARGET_COUNTS, rel=0.13)
        assert each.change == pytest.approx(expected - touched, abs=2)
        assert each.charge == bench.charges[each.spot]
        touch, release = each.tuning.touch_threshold, each.tuning.release_threshold
        assert touch == pytest.approx(0.27 * each.change, abs=1)
        assert release == pytest.approx(0.8 * touch, abs=1)


def test_touch_while_the_empty_board_is_measured_begins_it_anew(bench):
    bench.go()
    bench.until(CalibrationPhase.EMPTY)
    bench.run(10)
    bench.touch_pf["b1"] = 1.6
    bench.until(CalibrationPhase.CLEAR)
    assert bench.calibrator.covered == ("b1",)
    assert bench.calibrator.results == ()
    bench.touch_pf["b1"] = 0.0
    bench.go()
    bench.until(CalibrationPhase.TOUCH)


def test_touched_board_is_measured_when_it_is_said_twice_to_be_empty(bench):
    bench.flagged = {"b2"}
    bench.go()
    assert bench.calibrator.phase is CalibrationPhase.CLEAR
    assert bench.calibrator.covered == ("b2",)
    bench.go()
    bench.until(CalibrationPhase.TOUCH)


def test_silent_chip_stops_the_measuring_and_is_named(bench):
    bench.silent = {"a1"}
    bench.run()
    bench.go()
    assert bench.calibrator.phase is CalibrationPhase.CLEAR
    assert bench.calibrator.absent == {"a1"}
    bench.silent = set()
    bench.run()
    bench.go()
    bench.until(CalibrationPhase.EMPTY)
    bench.silent = {"b1"}
    bench.run()
    assert bench.calibrator.phase is CalibrationPhase.CLEAR
    assert bench.calibrator.absent == {"b1"}


def test_hand_that_hovers_is_measured_by_its_touch_and_cells_are_skipped_and_asked_again(asking):
    asking.calibrator.back()
    assert asking.calibrator.asked == "a1"
    asking.touch_pf["a1"] = 0.2
    asking.run(40)
    assert asking.calibrator.presses.hand is Hand.LIFT
    asking.touch("a1")
    full = asking.ideal("a1", 9.0) - asking.ideal("a1", 10.6)
    assert asking.result("a1").change == pytest.approx(full, abs=2)
    asking.calibrator.skip()
    assert asking.calibrator.asked == "b1"
    asking.calibrator.back()
    assert asking.calibrator.asked == "a2"
    asking.calibrator.back()
    assert asking.calibrator.asked == "a1"
    for _ in CELLS:
        asking.calibrator.skip()
    assert asking.calibrator.phase is CalibrationPhase.DONE
    assert {each.verdict for each in asking.calibrator.results} == {Verdict.EMPTY}
    assert asking.result("a1").tuning.touch_threshold is None
    assert asking.result("a1").tuning.charge_ua is not None


def test_empty_level_follows_slow_drift_while_cells_are_touched(asking):
    for _ in range(1500):
        asking.empty_pf["a1"] += 0.0002
        asking.run()
    assert asking.calibrator.asked == "a1"
    assert asking.calibrator.presses.hand is Hand.TOUCH
    assert abs(asking.calibrator.presses.fall("a1", asking.readings())) < 4
