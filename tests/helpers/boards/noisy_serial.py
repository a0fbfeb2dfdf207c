"""A board on an emulated Pico whose serial line can be made bad: it flips bits and loses frames."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

from hal.backends.backend import Clock
from hal.backends.coprocessor.port import Port
from tests.helpers.boards.fake_line import FakeLine, Noise
from tests.helpers.pico.backend import EmulatedCoprocessor

_FRAMES = re.compile(rb"\n?[^\n]+\n{4}|[^\n]+\n")


class NoisySerial:
    """A port that spoils what goes through it."""

    def __init__(self, port: Port, line: FakeLine, live: Callable[[], None]) -> None:
        self._port = port
        self._live = live
        self._line = line
        self._coming = b""

    def read(self) -> bytes:
        self._coming += self._port.read()
        frames = list(_FRAMES.finditer(self._coming))
        if frames:
            self._coming = self._coming[frames[-1].end() :]
        return self._spoilt([frame.group() for frame in frames])

    def write(self, data: bytes) -> None:
        data = self._spoilt(_FRAMES.findall(data))
        if data:
            self._port.write(data)

    def wait(self, timeout_s: float) -> None:
        self._port.wait(timeout_s)
        self._live()

    def close(self) -> None:
        self._port.close()

    @property
    def waiting(self) -> bool:
        return bool(getattr(self._port, "waiting", False))

    def _spoilt(self, frames: list[bytes]) -> bytes:
        for frame in frames:
            self._line.put(frame, 0)
        return self._line.take(1)


class NoisyCoprocessor(EmulatedCoprocessor):
    """Carry a board on an emulated Pico, through `line`, which is sound at first."""

    def __init__(self, *args: Any, clock: Clock, **hardware: Any) -> None:
        self.line = FakeLine(Noise(), Random(1))
        self._time = clock
        super().__init__(*args, clock=clock, **hardware)

    def _open_port(self, url: str, on_input: Callable[[], None]) -> Any:
        return NoisySerial(super()._open_port(url, on_input), self.line, self._live)

    def _live(self) -> None:
        """Let hands move while the host waits for an answer."""
        if hasattr(self, "hands"):
            self.pico.settle(self.hands.advance(self._time()))
