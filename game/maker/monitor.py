"""`lifeboard monitor`: shows what every cell measures, live."""

import time
from collections.abc import Mapping
from math import inf
from textwrap import wrap

from game.maker.display import Action, CellNote, ToolScreen, hints
from game.maker.measured_board import MeasuredBoard, ToolOptions, open_measured_board
from hal.drivers.mpr121_registers import Reading
from hal.profile import Electrode

INTERVAL_S = 0.1
_PRINT_S = 1.0  # how often the terminal gets a table
_GAP = "  "
_MAX_NAME = 6  # letters of a name in the terminal's table

COLUMNS = ("raw", "baseline", "difference", "state")
STOP = Action("stop", "Stop", "q")


def run_monitor(options: ToolOptions, seconds: float | None) -> int:
    """Show readings until told to stop; return the exit status, 0. Raises AppError, HalError."""
    with open_measured_board(options, time.monotonic) as board:
        watch(board, inf if seconds is None else seconds)
    return 0


def watch(board: MeasuredBoard, seconds: float) -> None:
    """Show the readings of an open board for some seconds, or until told to stop."""
    title = f"Monitor {board.profile.name}"
    due_s = print_due_s = board.clock()
    end_s = due_s + seconds
    while not board.stopped() and board.display.asked() != STOP.name:
        readings, fault = board.read()
        now = board.clock()
        message = "Readings of all cells." + (f" Trouble: {fault}." if fault else "")
        lines: list[str] = []
        if now >= print_due_s:
            print_due_s = now + _PRINT_S
            lines = _printed(board, title, message, readings)
        cells = {
            spot: _note(readings.get(pad), board.touch_threshold(pad))
            for spot, pad in board.spots.items()
        }
        board.display.show(
            ToolScreen(title, message, cells, (STOP,), table=tuple(lines), columns=COLUMNS)
        )
        if now >= end_s:
            break
        # A board that takes longer to read is shown as fast as possible.
        due_s = max(due_s + INTERVAL_S, now)
        board.rest(min(due_s, end_s))


def _note(reading: Reading | None, touch_threshold: int) -> CellNote:
    """Show a reading; the bar is half full where a touch begins."""
    if reading is None:
        return CellNote("?", "dead", values=("", "", "", "silent"))
    level = max(0.0, reading.fall / (2 * touch_threshold))
    measured = tuple(map(str, (reading.raw, reading.baseline, reading.fall)))
    if reading.touched:
        return CellNote(str(reading.raw), "touched", level, (*measured, "touched"))
    return CellNote(str(reading.raw), "plain", level, (*measured, "free"))


def _printed(
    board: MeasuredBoard, title: str, message: str, readings: Mapping[Electrode, Reading]
) -> list[str]:
    """Write what the terminal shows."""
    (columns, height), address = board.display.size, board.display.address
    lines = [f"{title}  {address}"] if len(title + address) + 2 <= columns else [title, address]
    lines += wrap(f"{message} {hints((STOP,))}", columns, break_on_hyphens=False)
    return lines + table(board.spots, readings, columns, height - len(lines))


def table(
    spots: Mapping[str, Electrode], readings: Mapping[Electrode, Reading], width: int, height: int
) -> list[str]:
    """Write cells in columns, downward, under titles; the last line counts those left out."""
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
