"""A board that is measured: how calibrate and monitor open it, read it, and name its electrodes.

Owns the opening and the pace of reading. What is measured must not reach what the board remembers
unless a tool says so: chips are set up from a copy of the memory.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from game.app import boards, loop
from game.app.carriers import WIRED
from game.app.data import board_lock, board_memory, data_folder
from game.app.errors import AppError
from game.app.fitting import graph_of
from game.app.workshop.workshop import Workshop
from hal.backend import Hands, Sensed, open_backend
from hal.drivers.mpr121_registers import Reading
from hal.light import Frame
from hal.measuring.charge import Charge
from hal.memory import BoardMemory, Tuning
from hal.profile import Electrode, Profile
from hal.wired import WiredBackend

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What the command line says to every tool that measures; None where it says nothing."""

    backend: str
    board: str | None
    port: int
    browser: bool
    data: Path | None
    serial: str | None = None


class Wired(Protocol):
    """Name what is used of a wired backend."""

    def sense(self, now: float) -> Sensed:
        """Let the board go on, and give what cannot be read."""
        ...

    def readings(self, now: float) -> Mapping[Electrode, Reading]:
        """Measure every electrode of every chip that works."""
        ...

    def tune(self, tunings: Mapping[Electrode, Tuning], now: float) -> None:
        """Set up all chips anew."""
        ...

    def light(self, frame: Frame) -> None:
        """Show final pixel levels."""
        ...

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until something may have changed, or the time-out."""
        ...


@dataclass(frozen=True, slots=True)
class Instrument:
    """Hold a board that can be measured, the workshop that shows it, and how to be stopped.

    `spots` are the cells, in the board's order, and then the keys on electrodes. `memory` is what
    the board has taught, and `settings` is the copy of it that the chips are set up from, with what
    they have found themselves. `clock` gives monotonic seconds.
    """

    profile: Profile
    spots: Mapping[str, Electrode]
    memory: BoardMemory
    settings: BoardMemory
    backend: Wired
    workshop: Workshop
    clock: Clock
    stopped: Callable[[], bool]

    def read(self) -> tuple[Mapping[Electrode, Reading], str]:
        """Measure all electrodes; give also what is wrong with the board, "" for nothing."""
        now = self.clock()
        faults = self.backend.sense(now).faults
        return self.backend.readings(now), "; ".join(fault.detail for fault in faults)

    def rest(self, until_s: float) -> None:
        """Let time pass; touches end the waiting of the backend, but not this one."""
        while not self.stopped() and (left_s := until_s - self.clock()) > 0:
            self.backend.wait(left_s)

    def charge(self, electrode: Electrode) -> Charge:
        """Give the charge with which an electrode is measured."""
        own, common = self.settings.tunings.get(electrode, Tuning()), self.profile.measuring
        return Charge(own.charge_ua or common.charge_ua, own.charge_us or common.charge_us)

    def touch_threshold(self, electrode: Electrode) -> int:
        """Give the fall in counts from which on an electrode is touched."""
        own = self.settings.tunings.get(electrode, Tuning()).touch_threshold
        return self.profile.measuring.touch_threshold if own is None else own


def spots_of(profile: Profile) -> dict[str, Electrode]:
    """Name the electrodes that feel something: cells in the board's order, then keys."""
    graph = graph_of(profile)
    cells = {cell: profile.cells[cell] for cell in (graph.cells if graph else profile.cells)}
    keys = {name: key for name, key in profile.keys.items() if isinstance(key, Electrode)}
    return cells | keys


@contextmanager
def open_instrument(options: ToolOptions, clock: Clock) -> Iterator[Instrument]:
    """Open the board that the options mean, until told to stop by a signal.

    Raises AppError or HalError where it cannot be measured.
    """
    profile = boards.choose(options.board, options.backend, options.serial)
    stop = loop.Flag()
    loop.stop_on_signals(stop)
    with ExitStack() as opened:
        folder = options.data or data_folder()
        opened.enter_context(board_lock(folder, profile, options.backend))
        memory = board_memory(folder, profile, options.backend)
        copy = BoardMemory()
        copy.tune(memory.tunings)
        copy.remember(memory.baselines)
        backend = open_backend(options.backend, profile, clock=clock, memory=copy)
        opened.enter_context(closing(backend))
        if not isinstance(backend, WiredBackend):
            allowed = ", ".join((*WIRED, "sim"))
            raise AppError(f"backend {options.backend!r} cannot be measured; allowed: {allowed}")
        hands = backend if isinstance(backend, Hands) else None
        workshop = opened.enter_context(
            Workshop(
                graph_of(profile),
                options.port,
                (sys.stdin, sys.stdout),
                options.browser,
                hands,
            )
        )
        yield Instrument(
            profile, spots_of(profile), memory, copy, backend, workshop, clock, stop.is_set
        )
