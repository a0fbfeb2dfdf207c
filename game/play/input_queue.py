"""Requests of pages that the board's thread has not handled yet.

Owns the limit for each source and the order: sources take turns, so that a flooding one delays only
itself. Must not know what is requested.
"""

import threading
from collections import deque
from queue import Full
from typing import Generic, TypeVar

T = TypeVar("T")

MAX_EACH = 128
"""Items of one source that may wait: more than a page may send in a second, so that none is
refused on a board that keeps up."""


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
                source = next(iter(self._lines))
                line = self._lines.pop(source)
                taken.append(line.popleft())
                if line:
                    self._lines[source] = line
        return taken
