"""The firmware and a host's port to it, with a bad line between them, in virtual time."""

import re
from random import Random

from firmware.framing import MARK, MOST_LINE, ROUGH_MARKS
from firmware.run import Loop
from tests.helpers.boards.fake_line import FakeLine, Noise
from tests.helpers.boards.pico_double import ChipDouble, PicoDouble

_FRAMES = re.compile(rb"\n?[^\n]+\n{4}|[^\n]+\n")
_PULL_MS = 4


class WaitingPico(PicoDouble):
    """A Pico that hangs in the reading of a line until its mark comes, as a real one does.

    Only on a line that `loop` holds for a rough one the first bytes are read singly.
    """

    loop: Loop

    @property
    def hangs(self) -> bool:
        size = len(self._input)
        return self._singly < size < MOST_LINE and MARK not in self._input[self._singly :]

    @property
    def _singly(self) -> int:
        return ROUGH_MARKS - 1 if self.loop.rough(self.time_ms) else 0

    def wait(self, timeout_ms: int) -> bool:
        if not self._input:
            super().wait(timeout_ms)
        return bool(self._input) and not self.hangs

    def read_line(self) -> bytes:
        size = self._input.find(MARK, self._singly) + 1 or len(self._input)
        line = bytes(self._input[: min(size, MOST_LINE)])
        del self._input[: len(line)]
        return line

    def hang(self) -> None:
        """Let a millisecond pass in which the firmware does nothing."""
        self._pass(1)


class NoisyPort:
    """The host's port: time passes while it waits, and only then does the Pico run."""

    def __init__(self, pico: WaitingPico, noise: Noise, seed: int) -> None:
        chance = Random(seed)
        self.pico = pico
        self.loop = pico.loop = Loop(pico)
        self.down, self.up = FakeLine(noise, chance), FakeLine(noise, chance)
        pico.start_watchdog()

    def now(self) -> float:
        """Give the time, in seconds."""
        return self.pico.time_ms / 1000

    def read(self) -> bytes:
        return self.up.take(self.pico.time_ms)

    def write(self, data: bytes) -> None:
        for frame in _FRAMES.findall(data):
            self.down.put(frame, self.pico.time_ms)
        if (due := self.down.due()) is not None:
            self.pico.at(due, self._deliver)

    def wait(self, timeout_s: float) -> None:
        end_ms = self.pico.time_ms + max(1, round(1000 * timeout_s))
        while self.pico.time_ms < end_ms:
            if self.pico.hangs:
                self.pico.hang()
            else:
                self.loop.turn()
            for frame in _FRAMES.findall(bytes(self.pico.written)):
                self.up.put(frame, self.pico.time_ms)
            self.pico.written.clear()
            due_ms = self.up.due()
            if due_ms is not None and due_ms <= self.pico.time_ms:
                return

    def close(self) -> None:
        pass

    def _deliver(self) -> None:
        data = self.down.take(self.pico.time_ms)
        if data:
            self.pico.type(data)


class Hand:
    """A hand over the chips of a Pico, which pull the interrupt line when they feel it."""

    def __init__(self, pico: PicoDouble, chips: list[ChipDouble], line: int) -> None:
        self.touches: list[tuple[int, int]] = []
        self._pico = pico
        self._chips = chips
        self._line = line

    def touch(self, chip: int, electrode: int, at_ms: int, for_ms: int) -> None:
        """Plan to touch an electrode for some time."""
        self.touches.append((chip, electrode))
        self._pico.at(at_ms, lambda: self._change(chip, 1 << electrode))
        self._pico.at(at_ms + for_ms, lambda: self._change(chip, 0))

    def _change(self, chip: int, bits: int) -> None:
        self._chips[chip].touch(bits)
        self._pico.low.add(self._line)
        self._pico.at(self._pico.time_ms + _PULL_MS, lambda: self._pico.low.discard(self._line))
