"""`lifeboard calibrate`: finds charge, noise, baseline and thresholds of every cell of a board."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from game.common import text_table
from game.maker.board import STOP, MeasuredBoard, ToolOptions, open_measured_board, writing
from game.maker.display import Action, CellNote, ToolScreen
from hal.drivers.mpr121_registers import Reading
from hal.lights import DARK, WHITE, correct
from hal.measuring import (
    FINGER_SHARES,
    LEAST_CHANGE,
    LEAST_SNR,
    STONE_SHARES,
    CalibrationPhase,
    Calibrator,
    Charge,
    Hand,
    Margin,
    Verdict,
)
from hal.profile import Electrode

GO = Action("go", "Go on", "")
SKIP = Action("skip", "Skip it", "s")
BACK = Action("back", "Back", "b")

_SHOW_S = 0.1
_FULL_COUNTS = 60  # the fall that fills a cell's bar
_COLUMNS: Mapping[str, Callable[[Margin], str]] = {
    "cell": lambda it: it.spot,
    "pad": lambda it: str(it.electrode),
    "baseline": lambda it: str(it.baseline),
    "noise": lambda it: f"{it.noise.reach:.1f}",
    "change": lambda it: "-" if it.change is None else f"{it.change:.1f}",
    "SNR": lambda it: "-" if it.snr is None else f"{it.snr:.1f}",
    "touch": lambda it: str(it.tuning.touch_threshold or "-"),
    "release": lambda it: str(it.tuning.release_threshold or "-"),
    "charge": lambda it: str(it.charge or "-"),
    "verdict": lambda it: it.verdict.value,
}
_LEFT = {"cell", "pad", "charge", "verdict"}
_LEGEND = (
    "Counts of the chip's reading. noise: peak to peak, or six sigma if that is more."
    f"\nSNR: change by a touch over noise; {LEAST_SNR:g} is good."
    " touch, release: thresholds: touched above, let go below."
)
_ADVICE = {
    Verdict.WEAK: (
        f"a touch changes it by less than {LEAST_CHANGE}, or too little for its noise: thinner"
        " cover, larger pad, shorter wire, no ground right under it; better supply and ground,"
        " wires away from the strip's, or a longer second_filter in the profile"
    ),
    Verdict.RANGE: (
        "no charge fits it: look for a broken wire or joint where it reads high, and for a short to"
        " ground or to a neighbour where it reads low"
    ),
    Verdict.EMPTY: "not touched, so the thresholds of the profile stay in force",
}
_MOST_NAMED = 8


def run_calibrate(options: ToolOptions, *, quick: bool) -> int:
    """Calibrate; return 0 when all is measured, 1 when stopped; raises HalError or AppError."""
    with open_measured_board(options, time.monotonic) as board:
        return Calibration(board, quick=quick).run()


class Calibration:
    """Calibrate one board that is open; `quick` measures noise and baselines only."""

    def __init__(self, board: MeasuredBoard, *, quick: bool) -> None:
        self._board = board
        self._quick = quick
        self._title = f"Calibrate {board.profile.name}" + (", quickly" if quick else "")
        measuring = board.profile.measuring
        period_s = measuring.second_filter * measuring.interval_ms / 1000
        # The right charge is found from any start.
        start = Charge(measuring.charge_ua, measuring.charge_us)
        shares = STONE_SHARES if board.profile.sensing.stones else FINGER_SHARES
        self.calibrator = Calibrator(board.spots, start, period_s, quick=quick, shares=shares)
        self._lit = ""
        self._shown_s = 0.0

    def run(self) -> int:
        """Run until the end; return the exit status."""
        board, calibrator = self._board, self.calibrator
        while calibrator.phase is not CalibrationPhase.DONE:
            readings, fault = board.read()
            now = board.clock()
            tunings = calibrator.step(readings, now)
            asked = board.display.asked()
            if asked == STOP.name or board.stopped():
                board.display.say("Stopped: nothing is changed.")
                return 1
            # An action that is not offered now does nothing.
            if asked == GO.name:
                tunings = calibrator.go(readings, now) or tunings
            elif asked == SKIP.name:
                calibrator.skip()
            elif asked == BACK.name:
                calibrator.back()
            if tunings is not None:
                board.backend.tune(tunings, now)
            self._light()
            # Numbers change no faster than people can read.
            if now >= self._shown_s + _SHOW_S:
                self._shown_s = now
                self._show(readings, fault)
            board.rest(now + calibrator.interval_s)
        self._keep(calibrator.results)
        return 0

    def _keep(self, results: tuple[Margin, ...]) -> None:
        memory, display = self._board.memory, self._board.display
        display.say(f"{margin_table(results)}\n{_LEGEND}")
        # A cell that cannot be measured now keeps its former values.
        good = [each for each in results if each.verdict is not Verdict.RANGE]
        if self._quick:
            said = [f"{len(results)} baselines are measured."]
            # A baseline is valid only with the charge that the chip has found for it.
            found = self._board.settings.tunings
            memory.tune({pad: each for pad, each in found.items() if pad not in memory.tunings})
        else:
            count = sum(each.verdict is Verdict.GOOD for each in results)
            said = [f"{count} of {len(results)} are good.", *advice(results)]
            memory.tune({each.electrode: each.tuning for each in good})
        memory.remember({each.electrode: each.baseline for each in good})
        with writing(f"board file {memory.path}", "--data"):
            memory.save()
        if memory.path:
            said.insert(1, f"Kept in {memory.path}.")
        cells = {each.spot: _result_note(each) for each in results}
        display.show(ToolScreen(self._title, " ".join(said), cells))

    def _light(self) -> None:
        profile, hand = self._board.profile, self.calibrator.presses.hand
        asked = self.calibrator.asked or ""
        lit = asked if asked in profile.pixels and hand is not Hand.LIFT else ""
        if lit == self._lit:
            return
        self._lit = lit
        glows = profile.pixels.get(lit)
        frame = tuple(WHITE if n == glows else DARK for n in range(profile.pixel_count))
        self._board.backend.light(correct(frame, profile.power))

    def _show(self, readings: Mapping[Electrode, Reading], fault: str) -> None:
        calibrator, presses = self.calibrator, self.calibrator.presses
        if calibrator.phase is CalibrationPhase.DONE:
            return  # the results are shown next
        message = self._message() + (f" Trouble: {fault}." if fault else "")
        actions: tuple[Action, ...] = (STOP,)
        progress, spots, known = None, self._board.spots, dict[str, Margin]()
        if calibrator.phase is CalibrationPhase.CLEAR:
            actions = (GO, STOP)
        elif calibrator.phase is CalibrationPhase.TOUCH:
            actions = (SKIP, BACK, STOP)
            progress = len(presses.changes), len(spots) - len(presses.left_out)
            known = {each.spot: each for each in calibrator.results}
        cells = {spot: self._note(spot, readings, known.get(spot)) for spot in spots}
        self._board.display.show(ToolScreen(self._title, message, cells, actions, progress))

    def _message(self) -> str:
        calibrator = self.calibrator
        match calibrator.phase:
            case CalibrationPhase.CLEAR:
                clear = "Take everything off the board, keep hands away, and go on."
                if calibrator.absent:
                    silent = named([s for s in self._board.spots if s in calibrator.absent])
                    return f"{silent}: their chips do not answer. See to them, and go on."
                if calibrator.covered:
                    return f"{named(calibrator.covered)}: something is there, or was. {clear}"
                return clear
            case CalibrationPhase.CHARGE:
                return "Finding the charge of each cell: keep hands away."
            case CalibrationPhase.EMPTY:
                return "Measuring noise and baselines: keep hands away."
        asked, profile = calibrator.asked or "", self._board.profile
        if calibrator.presses.hand is Hand.LIFT:
            return f"{asked} is measured: let go, or take the stone away."
        stones = profile.sensing.stones and asked in profile.cells
        glows = ", where it glows," if asked in profile.pixels else ""
        if stones:
            return f"Set a stone on {asked}{glows} and leave it."
        return f"Touch {asked}{glows} and hold."

    def _note(
        self, spot: str, readings: Mapping[Electrode, Reading], known: Margin | None
    ) -> CellNote:
        """Show a spot's raw reading; or, once its noise is `known`, how its touch is measured."""
        presses, reading = self.calibrator.presses, readings.get(self._board.spots[spot])
        if reading is None:
            return CellNote("?", "dead")
        if known is None:
            covered = reading.touched or spot in self.calibrator.covered
            return CellNote(str(reading.raw), "touched" if covered else "plain")
        level = max(0.0, presses.fall(spot, readings) / _FULL_COUNTS)
        if spot == self.calibrator.asked:
            lifts = presses.hand is Hand.LIFT
            return CellNote("ok" if lifts else "touch", "done" if lifts else "asked", level)
        if spot in presses.changes or spot in presses.left_out:
            return replace(_result_note(known), level=level)
        return CellNote("", "plain", level)


def _result_note(result: Margin) -> CellNote:
    """Show a result: the signal-to-noise ratio, or the baseline where there is none."""
    if result.verdict is Verdict.RANGE:
        return CellNote("none", "dead")
    if result.snr is None:
        return CellNote(str(result.baseline))
    return CellNote(f"{result.snr:.1f}", "done" if result.verdict is Verdict.GOOD else "weak")


def margin_table(results: Sequence[Margin]) -> str:
    """Write one line a cell under a line of titles."""
    rows = [tuple(write(each) for write in _COLUMNS.values()) for each in results]
    return text_table([tuple(_COLUMNS), *rows], _COLUMNS.keys() - _LEFT)


def advice(results: Sequence[Margin]) -> list[str]:
    """Say for each verdict but good which cells have it, and what helps."""
    lines = []
    for verdict, text in _ADVICE.items():
        if spots := [each.spot for each in results if each.verdict is verdict]:
            lines.append(f"{named(spots)}: {text}.")
    return lines


def named(spots: Sequence[str]) -> str:
    """Join names; of many only the first ones."""
    more = len(spots) - _MOST_NAMED
    return ", ".join(spots[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
