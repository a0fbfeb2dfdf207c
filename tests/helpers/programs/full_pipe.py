"""A full pipe that does not block, and is read only when its writer waits for room."""

import os
import select
from contextlib import suppress

import pytest


class FullPipe:
    """`target` is the end to write to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._source, self.target = os.pipe()
        self._read = b""
        self._select = select.select
        os.set_blocking(self._source, False)
        os.set_blocking(self.target, False)
        with suppress(BlockingIOError):
            while True:
                os.write(self.target, bytes(4096))
        monkeypatch.setattr(select, "select", self._wait)

    def _wait(self, readable: list[int], writable: list[int], *more: object) -> object:
        if writable:
            self.drain()
        return self._select(readable, writable, *more)

    def drain(self) -> bytes:
        """Read what is in the pipe now, and return all that was written after it was full."""
        with suppress(BlockingIOError):
            while piece := os.read(self._source, 1 << 16):
                self._read += piece
        return self._read.lstrip(b"\0")
