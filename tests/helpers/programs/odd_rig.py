"""Shared by tests of the computer player's process: an odd engine, a clock, and how to wait."""

import os
import select
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 60.0
"""Longest wait for a real process; reaching it is an error."""
ODD = Path(__file__).with_name("odd_engine.py")


class Rig:
    """A folder for an odd engine, an event that it sets, and a clock that a test moves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bell = Event()
        self.now = 1000.0

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
