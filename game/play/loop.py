"""The real-time loop that steps a session, and the queue of what pages ask of it.

Owns the one thread that touches board, table and store, until it is stopped.
"""

import gc
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import Full
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")

LONGEST_WAIT_S = 0.5
"""Longest delay until `stop` is noticed."""
MAX_EACH = 128
"""Items of one source that may wait: more than a page may send in a second, so that none is
refused on a board that keeps up."""


class Stepping(Protocol):
    """An object that the loop steps: a session, or a replay."""

    def step(self, now: float) -> None:
        """Do everything that is due."""

    def due(self, now: float) -> float:
        """Return when the next step is due at the latest."""

    def wait(self, timeout_s: float) -> None:
        """Sleep until something may have changed, or the time-out."""


class StopFlag:
    """A flag without a lock, on which a signal handler would deadlock in `threading.Event.set`."""

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
    """Leave what is loaded out of garbage collections, which take 30 ms of all on a PC."""
    gc.collect()
    gc.freeze()


def run_loop(
    stepping: Stepping, stop: StopFlag, pulse: Callable[[float], None] | None = None
) -> None:
    """Step until `stop` is set; `pulse` gets the time after each step: proof that it is alive."""
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

    It must not wake the backend, inside whose wait it may run, with its lock held.
    """
    for each in signals:
        signal.signal(each, lambda *_: act())


def stop_on_signals(stop: StopFlag) -> None:
    """End the loop on SIGINT, SIGTERM and SIGHUP, which a closed terminal sends."""
    on_signals(stop.set, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class InputQueue(Generic[T]):
    """A queue with a line for each source; thread-safe."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[T]] = {}
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._lines)

    def put(self, item: T, source: str) -> None:
        """Add an item; raises `queue.Full` if MAX_EACH of its source wait already."""
        with self._lock:
            line = self._lines.setdefault(source, deque())
            if len(line) >= MAX_EACH:
                raise Full
            line.append(item)

    def take(self, most: int) -> list[T]:
        """Remove and return at most `most` items: one of each source in turn, oldest first."""
        taken: list[T] = []
        with self._lock:
            while self._lines and len(taken) < most:
                source, line = next(iter(self._lines.items()))
                taken.append(line.popleft())
                del self._lines[source]
                if line:
                    self._lines[source] = line
        return taken
