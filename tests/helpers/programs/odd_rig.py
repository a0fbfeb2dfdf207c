"""Shared by tests of the computer player's process: an odd engine, a clock, and how to wait."""

import asyncio
import os
import select
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import Event
from typing import TypeVar

import pytest

T = TypeVar("T")
PATIENCE_S = 60.0
"""Longest wait for a real process; reaching it is an error."""
ODD = Path(__file__).with_name("odd_engine.py")


class Rig:
    """A folder for an odd engine, and an event that is set when there is something to poll."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bell = Event()

    def command(self, *behaviours: str) -> list[str]:
        return [sys.executable, "-I", "-S", str(ODD), str(self.folder), *behaviours]

    def until(self, find: Callable[[], T | None]) -> T:
        """Check again at each event, until something is found."""
        while True:
            self.bell.clear()
            found = find()
            if found:
                return found
            assert self.bell.wait(PATIENCE_S), "nothing comes"

    @property
    def pids(self) -> list[int]:
        """The processes that were started, in order."""
        return [int(line) for line in self._lines("starts")]

    @property
    def heard(self) -> list[str]:
        """All lines that the engine was told."""
        return self._lines("heard")

    def _lines(self, name: str) -> list[str]:
        file = self.folder / name
        return file.read_text().splitlines() if file.exists() else []


class ClockedRig(Rig):
    """A rig with a clock that a test moves, for all event loops that are made after it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder)
        self.now = 1000.0
        self._loops: list[asyncio.AbstractEventLoop] = []
        make = asyncio.new_event_loop

        def make_clocked() -> asyncio.AbstractEventLoop:
            loop = make()
            monkeypatch.setattr(loop, "time", lambda: self.now)
            self._loops.append(loop)
            return loop

        monkeypatch.setattr(asyncio, "new_event_loop", make_clocked)

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for loop in self._loops:
            with suppress(RuntimeError):  # it is closed
                loop.call_soon_threadsafe(lambda: None)

    @property
    def due_s(self) -> float:
        """How long until the next timer of a loop runs out."""
        timers = [timer for loop in self._loops for timer in list(loop._scheduled)]
        when = min((timer.when() for timer in timers if not timer.cancelled()), default=inf)
        return round(when - self.now, 6)

    def wait_out(self, seconds: float) -> None:
        """Wait for a timer of so many seconds, and let it run out."""
        self.until_due(seconds)
        self.advance(seconds)

    def until_due(self, seconds: float) -> None:
        """Wait until the next timer is one of so many seconds."""
        wait_until(lambda: self.due_s == seconds)


def wait_until(find: Callable[[], object]) -> None:
    """Wait for what sets no event."""
    end = time.monotonic() + PATIENCE_S
    while not find():
        assert time.monotonic() < end, "nothing comes"
        Event().wait(0.005)


def wait_for_end(pid: int) -> None:
    """Wait until a process has ended, or fail."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([process], [], [], PATIENCE_S)[0], f"process {pid} lives on"
    finally:
        os.close(process)
