"""An emulated Raspberry Pi Pico: real MicroPython above emulated chips, pins, pixels and USB.

Owns its time. Host and firmware share the host's clock, in lock-step: `settle` runs the firmware up
to now, with the body, and all durations are in this time only. Must not know what the firmware is.
Not thread-safe, except `live`.
"""

import select
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from hal.backends.backend import Clock
from hal.backends.coprocessor.flash import firmware_files
from hal.profile import Profile
from hal.sim.body import Body
from hal.sim.hands import Move
from tests.helpers.pico import calls
from tests.helpers.pico.micropython import find
from tests.helpers.pico.parts import EmulatedParts
from tests.helpers.pico.processor import HANG_S, Answer, Cause, Hung, Kind, Processor, Request
from tests.helpers.pico.usb import UsbPort

IDENTITY = bytes.fromhex("e6614103e7174a2d")
HEAP_BYTES = 2 * 233_000
"""Objects of 64-bit MicroPython are twice as large as those of a Pico."""

_EVER_US = 1 << 62
_LIVE_STEP_S = 0.01
_LAST_BYTE = 255
_ALONE_US = 1_000_000
"""Longest time that the firmware's clock runs without synchronising."""


def fill_flash(folder: Path) -> None:
    """Copy the firmware into a folder that is a Pico's flash, as `lifeboard flash` does."""
    for name, content in firmware_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


