"""A board that calibrate and monitor measure: opening it, reading it, naming its electrodes."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from game.common import AppError, board_lock, board_memory, data_folder
from game.maker.display import ToolDisplay
from game.play import StopFlag, choose_board, graph_of, stop_on_signals
from hal.backends.backend import Hands, Measurable
from hal.backends.registry import open_backend
from hal.drivers.mpr121_registers import Reading
from hal.profile import BoardMemory, Electrode, Profile, Tuning

Clock = Callable[[], float]


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
    stored calibration. `settings` is a copy from which the chips are set up, with what they have
    found themselves. `clock` gives monotonic seconds.
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


def electrodes_by_spot(profile: Profile) -> dict[str, Electrode]:
    """Return the electrodes of the cells, in the board's order, and of the keys."""
    graph = graph_of(profile)
    cells = {cell: profile.cells[cell] for cell in (graph.cells if graph else profile.cells)}
    keys = {name: key for name, key in profile.keys.items() if isinstance(key, Electrode)}
    return cells | keys


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
