"""`lifeboard calibrate`: finds charge, noise, baseline and thresholds of every cell of a board."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from game.common import text_table
from game.maker.board import STOP, MeasuredBoard, ToolOptions, open_measured_board, writing
from game.maker.display import Action, CellNote, ToolScreen
from hal.base.files import write_whole
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
ANYWAY = Action("anyway", "Nothing is there: go on", "a")
SKIP = Action("skip", "Skip it", "s")
BACK = Action("back", "Back", "b")

_SHOW_S = 0.1
_FULL_COUNTS = 60  # the fall that fills a cell's bar
_PROBE = bytes(16_384)  # more than the file of the largest board
_COLUMNS: Mapping[str, Callable[[Margin], str]] = {
    "cell": lambda it: it.spot,
    "pad": lambda it: str(it.electrode),
    "baseline": lambda it: str(it.baseline),
    "noise": lambda it: f"{it.noise.reach:.1f}",
    "change": lambda it: "-" if it.change is None else f"{it.change:.1f}",
    "SNR": lambda it: "-" if it.snr is None else f"{it.snr:.1f}",
    "thresholds": lambda it: (
        f"{it.tuning.touch_threshold}/{it.tuning.release_threshold}"
        if it.tuning.touch_threshold
        else "-"
    ),
    "charge": lambda it: "" if it.charge is None else str(it.charge),
    "verdict": lambda it: it.verdict.value,
}
_LEFT = {"cell", "pad", "charge", "verdict"}
_QUICK = {"cell", "pad", "baseline", "noise"}
_MOST_NAMED = 8
_NAMES = {
    Verdict.WEAK: "weak",
    Verdict.CROSSED: "felt through others",
    Verdict.RANGE: "not measurable",
    Verdict.EMPTY: "not touched",
}


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
        shares = STONE_SHARES if board.profile.sensing.mode == "presence" else FINGER_SHARES
        self.calibrator = Calibrator(board.spots, start, period_s, quick=quick, shares=shares)
        self._lit = ""
        self._message_shown, self._shown_s = "", 0.0

    def run(self) -> int:
        """Run until the end; return the exit status."""
        board, calibrator = self._board, self.calibrator
        if board.memory.path is not None:
            probe(board.memory.path)
        while calibrator.phase is not CalibrationPhase.DONE:
            readings, fault = board.read()
            now = board.clock()
            tunings = calibrator.step(readings, now)
            asked = board.display.asked()
            if asked == STOP.name or board.stopped():
                board.display.say("Stopped: nothing is changed.")
                return 1
            # An action that is not offered now does nothing.
            if asked in (GO.name, ANYWAY.name):
                anyway = asked == ANYWAY.name
                tunings = calibrator.go(readings, now, anyway=anyway) or tunings
            elif asked == SKIP.name:
                calibrator.skip()
            elif asked == BACK.name:
                calibrator.back()
            if tunings is not None:
                board.backend.tune(tunings, now)
            self._light()
            self._show(readings, fault, now)
            board.rest(now + calibrator.interval_s)
        self._keep(calibrator.results)
        return 0

    def _keep(self, results: tuple[Margin, ...]) -> None:
        memory, display = self._board.memory, self._board.display
        table = margin_table(results, quick=self._quick)
        for line in (*table, legend(quick=self._quick), *self._advice(results)):
            display.say(line)
        # A cell that cannot be measured now keeps its former values.
        good = [each for each in results if each.verdict is not Verdict.RANGE]
        if self._quick:
            summary = f"{len(results)} baselines are measured."
            # A baseline is valid only with the charge that the chip has found for it.
            found = self._board.settings.tunings
            memory.tune({pad: each for pad, each in found.items() if pad not in memory.tunings})
        else:
            summary = verdict_line(results)
            memory.tune({each.electrode: each.tuning for each in good})
        memory.remember({each.electrode: each.baseline for each in good})
        saved = " Nothing of it could be kept."
        try:
            with writing(f"board file {memory.path}", "--data"):
                memory.save()
            saved = f" Kept in {memory.path}." if memory.path else ""
        finally:
            cells = {each.spot: _result_note(each, quick=self._quick) for each in results}
            display.show(ToolScreen(self._title, summary + saved, cells))

    def _advice(self, results: tuple[Margin, ...]) -> list[str]:
        if not self._quick:
            return advice(results)
        threshold = self._board.touch_threshold
        noisy = [each.spot for each in results if each.noise.reach >= threshold(each.electrode)]
        return [f"{named(noisy)}: noise alone can be felt as a touch."] if noisy else []

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

    def _show(self, readings: Mapping[Electrode, Reading], fault: str, now: float) -> None:
        """Show a new message at once, and numbers as fast as people can read."""
        calibrator, presses = self.calibrator, self.calibrator.presses
        if calibrator.phase is CalibrationPhase.DONE:
            return  # the results are shown next
        message = self._message() + (f" Trouble: {fault}." if fault else "")
        if message == self._message_shown and now < self._shown_s + _SHOW_S:
            return
        self._message_shown, self._shown_s = message, now
        actions: tuple[Action, ...] = (STOP,)
        progress, spots, known = None, self._board.spots, dict[str, Margin]()
        if calibrator.phase is CalibrationPhase.CLEAR:
            actions = (GO, ANYWAY, STOP) if calibrator.covered else (GO, STOP)
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
        asked, profile, presses = calibrator.asked or "", self._board.profile, calibrator.presses
        stones = profile.sensing.mode == "presence" and asked in profile.cells
        if presses.hand is Hand.LIFT:
            return f"{asked} is measured: " + ("take the stone away." if stones else "let go.")
        glows = ", where it glows," if asked in profile.pixels else ""
        what = f"Set a stone on {asked}{glows}" if stones else f"Touch {asked}{glows}"
        until = " and leave it" if stones else " and hold"
        request = f"{what}{until} until {'the light goes out' if glows else 'told otherwise'}."
        mistaken = f" What is touched now is {presses.mistaken}." if presses.mistaken else ""
        return request + mistaken

    def _note(
        self, spot: str, readings: Mapping[Electrode, Reading], known: Margin | None
    ) -> CellNote:
        """Show a reading, or a touch once the `known` noise of the spot is measured."""
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
            note = _result_note(known, quick=False)
            return CellNote(note.text, note.state, level)
        return CellNote("", "plain", level)


def probe(path: Path) -> None:
    """Raise AppError if a board file cannot be written; only its folder is made."""
    beside = path.with_name(f"{path.name}.probe")
    with writing(f"board file {path}", "--data"):
        write_whole(beside, _PROBE)
        beside.unlink()


def _result_note(result: Margin, *, quick: bool) -> CellNote:
    """Show a result: the signal-to-noise ratio, or the baseline where there is none."""
    if quick:
        return CellNote(str(result.baseline), "done")
    if result.verdict is Verdict.RANGE:
        return CellNote("none", "dead")
    if result.snr is None:
        return CellNote("skip", "plain")
    return CellNote(f"{result.snr:.1f}", "done" if result.verdict is Verdict.GOOD else "weak")


def margin_table(results: Sequence[Margin], *, quick: bool) -> list[str]:
    """Write one line a cell under a line of titles; without touches fewer columns."""
    columns = {title: write for title, write in _COLUMNS.items() if not quick or title in _QUICK}
    rows = [tuple(columns), *(tuple(write(it) for write in columns.values()) for it in results)]
    return text_table(rows, columns.keys() - _LEFT).splitlines()


def legend(*, quick: bool) -> str:
    """Explain the columns."""
    noise = "Counts of the chip's reading. noise: peak to peak, or six sigma if that is more."
    if quick:
        return noise
    return (
        f"{noise}\nSNR: change by a touch over noise; {LEAST_SNR:g} is good."
        " thresholds: touched above, let go below."
    )


def advice(results: Sequence[Margin]) -> list[str]:
    """Explain for each weak cell what is wrong and what helps, and list cells not touched."""
    fine = (Verdict.GOOD, Verdict.EMPTY)
    lines = [_advice_on(each) for each in results if each.verdict not in fine]
    skipped = [each.spot for each in results if each.verdict is Verdict.EMPTY]
    if skipped:
        lines.append(
            f"{named(skipped)}: not touched, so the thresholds of the profile stay in force."
        )
    return lines


def verdict_line(results: Sequence[Margin]) -> str:
    """Count the good cells, and name the others."""
    good = sum(each.verdict is Verdict.GOOD for each in results)
    parts = [f"{good} of {len(results)} are good"]
    for verdict, name in _NAMES.items():
        if spots := [each.spot for each in results if each.verdict is verdict]:
            parts.append(f"{name}: {named(spots)}")
    return "; ".join(parts) + "."


def named(spots: Sequence[str]) -> str:
    """Join names; of many only the first ones."""
    more = len(spots) - _MOST_NAMED
    return ", ".join(spots[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _advice_on(each: Margin) -> str:
    where = f"{each.spot} ({each.electrode})"
    if each.verdict is Verdict.RANGE:
        charge, fault = "smallest", "a broken wire or joint"
        if each.noise.mean < 400:
            charge, fault = "largest", "a short to ground or to a neighbour"
        return f"{where}: reads {each.baseline} with the {charge} charge: look for {fault}."
    if each.verdict is Verdict.CROSSED:
        return (
            f"{where}: changes by {each.echo:.0f} while another is touched, and is felt from"
            f" {each.tuning.touch_threshold} on: keep its wire away from the others, or put"
            " ground between them."
        )
    if each.change is not None and each.change < LEAST_CHANGE:
        return (
            f"{where}: a touch changes it by {each.change:.0f}, and {LEAST_CHANGE} is the least:"
            " thinner cover, larger pad, shorter wire, no ground right under it."
        )
    return (
        f"{where}: noise of {each.noise.reach:.0f} against a change of {each.change:.0f}:"
        " better supply and ground, wires away from the strip's, or a longer second_filter in the"
        " profile."
    )