class EmulatedPico:
    """A Pico under a board. `path` is its serial port as the host sees it, while plugged.

    `flash` is the folder with its file system. `machine` is what is connected to it. `boots` lists
    the cause of each start. `log` is MicroPython's newest own output when it ended unexpectedly.
    `import_us` is its compile time per byte of source. While `deaf` is set, the host reads nothing,
    and its USB has no room left.
    """

    def __init__(
        self,
        profile: Profile,
        body: Body,
        clock: Clock,
        *,
        flash: Path,
        micropython: Sequence[str] | None = None,
        identity: bytes = IDENTITY,
        ticks_us: int = 0,
        heap_bytes: int = HEAP_BYTES,
        hang_s: float = HANG_S,
        import_us: int = 0,
    ) -> None:
        self.platform = EmulatedParts(profile, body)
        self.boots: list[Cause] = []
        self.log = ""
        self.deaf = False
        self._body = body
        self._clock = clock
        self._flash = flash
        self._command = find() if micropython is None else micropython
        self._identity = identity
        self._ticks_us = ticks_us
        self._heap_bytes = heap_bytes
        self._hang_s = hang_s
        self._import_us = import_us
        self._moves: deque[Move] = deque()
        self._lock = threading.RLock()
        self._usb = UsbPort()
        self._processor: Processor | None = None
        self._waiting: _Waiting | None = None
        self._boot_at: float | None = None
        self._watchdog_us = 0
        self._began = 0.0
        self._powered = self._cabled = True
        self._reset_by = Cause.POWER_ON
        self._usb.plug()
        self._boot(clock(), Cause.POWER_ON)

    @property
    def path(self) -> str:
        """The name of the serial port, which stays the same."""
        return self._usb.path

    @property
    def connection(self) -> int:
        """How often the serial port has appeared."""
        return self._usb.connection

    @property
    def plugged(self) -> bool:
        """Whether the serial port exists now."""
        return self._usb.open

    @property
    def written(self) -> int:
        """The bytes sent to the host since the port appeared."""
        return self._usb.written

    @property
    def received(self) -> int:
        """The bytes received from the host since the port appeared."""
        return self._usb.received

    @property
    def running(self) -> bool:
        """Whether the processor runs: it has power and has not died for good."""
        return self._processor is not None

    @property
    def emulated_s(self) -> float:
        """The seconds that emulating the parts took."""
        return self.platform.emulated_s + self._body.emulated_s

    def sent(self, count: int) -> None:
        """Take how many bytes the host has written since the port appeared."""
        self._usb.sent(count, self._clock())

    def settle(self, moves: Iterable[Move] = ()) -> None:
        """Run everything up to now, with the finger moves made meanwhile.

        Afterwards the firmware waits for something later, and has read its input.
        """
        with self._lock:
            now = self._clock()
            self._moves.extend(moves)
            self._usb.collect(now)
            while self._processor is not None or self._bitten(now):
                if not self._go_on(now):
                    break
            self._advance_body(now)
            self.platform.strip.settle(self._us(now))

    def unplug(self, *, power: bool = True) -> None:
        """Pull the USB cable; with `power` the Pico loses its power too."""
        with self._lock:
            self.settle()
            self._cabled = False
            self._usb.unplug()
            if power:
                self._powered = False
                self._die(None)

    def plug(self) -> None:
        """Plug the USB cable in; a Pico without power starts."""
        with self._lock:
            self._cabled = True
            if not self._usb.open:
                self._usb.plug()
            if not self._powered:
                self._powered = True
                self._boot(self._clock(), Cause.POWER_ON)

    def hang(self) -> None:
        """Hang the firmware, until its watchdog resets it."""
        with self._lock:
            self.settle()
            if self._processor is not None:
                self._die(self._clock() + self._watchdog_us / 1e6 if self._watchdog_us else None)

    def noise(self, to_pico: bytes = b"", to_host: bytes = b"") -> None:
        """Insert bytes that neither side has sent."""
        with self._lock:
            self.settle()
            self._usb.noise(to_pico, self._clock())
            self._usb.write(to_host)

    @contextmanager
    def live(self) -> Iterator[None]:
        """Run it in a thread: for hosts without lock-step.

        The clock must be a real one.
        """
        ended = threading.Event()
        thread = threading.Thread(target=self._live, args=(ended,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def close(self) -> None:
        """End the process, and remove the port."""
        with self._lock:
            self._die(None)
            self._usb.close()

    def _live(self, ended: threading.Event) -> None:
        while not ended.is_set():
            self.settle()
            handle = self._usb.handle
            if handle is not None and self._usb.connected:
                with suppress(OSError, ValueError):
                    select.select([handle], [], [], self._idle_s())
            else:
                ended.wait(_LIVE_STEP_S)

    def _idle_s(self) -> float:
        """Return how long nothing happens by itself, at most."""
        waiting = self._waiting
        if waiting is None:
            return _LIVE_STEP_S
        return min(_LIVE_STEP_S, max(0.0, self._at(waiting.end_us) - self._clock()))

    def _bitten(self, now: float) -> bool:
        """Restart after the watchdog has reset a hung firmware; tell whether it has."""
        if self._boot_at is None or self._boot_at > now:
            return False
        self._usb.unplug()
        self._boot(self._boot_at, Cause.WATCHDOG)
        return True

    def _boot(self, now: float, cause: Cause, raw: bool = False) -> None:
        self._began = now
        self._boot_at = None
        self._watchdog_us = 0
        self.boots.append(cause)
        if cause != Cause.SOFT:
            self._reset_by = cause
        if self._cabled and not self._usb.open:
            self._usb.plug()
        self._processor = Processor(
            self._command,
            self._flash,
            heap_bytes=self._heap_bytes,
            cause=self._reset_by,
            identity=self._identity,
            ticks_us=self._ticks_us,
            raw=raw,
            hang_s=self._hang_s,
            import_us=self._import_us,
        )

    def _die(self, boot_at: float | None) -> None:
        """End the processor, until a time or for good."""
        if self._processor is not None:
            self._processor.end()
            self._usb.write(self._processor.take_output())
        self._processor = None
        self._waiting = None
        self._boot_at = boot_at
        self.platform.reset()

    def _go_on(self, now: float) -> bool:
        """Let the firmware do one thing more; tell whether it may go on by now."""
        if self._waiting is None:
            try:
                request = self._receive()
            except Hung as hung:
                self._hang(str(hung))
                return True
            if request.kind == Kind.RESET:
                self._reset(request)
                return True
            self._waiting = self._begin(request, now)
            return True
        waiting = self._waiting
        end_us = waiting.end_us
        arrival = self._usb.arrival if waiting.for_input else self._interrupt(waiting.request)
        if arrival is not None:
            end_us = min(end_us, max(waiting.request.now_us, self._us(arrival)))
        if end_us > self._us(now):
            return False
        if waiting.answer is None:
            # Its request was for a time that is reached now.
            self._waiting = self._begin(waiting.request, now)
            return True
        self._advance_body(self._at(end_us))
        self._answer(end_us, waiting.answer, now)
        return True

    def _interrupt(self, request: Request) -> float | None:
        """Return when an interrupting byte arrives that ends the wait, if one does."""
        if request.kind != Kind.WAIT or request.number > _LAST_BYTE:
            return None
        return self._usb.arrival_of(request.number)

    def _receive(self) -> Request:
        assert self._processor is not None
        try:
            return self._processor.receive()
        finally:
            self._usb.write(self._processor.take_output())

    def _begin(self, request: Request, now: float) -> "_Waiting | None":
        """Begin a request; one without an answer is done at once."""
        kind, began_us = request.kind, request.now_us
        if kind == Kind.WATCHDOG:
            self._watchdog_us = request.other
            return None
        if kind in calls.UNANSWERED:
            calls.perform(self.platform, request)
            return None
        if kind == Kind.WAIT:
            return _Waiting(request, request.other, (b"", 0), for_input=bool(request.small))
        if began_us > self._us(now):
            return _Waiting(request, began_us, None)
        self._advance_body(self._at(began_us))
        busy_s = self.platform.busy_s
        data, error = calls.answer(self.platform, request)
        took_us = round((self.platform.busy_s - busy_s) * 1e6)
        return _Waiting(request, began_us + took_us, (data, error))

    def _answer(self, end_us: int, answer: tuple[bytes, int], now: float) -> None:
        assert self._processor is not None
        data, error = answer
        self._waiting = None
        # Fractions of a microsecond do not count.
        came = self._usb.take(self._at(end_us + 1))
        self._processor.answer(
            Answer(
                end_us,
                self._until_us(end_us, now),
                self.platform.low,
                error,
                self.deaf,
                came,
                data,
            )
        )

    def _until_us(self, now_us: int, now: float) -> int:
        """Return up to when nothing changes that the firmware could see: no pin, and no input."""
        if self._body.step_s is not None:
            return now_us
        until_us = min(self._us(now), now_us + _ALONE_US)
        if self._moves:
            until_us = min(until_us, self._us(self._moves[0].time_s) - 1)
        if (arrival := self._usb.arrival) is not None:
            until_us = min(until_us, self._us(arrival) - 1)
        return max(now_us, until_us)

    def _reset(self, request: Request) -> None:
        """Restart on the firmware's request, or by its watchdog."""
        cause = Cause(request.small)
        self._die(None)
        at = self._at(request.now_us)
        if cause == Cause.SOFT:
            self._boot(at, cause, raw=bool(request.number))
            return
        self._usb.unplug()
        if cause == Cause.BOOTLOADER:
            self._powered = False
        else:
            self._boot(at, cause)

    def _hang(self, why: str) -> None:
        """Let the watchdog reset a firmware that makes no more requests."""
        self.log = why
        at = self._clock() + self._watchdog_us / 1e6 if self._watchdog_us else None
        self._die(at)
        self._usb.unplug()

    def _advance_body(self, now: float) -> None:
        """Advance the body to a time, with the moves made by then."""
        while self._moves and self._moves[0].time_s <= now:
            move = self._moves.popleft()
            self._body.advance(move.time_s, [move])
        self._body.advance(now)

    def _us(self, at: float) -> int:
        """Return a host time in us since the Pico started, with a maximum."""
        return int((at - self._began) * 1e6 + 0.01)

    def _at(self, us: int) -> float:
        return self._began + us / 1e6


class _Waiting:
    """A request whose answer is due at a time; one without an answer begins then."""

    def __init__(
        self,
        request: Request,
        end_us: int,
        answer: tuple[bytes, int] | None,
        for_input: bool = False,
    ) -> None:
        self.request = request
        self.end_us = end_us
        self.answer = answer
        self.for_input = for_input
