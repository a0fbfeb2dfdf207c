"""`lifeboard monitor`: what every cell measures, live on terminal and page, and into a trace.

Owns how readings are shown and when it ends. Must not change anything of the board.
"""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path
from textwrap import wrap

from game.app.workshop.instrument import Instrument, ToolOptions, open_instrument
from game.app.workshop.reading_table import table
from game.app.workshop.workshop import Action, CellNote, Sheet, hints
from hal.drivers.mpr121_registers import Reading
from hal.measuring.trace import Header, Traced, TraceWriter
from hal.profile import Electrode

INTERVAL_S = 0.1
BLOCK_S = 1.0
"""How often a whole table is written where it cannot be drawn over the last one."""

PATIENCE_S = 5.0
"""How long a recording waits for chips that have to find their charges."""

COLUMNS = ("raw", "baseline", "difference", "state")
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
    with ExitStack() as opened:
        # A name that cannot be written is told before the board is touched.
        writer = opened.enter_context(TraceWriter(options.record)) if options.record else None
        instrument = opened.enter_context(open_instrument(options.tool, time.monotonic))
        return Monitor(instrument, writer, options.seconds).run()


class Monitor:
    """Show the readings of one board that is open, and record them with a writer.

    A recording begins when it is known with what charge every electrode is measured, and `seconds`
    count from there.
    """

    def __init__(
        self,
        instrument: Instrument,
        writer: TraceWriter | None = None,
        seconds: float | None = None,
    ) -> None:
        self._instrument = instrument
        self._writer = writer
        self._seconds = seconds
        self._title = f"Monitor {instrument.profile.name}"
        self._block_due_s = 0.0
        self._samples = 0
        self._begun, self._full = False, False

    def run(self) -> int:
        """Go on until the end; give the exit status."""
        instrument = self._instrument
        began_s = due_s = self._block_due_s = instrument.clock()
        end_s = inf
        while not instrument.stopped() and instrument.workshop.asked() != STOP.name:
            readings, fault = instrument.read()
            now = instrument.clock()
            if end_s == inf and self._ready(now - began_s):
                end_s = inf if self._seconds is None else now + self._seconds
            if self._begun and self._writer is not None and not self._full:
                self._full = not self._writer.add(readings, now)
                self._samples += not self._full
            instrument.workshop.show(self._sheet(readings, fault, now))
            if now >= end_s:
                break
            # A board that is read more slowly is shown as fast as it can be.
            due_s = max(due_s + INTERVAL_S, now)
            instrument.rest(min(due_s, end_s))
        if self._writer is not None:
            instrument.workshop.say(self._outcome(self._writer))
        return 0

    def _ready(self, waited_s: float) -> bool:
        """Tell whether all has begun that should, and begin a trace when its charges are known."""
        if self._writer is None or self._begun:
            return True
        known = {
            spot: electrode
            for spot, electrode in self._instrument.spots.items()
            if self._charged(electrode.chip)
        }
        # A chip that does not answer must not hold up the others; without its charge its readings
        # mean nothing, so it is left out.
        if len(known) < len(self._instrument.spots) and waited_s < PATIENCE_S:
            return False
        if known:
            charge = self._instrument.charge
            traced = tuple(Traced(each, spot, charge(each)) for spot, each in known.items())
            self._writer.begin(Header(self._instrument.profile.name, INTERVAL_S, traced))
            self._begun = True
        return True

    def _charged(self, chip: str) -> bool:
        """Tell whether the charges of a chip are known, which it may have to find first."""
        tunings = self._instrument.settings.tunings
        return not self._instrument.profile.measuring.automatic or any(
            each.charge_ua for electrode, each in tunings.items() if electrode.chip == chip
        )

    def _outcome(self, writer: TraceWriter) -> str:
        if not self._begun:
            return "Nothing is recorded: the charges of the electrodes were not known in time."
        return f"Samples in {writer.path}: {self._samples}."

    def _sheet(self, readings: Mapping[Electrode, Reading], fault: str, now: float) -> Sheet:
        workshop = self._instrument.workshop
        lines: tuple[str, ...] = ()
        if workshop.live or now >= self._block_due_s:
            self._block_due_s = now + BLOCK_S
            top = self._top(fault)
            lines = (*top, *table(self._instrument.spots, readings, *self._room(len(top))))
        cells = {
            spot: self._note(electrode, readings.get(electrode))
            for spot, electrode in self._instrument.spots.items()
        }
        return Sheet(
            self._title, self._message(fault), cells, (STOP,), table=lines, columns=COLUMNS
        )

    def _top(self, fault: str) -> list[str]:
        """Write title, address and message in lines that fit; half an address helps no one."""
        workshop = self._instrument.workshop
        columns, _ = workshop.size
        count = f" Samples: {self._samples}." if self._begun else ""
        state = f"{self._message(fault)}{count} {hints((STOP,))}"
        title = f"{self._title}  {workshop.address}"
        if len(title) <= columns:
            heads = [title]
        else:
            heads = [each for each in (self._title, workshop.address) if len(each) <= columns]
        return [*heads, *wrap(state, columns, break_on_hyphens=False)]

    def _room(self, above: int) -> tuple[int, int]:
        columns, lines = self._instrument.workshop.size
        return columns, lines - above

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
        level = max(0.0, reading.fall / (2 * self._instrument.touch_threshold(electrode)))
        state = "touched" if reading.touched else "free"
        measured = tuple(map(str, (reading.raw, reading.baseline, reading.fall)))
        return CellNote(
            str(reading.raw), "touched" if reading.touched else "plain", level, (*measured, state)
        )
