"""A board in a maker's tools: its profile's report, measuring it, and `lifeboard monitor`."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path

from game.common import AppError, board_lock, board_memory, data_folder, text_table
from game.maker.display import Action, CellNote, ToolDisplay, ToolScreen
from game.play import StopFlag, choose_board, find_board, graph_of, stop_on_signals
from hal.backends.backend import Hands, Measurable
from hal.backends.registry import open_backend
from hal.drivers.mpr121_registers import Reading
from hal.profile import ELECTRODES, BoardMemory, Electrode, Profile, Tuning

INTERVAL_S = 0.1
_PRINT_S = 1.0  # how often the terminal gets a table
_ENTRIES = 3  # cells in a line of it

COLUMNS = ("raw", "baseline", "difference", "state")
STOP = Action("stop", "Stop", "q")

Clock = Callable[[], float]


def check_board(board: str) -> str:
    """Check a built-in board or a file, and count its parts; raises ProfileError."""
    profile = find_board(board)
    chips, pixels = len(profile.chips), profile.pixel_count
    spare = chips * ELECTRODES - len(electrodes_by_spot(profile))
    dark = sum(cell not in profile.pixels for cell in profile.cells)
    return (
        f"ok: {profile.name}: {len(profile.cells)} cells ({dark} without a pixel) on {chips} chips"
        f" ({spare} electrodes to spare), {pixels} pixels ({pixels - len(profile.pixels)} unused),"
        f" {len(profile.keys)} keys, {profile.sensing.mode} sensing"
    )


def show_board(board: str) -> str:
    """List the chips, cells and keys of a built-in board or a file; raises ProfileError."""
    profile = find_board(board)
    chips = [(chip.name, chip.place) for chip in profile.chips]
    spots = [
        (spot, str(pad), str(profile.pixels.get(spot, "none")))
        for spot, pad in electrodes_by_spot(profile).items()
    ]
    return "\n\n".join(
        [
            f"{profile.title}\n{check_board(board)}",
            text_table([("chip", "place"), *chips]),
            text_table([("cell", "electrode", "pixel"), *spots]),
        ]
    )


def electrodes_by_spot(profile: Profile) -> dict[str, Electrode]:
    """Return the electrodes of the cells, in the board's order, and of the keys."""
    graph = graph_of(profile)
    cells = {cell: profile.cells[cell] for cell in (graph.cells if graph else profile.cells)}
    keys = {name: key for name, key in profile.keys.items() if isinstance(key, Electrode)}
    return cells | keys


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """The command line of every tool; None for what is not given. `serial` is a Pico's port."""

    backend: str
    board: str | None
    port: int
    browser: bool
    data: Path | None
    serial: str | None = None


@dataclass(frozen=True, slots=True)
class MeasuredBoard:
    """Hold a board that can be measured, and the display that shows it.

    `spots` are the cells, in the board's order, and then the keys on electrodes. `memory` is the
    stored calibration. `settings` is a copy from which the chips are set up, and to which they
    add what they find. `clock` gives monotonic seconds.
    """

    profile: Profile
    spots: Mapping[str, Electrode]
    memory: BoardMemory
    settings: BoardMemory
    backend: Measurable
    display: ToolDisplay
    clock: Clock
    stopped: Callable[[], bool]

    def read(self) -> tuple[Mapping[Electrode, Reading], str]:
        """Measure all electrodes; return also the board's faults as text, "" for none."""
        now = self.clock()
        faults = self.backend.sense(now).faults
        return self.backend.readings(now), "; ".join(fault.detail for fault in faults)

    def rest(self, until_s: float) -> None:
        """Wait until a time, even if touches wake the backend earlier."""
        while not self.stopped() and (left_s := until_s - self.clock()) > 0:
            self.backend.wait(left_s)

    def touch_threshold(self, electrode: Electrode) -> int:
        """Return the fall in counts at which an electrode counts as touched."""
        own = self.settings.tunings.get(electrode, Tuning()).touch_threshold
        return self.profile.measuring.touch_threshold if own is None else own


