"""The loop that reads the board, on real time.

Owns the one thread that touches board, table and store, until it is told to stop.
"""

import signal
import threading
import time
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


def run(session: Stepping, stop: threading.Event) -> None:
    """Step until `stop` is set; it is seen after the present wait."""
    while not stop.is_set():
        session.step(time.monotonic())
        now = time.monotonic()
        wait_s = session.due(now) - now
        if wait_s > 0:
            session.wait(min(wait_s, LONGEST_WAIT_S))


def stop_on_signals(stop: threading.Event) -> None:
    """End the loop on SIGINT, SIGTERM and SIGHUP, which a terminal that goes away sends.

    Must be called from the main thread.

    The backend is not woken: a handler runs inside the very wait it would have to wake, whose lock
    the thread may hold. The slow poll ends the wait soon enough.
    """

    def end(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGHUP, end)
