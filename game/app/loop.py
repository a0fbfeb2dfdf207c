"""The loop that reads the board, on real time.

Owns the one thread that touches board, table and store, until it is told to stop.
"""

import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Protocol

LONGEST_WAIT_S = 0.5
"""How long `stop` may go unseen."""


class Stepping(Protocol):
    """What the loop runs: a session, or the replay of a game."""

    def step(self, now: float) -> None:
        """Do all that is to be done now."""
        ...

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""
        ...

    def wait(self, timeout_s: float) -> None:
        """Sleep until something may have changed, or the time-out."""
        ...


class Flag:
    """Is set or not; unlike an event of `threading` it has no lock.

    A signal may come while the same thread sets an event, and its handler would then wait for
    ever for the lock that this thread holds.
    """

    def __init__(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        """Tell whether it is set."""
        return self._set

    def set(self) -> None:
        """Set it, from any thread or signal handler."""
        self._set = True

    def clear(self) -> None:
        """Set it no longer."""
        self._set = False


class Stopping(Protocol):
    """What tells the loop to stop."""

    def is_set(self) -> bool:
        """Tell whether it is to stop."""
        ...


def run(stepping: Stepping, stop: Stopping, pulse: Callable[[float], None] | None = None) -> None:
    """Step until `stop` is set; it is seen after the present wait.

    `pulse` is called after each step with the time, in monotonic seconds, and from nowhere else:
    what it tells is true of this loop.
    """
    while not stop.is_set():
        stepping.step(time.monotonic())
        now = time.monotonic()
        if pulse is not None:
            pulse(now)
        wait_s = stepping.due(now) - now
        if wait_s > 0 and not stop.is_set():
            stepping.wait(min(wait_s, LONGEST_WAIT_S))


def on_signals(act: Callable[[], object], *signals: signal.Signals) -> None:
    """Do something on signals, on the main thread, from which this must be called.

    A handler must not wake the backend: it runs inside the very wait that it would have to wake,
    whose lock the thread may hold. The slow poll ends the wait soon enough.
    """

    def heard(_signal: int, _frame: FrameType | None) -> None:
        act()

    for each in signals:
        signal.signal(each, heard)


def stop_on_signals(stop: Flag) -> None:
    """End the loop on SIGINT, SIGTERM and SIGHUP, which a terminal that goes away sends."""
    on_signals(stop.set, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