@contextmanager
def writing(what: str, option: str) -> Iterator[None]:
    """Raise AppError where something cannot be written, with the option that names another file."""
    try:
        yield
    except OSError as error:
        raise AppError(
            f"{what} cannot be written: {error.strerror or error}; repair that, or choose another"
            f" place with {option}"
        ) from error


@contextmanager
def open_measured_board(options: ToolOptions, clock: Clock) -> Iterator[MeasuredBoard]:
    """Open the board of the options; raise AppError or HalError if it cannot be measured."""
    profile = choose_board(options.board, options.backend, options.serial)
    stop = StopFlag()
    stop_on_signals(stop)
    with ExitStack() as opened:
        folder = options.data or data_folder()
        opened.enter_context(board_lock(folder, profile, options.backend))
        memory = board_memory(folder, profile, options.backend)
        copy = BoardMemory()
        copy.tune(memory.tunings)
        copy.remember(memory.baselines)
        backend = open_backend(options.backend, profile, clock=clock, memory=copy)
        opened.enter_context(closing(backend))
        if not isinstance(backend, Measurable):
            raise AppError(f"backend {options.backend!r} cannot measure the electrodes of a board")
        hands = backend if isinstance(backend, Hands) else None
        terminal, spots = (sys.stdin, sys.stdout), electrodes_by_spot(profile)
        display = ToolDisplay(graph_of(profile), options.port, terminal, options.browser, hands)
        opened.enter_context(display)
        yield MeasuredBoard(profile, spots, memory, copy, backend, display, clock, stop.is_set)


def run_monitor(options: ToolOptions, seconds: float | None) -> int:
    """Show what every cell measures, live, until told to stop; return the exit status, 0.

    Raises AppError or HalError.
    """
    with open_measured_board(options, time.monotonic) as board:
        watch(board, inf if seconds is None else seconds)
    return 0


def watch(board: MeasuredBoard, seconds: float) -> None:
    """Show the readings of an open board for some seconds, or until told to stop."""
    title = f"Monitor {board.profile.name}"
    print_due_s = board.clock()
    end_s = print_due_s + seconds
    while not board.stopped() and board.display.asked() != STOP.name:
        readings, fault = board.read()
        now = board.clock()
        message = "Raw reading, baseline, difference, and # for a touch."
        message += f" Trouble: {fault}." if fault else ""
        cells = {
            spot: _note(readings.get(pad), board.touch_threshold(pad))
            for spot, pad in board.spots.items()
        }
        board.display.show(ToolScreen(title, message, cells, (STOP,), columns=COLUMNS))
        if now >= print_due_s:
            print_due_s = now + _PRINT_S
            board.display.say(table(cells))
        if now >= end_s:
            break
        board.rest(min(now + INTERVAL_S, end_s))


def _note(reading: Reading | None, touch_threshold: int) -> CellNote:
    """Show a reading; the bar is half full where a touch begins."""
    if reading is None:
        return CellNote("?", "dead", values=("", "", "", "silent"))
    level = max(0.0, reading.fall / (2 * touch_threshold))
    measured = tuple(map(str, (reading.raw, reading.baseline, reading.fall)))
    if reading.touched:
        return CellNote(str(reading.raw), "touched", level, (*measured, "touched"))
    return CellNote(str(reading.raw), "plain", level, (*measured, "free"))


def table(cells: Mapping[str, CellNote]) -> str:
    """Write the measurements of all cells for the terminal."""
    widest = max(map(len, cells))
    entries = []
    for spot, note in cells.items():
        raw, baseline, difference, state = note.values
        mark = {"touched": "#", "free": " "}.get(state, "silent")
        entries.append(f"{spot:<{widest}} {raw:>4} {baseline:>4} {difference:>4} {mark}")
    lines = range(0, len(entries), _ENTRIES)
    return "\n".join("  ".join(entries[at : at + _ENTRIES]).rstrip() for at in lines) + "\n"
