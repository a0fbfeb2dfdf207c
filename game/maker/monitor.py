"""`lifeboard monitor`: shows what every cell measures, live, and records it as a trace.

Must not change anything of the board.
"""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path
from textwrap import wrap

from game.maker.display import Action, CellNote, ToolScreen, hints
from game.maker.measured_board import MeasuredBoard, ToolOptions, open_measured_board
from hal.drivers.reading import Reading
from hal.measuring.trace import TraceWriter
from hal.profile import Electrode

INTERVAL_S = 0.1
_PRINT_S = 1.0  # how often the terminal gets a table
_CHARGE_S = 5.0  # how long a recording waits for chips that have to find their charges
_GAP = "  "
_MAX_NAME = 6  # letters of a name in the terminal's table

COLUMNS = ("raw", "baseline", "difference", "state")
STOP = Action("stop", "Stop", "q")


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorOptions(ToolOptions):
    """The command line: `record` names a new file, `seconds` limit the time."""

    record: Path | None
    seconds: float | None


def monitor(options: MonitorOptions) -> int:
    """Show readings until told to stop; give the exit status, 0.

    Raises AppError, HalError, TraceError when the trace cannot be written.
    """
    with ExitStack() as opened:
        # First, so that a file that cannot be written is reported before the board is touched.
        writer = opened.enter_context(TraceWriter(options.record)) if options.record else None
        board = opened.enter_context(open_measured_board(options, time.monotonic))
        return Monitor(board, writer, options.seconds).run()


class Monitor:
    """Show the readings of one board that is open, and record them with a writer.

    A recording begins, and `seconds` count, when the charge of every electrode is known.
    """

    def __init__(
        self,
        board: MeasuredBoard,
        writer: TraceWriter | None = None,
        seconds: float | None = None,
    ) -> None:
        self._board = board
        self._writer = writer
        self._seconds = seconds
        self._title = f"Monitor {board.profile.name}"
        self._print_due_s = 0.0
        self._samples = 0
        self._begun, self._full = False, False

    def run(self) -> int:
        """Run until the end; give the exit status."""
        board = self._board
        began_s = due_s = self._print_due_s = board.clock()
        end_s = inf
        while not board.stopped() and board.display.asked() != STOP.name:
            readings, fault = board.read()
            now = board.clock()
            if end_s == inf and self._ready(now - began_s):
                end_s = inf if self._seconds is None else now + self._seconds
            if self._begun and self._writer is not None and not self._full:
                self._full = not self._writer.add(readings, now)
                self._samples += not self._full
            board.display.show(self._screen(readings, fault, now))
            if now >= end_s:
                break
            # A board that takes longer to read is shown as fast as possible.
            due_s = max(due_s + INTERVAL_S, now)
            board.rest(min(due_s, end_s))
        if self._writer is not None:
            board.display.say(self._outcome(self._writer))
        return 0

    def _ready(self, waited_s: float) -> bool:
        """Tell whether the time counts; begin a trace when its charges are known."""
        if self._writer is None or self._begun:
            return True
        known = {
            spot: electrode
            for spot, electrode in self._board.spots.items()
            if self._charged(electrode.chip)
        }
        # A chip that does not answer must not delay the others. Its readings would mean nothing
        # without its charge, so it is left out.
        if len(known) < len(self._board.spots) and waited_s < _CHARGE_S:
            return False
        if known:
            self._writer.begin(self._board.profile.name, INTERVAL_S, known, self._board.charge)
            self._begun = True
        return True

    def _charged(self, chip: str) -> bool:
        """Tell whether the charges of a chip are known, which it may have to find first."""
        tunings = self._board.settings.tunings
        return not self._board.profile.measuring.automatic or any(
            each.charge_ua for electrode, each in tunings.items() if electrode.chip == chip
        )

    def _outcome(self, writer: TraceWriter) -> str:
        if not self._begun:
            return "Nothing is recorded: the charges of the electrodes were not known in time."
        return f"Samples in {writer.path}: {self._samples}."

    def _screen(self, readings: Mapping[Electrode, Reading], fault: str, now: float) -> ToolScreen:
        board, message = self._board, self._message(fault)
        lines: list[str] = []
        if now >= self._print_due_s:
            self._print_due_s = now + _PRINT_S
            columns, height = board.display.size
            title = f"{self._title}  {board.display.address}"
            lines = [title] if len(title) <= columns else [self._title, board.display.address]
            count = f" Samples: {self._samples}." if self._begun else ""
            lines += wrap(f"{message}{count} {hints((STOP,))}", columns, break_on_hyphens=False)
            lines += table(board.spots, readings, columns, height - len(lines))
        cells = {
            spot: self._note(electrode, readings.get(electrode))
            for spot, electrode in board.spots.items()
        }
        return ToolScreen(self._title, message, cells, (STOP,), table=tuple(lines), columns=COLUMNS)

    def _message(self, fault: str) -> str:
        recorded = ""
        if self._writer is not None:
            recorded = f", recorded in {self._writer.path.name}"
            if not self._begun:
                recorded = "; recording begins when the chips have found their charges"
        full = ", which is full" if self._full else ""
        trouble = f" Trouble: {fault}." if fault else ""
        return f"Readings of all cells{recorded}{full}.{trouble}"

    def _note(self, electrode: Electrode, reading: Reading | None) -> CellNote:
        """Show a reading; the bar is half full where a touch begins."""
        if reading is None:
            return CellNote("?", "dead", values=("", "", "", "silent"))
        level = max(0.0, reading.fall / (2 * self._board.touch_threshold(electrode)))
        state = "touched" if reading.touched else "free"
        measured = tuple(map(str, (reading.raw, reading.baseline, reading.fall)))
        return CellNote(
            str(reading.raw), "touched" if reading.touched else "plain", level, (*measured, state)
        )


def table(
    spots: Mapping[str, Electrode], readings: Mapping[Electrode, Reading], width: int, height: int
) -> list[str]:
    """Write cells in columns, downward, under their titles; the last line counts those left out.

    Each has raw reading, baseline (if there is room), the fall below it, and "#" while touched.
    """
    names = max((len(spot[:_MAX_NAME]) for spot in spots), default=0)
    for title in (" raw base diff ", " raw diff "):
        entry = names + 1 + len(title) + len(_GAP)
        columns = max(1, (width + len(_GAP)) // entry)
        rows = -(-len(spots) // columns)
        if rows < height:
            break
    else:
        rows = max(1, height - 2)
    entries = [
        f"{spot[:_MAX_NAME]:<{names}} {_entry(readings.get(electrode), title)}"
        for spot, electrode in list(spots.items())[: rows * columns]
    ]
    titles = [f"{'':<{names}} {title}"] * -(-len(entries) // max(rows, 1))
    lines = [_GAP.join(titles).rstrip()]
    lines += [_GAP.join(entries[row::rows]).rstrip() for row in range(rows)]
    if left_out := len(spots) - len(entries):
        lines.append(f"... and {left_out} more; a larger window shows them.")
    return lines


def _entry(reading: Reading | None, title: str) -> str:
    if reading is None:
        return "silent".center(len(title))
    baseline = f"{reading.baseline:4} " if "base" in title else ""
    return f"{reading.raw:4} {baseline}{reading.fall:4}{'#' if reading.touched else ' '}"
