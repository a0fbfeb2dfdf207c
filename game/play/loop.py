"""The real-time loop that steps a session: the one thread that touches board, table and store."""

import gc
import signal
import time
from collections.abc import Callable
from typing import Protocol

LONGEST_WAIT_S = 0.5  # Longest delay until `stop` is noticed


class Stepping(Protocol):
    """An object that the loop steps: a session, or a replay."""

    def step(self, now: float) -> None:
        """Do everything that is due."""

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""

    def wait(self, timeout_s: float) -> None:
        """Sleep until something may have changed, or the time-out."""


class StopFlag:
    """A flag without a lock: `threading.Event.set` could deadlock in a signal handler."""

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
    """Exclude loaded objects from garbage collections, which take 30 ms with them on a PC."""
    gc.collect()
    gc.freeze()


def run_loop(
    stepping: Stepping, stop: StopFlag, pulse: Callable[[float], None] | None = None
) -> None:
    """Step until `stop` is set; `pulse` gets the time after each step, as proof of life."""
    while not stop.is_set():
        stepping.step(time.monotonic())
        now = time.monotonic()
        if pulse is not None:
            pulse(now)
        wait_s = stepping.due(now) - now
        if wait_s > 0 and not stop.is_set():
            stepping.wait(min(wait_s, LONGEST_WAIT_S))


def on_signals(act: Callable[[], object], *signals: signal.Signals) -> None:
    """Call `act` on these signals, on the main thread.

    It may run inside the backend's wait, which holds a lock, so it must not wake the backend.
    """
    for each in signals:
        signal.signal(each, lambda *_: act())


def stop_on_signals(stop: StopFlag) -> None:
    """End the loop on SIGINT, SIGTERM and SIGHUP, which a closed terminal sends."""
    on_signals(stop.set, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
