"""The real-time loop that steps a session.

Owns the one thread that touches board, table and store, until it is stopped.
"""

import gc
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Protocol

LONGEST_WAIT_S = 0.5
"""Longest delay until `stop` is noticed."""


class Stepping(Protocol):
    """An object that the loop steps: a session, or a replay."""

    def step(self, now: float) -> None:
        """Do everything that is due."""

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""

    def wait(self, timeout_s: float) -> None:
        """Sleep until something may have changed, or the time-out."""


class StopFlag:
    """A flag without a lock, unlike `threading.Event`.

    A signal handler that runs in the middle of `Event.set` on the same thread would deadlock on its
    lock.
    """

    def __init__(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        """Set it, from any thread or signal handler."""
        self._set = True

    def clear(self) -> None:
        self._set = False


def spare_what_is_loaded() -> None:
    """Leave all that is in memory now out of later garbage collections.

    A collection over all modules would stop the board for 30 ms on a PC.
    """
    gc.collect()
    gc.freeze()


def run_loop(
    stepping: Stepping, stop: StopFlag, pulse: Callable[[float], None] | None = None
) -> None:
    """Step until `stop` is set; it is noticed after the present wait.

    `pulse` is called after each step with the time, in monotonic seconds, and from nowhere else: it
    proves that this loop is alive.
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
    """Call `handler` on these signals; must be called on the main thread.

    A handler must not wake the backend: it runs inside the wait that it would wake, whose lock the
    thread may hold. The loop notices the flag within LONGEST_WAIT_S.
    """

    def handler(_signal: int, _frame: FrameType | None) -> None:
        act()

    for each in signals:
        signal.signal(each, handler)


def stop_on_signals(stop: StopFlag) -> None:
    """End the loop on SIGINT, SIGTERM and SIGHUP, which a closed terminal sends."""
    on_signals(stop.set, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
