"""The line of pixels on a pin of an emulated Pico, driven by one of its PIO state machines.

Owns when the line is driven, rests, and makes the pixels latch. Must not know how a state machine
works (`tests.helpers.pico.pio`), nor what the pixels make of bits (`hal.sim.pixels`). Time comes in
as whole microseconds.
"""

import time
from math import ceil

from hal.drivers.ws2812 import LATCH_US
from hal.sim.pixels import PixelChain
from tests.helpers.boards.pixel_receiver import SK6812, WS2812B_V5, PixelReceiver, PixelTiming
from tests.helpers.pico.pio import Program, StateMachine, clock_hz, whole_bytes


class EmulatedPioStrip:
    """Pixels on a line; `latched` is what they show.

    Frames that break the data sheet's times are not shown: `refused` counts them, `refusal` says
    why. `busy_s` is the time that all frames took on the line, `emulated_s` the time that the
    emulation took, `frames` counts those that the pixels took. While `gone`, the pixels have
    neither power nor line.
    """

    def __init__(self, pin: int, pixels: int, order: str, sheet: PixelTiming | None = None) -> None:
        self.pin = pin
        self.busy_s = 0.0
        self.emulated_s = 0.0
        self.frames = 0
        self.gone = False
        self.sheet = sheet or (SK6812 if "W" in order else WS2812B_V5)
        self.chain = PixelChain(pixels, order)
        self.refused = 0
        self.refusal = ""
        self._pixels = pixels
        self._machines: dict[int, _Driver] = {}
        self._wired: _Driver | None = None

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """The colours that the pixels show."""
        return self.chain.latched

    def reset(self) -> None:
        """Stop all state machines, as a reset of the Pico does; the pixels keep what they show."""
        self._machines.clear()
        self._wired = None

    def set_up(self, number: int, program: Program, wanted_hz: int) -> None:
        """Load a program into a state machine."""
        self._machines[number] = _Driver(program, self.pin, clock_hz(wanted_hz), self.sheet)

    def activate(self, number: int, mode: int) -> None:
        """Stop (0) or start (1) a state machine."""
        driver = self._machines[number]
        driver.active = mode == 1
        if driver.active:
            self._wired = driver

    def feed(self, number: int, words: tuple[int, ...], now_us: int) -> int:
        """Put words into a FIFO as fast as it takes them; return when the last is in, in us."""
        began = time.perf_counter()
        driver = self._machines[number]
        self.settle(now_us)
        feeding = driver.feed(words, now_us)
        if words and not self.gone:
            self._show(driver)
        self.busy_s += driver.spent_s
        driver.spent_s = 0.0
        self.emulated_s += time.perf_counter() - began
        return feeding

    def settle(self, now_us: int) -> None:
        """Let the line rest up to a time."""
        if self._wired is not None and self._wired.rest(now_us) and not self.gone:
            self._show(self._wired)

    def unplug(self) -> None:
        """Disconnect the pixels: they are dark."""
        self.gone = True
        self.chain = PixelChain(self._pixels, self.chain.order)

    def plug(self) -> None:
        """Reconnect them."""
        self.gone = False

    def _show(self, driver: "_Driver") -> None:
        for frame in driver.take():
            self.chain.receive(frame)
            self.frames += 1
        if driver.receiver.refused:
            self.refused += driver.receiver.refused
            self.refusal = driver.receiver.refusal
            driver.receiver.refused = 0


class _Driver:
    """A state machine and its output so far."""

    def __init__(self, program: Program, pin: int, hz: float, sheet: PixelTiming) -> None:
        self.machine = StateMachine(program, pin)
        self.receiver = PixelReceiver(sheet, hz)
        self.active = False
        self.spent_s = 0.0
        self._depth = program.depth
        self._clock_us = 1e6 / hz
        # Up to when, in us, output was taken, and the remaining levels of less than a byte.
        self._heard_us = 0.0
        self._rest = ""
        self._frames: list[bytes] = []
        self._pulls_us: list[float] = []

    def feed(self, words: tuple[int, ...], now_us: int) -> int:
        """Run the words, from now on or after earlier ones; return when the last is in, in us."""
        self._pulls_us = [each for each in self._pulls_us if each > now_us]
        if words and not self.active:
            raise ValueError("words for a state machine that does not run wait for ever")
        if words:
            start = max(self._heard_us, float(now_us))
            run = self.machine.feed(words)
            packed, self._rest = whole_bytes(self._rest + run.levels)
            self._frames += self.receiver.receive(packed)
            self._pulls_us += [start + each * self._clock_us for each in run.pulls]
            self._heard_us = start + len(run.levels) * self._clock_us
            self.spent_s = len(run.levels) * self._clock_us / 1e6
        waiting = len(self._pulls_us)
        done = self._pulls_us[-1 - self._depth] if waiting > self._depth else now_us
        return ceil(done)

    def rest(self, now_us: int) -> bool:
        """Let the line rest up to a time; tell whether that can have completed a frame."""
        quiet_us = now_us - self._heard_us
        if quiet_us < LATCH_US:
            return False
        padding = -len(self._rest) % 8
        level = str(self.machine.level)
        packed, self._rest = whole_bytes(self._rest + level * padding)
        self._frames += self.receiver.receive(packed)
        if self.machine.level:
            self._frames += self.receiver.receive(b"\xff" * 8)
        else:
            self._frames += self.receiver.rest(quiet_us / 1e6)
        return True

    def take(self) -> list[bytes]:
        """Return the frames that the pixels received since the last call."""
        frames, self._frames = self._frames, []
        return frames
