"""`lifeboard monitor`: what every cell measures, live on terminal and page, and into a trace.

Owns how readings are shown and when it ends. Must not change anything of the board.
"""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from game.app.workshop.instrument import Instrument, ToolOptions, open_instrument
from game.app.workshop.reading_table import table
from game.app.workshop.workshop import Action, CellNote, Sheet
from hal.drivers.mpr121 import Reading
from hal.measuring.trace import Header, Traced, TraceWriter
from hal.profile import Electrode

INTERVAL_S = 0.1
BLOCK_S = 1.0
"""How often a whole table is written where it cannot be drawn over the last one."""

STOP = Action("stop", "Stop", "q")


@dataclass(frozen=True, slots=True)
class MonitorOptions:
    """What the command line says: `record` names a new file, `seconds` end it by themselves."""

    tool: ToolOptions
    record: Path | None
    seconds: float | None


def monitor(options: MonitorOptions) -> int:
    """Show readings until told to stop; give the exit status, 0.

    Raises AppError, HalError, TraceError when the trace cannot be written.
    """
    with open_instrument(options.tool, time.monotonic) as instrument:
        return Monitor(instrument, options.record, options.seconds).run()


class Monitor:
    """Show the readings of one board that is open, and record them."""

    def __init__(
        self, instrument: Instrument, record: Path | None = None, seconds: float | None = None
    ) -> None:
        self._instrument = instrument
        self._record = record
        self._seconds = seconds
        self._title = f"Monitor {instrument.profile.name}"
        self._block_due_s = 0.0
        self._samples = 0
        self._full = False

    def run(self) -> int:
        """Go on until the end; give the exit status."""
        instrument = self._instrument
        end_s = None if self._seconds is None else instrument.clock() + self._seconds
        due_s = self._block_due_s = instrument.clock()
        with ExitStack() as opened:
            writer = self._writer(opened)
            while not instrument.stopped() and instrument.workshop.asked() != STOP.name:
                readings, fault = instrument.read()
                now = instrument.clock()
                if writer is not None and not self._full:
                    self._full = not writer.add(readings, now)
                    self._samples += not self._full
                instrument.workshop.show(self._sheet(readings, fault, now))
                if end_s is not None and now >= end_s:
                    break
                # A board that is read more slowly is shown as fast as it can be.
                due_s = max(due_s + INTERVAL_S, now)
                instrument.rest(due_s if end_s is None else min(due_s, end_s))
        if self._record is not None:
            instrument.workshop.say(f"Samples in {self._record}: {self._samples}.")
        return 0

    def _writer(self, opened: ExitStack) -> TraceWriter | None:
        if self._record is None:
            return None
        electrodes = tuple(
            Traced(electrode, spot, self._instrument.charge(electrode))
            for spot, electrode in self._instrument.spots.items()
        )
        header = Header(self._instrument.profile.name, INTERVAL_S, electrodes)
        return opened.enter_context(TraceWriter(self._record, header))

    def _sheet(self, readings: Mapping[Electrode, Reading], fault: str, now: float) -> Sheet:
        workshop = self._instrument.workshop
        lines: tuple[str, ...] = ()
        if workshop.live or now >= self._block_due_s:
            self._block_due_s = now + BLOCK_S
            count = f" Samples: {self._samples}." if self._record else ""
            state = f"{self._message(fault)}{count} ({STOP.key}: {STOP.label.lower()})"
            top = [f"{self._title}  {workshop.address}", state]
            lines = (*top, *table(self._instrument.spots, readings, *self._room(len(top))))
        cells = {
            spot: self._note(electrode, readings.get(electrode))
            for spot, electrode in self._instrument.spots.items()
        }
        return Sheet(self._title, self._message(fault), cells, (STOP,), table=lines)

    def _room(self, above: int) -> tuple[int, int]:
        columns, lines = self._instrument.workshop.size
        return columns, lines - above

    def _message(self, fault: str) -> str:
        recorded = f", recorded in {self._record.name}" if self._record else ""
        full = ", which is full" if self._full else ""
        trouble = f" Trouble: {fault}." if fault else ""
        return f"Readings of all cells{recorded}{full}.{trouble}"

    def _note(self, electrode: Electrode, reading: Reading | None) -> CellNote:
        """Show a reading; the bar is half full where a touch begins."""
        if reading is None:
            return CellNote("?", "dead")
        level = max(0.0, reading.fall / (2 * self._instrument.touch_threshold(electrode)))
        return CellNote(str(reading.raw), "touched" if reading.touched else "plain", level)
