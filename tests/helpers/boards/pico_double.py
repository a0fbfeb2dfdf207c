"""A Pico for tests of the firmware: chips, pins, strip, line and flash, in virtual time.

Time passes only where the firmware waits, and in `at` and `run`. Everything that is asked of the
hardware is written down.
"""

from collections import deque
from collections.abc import Callable

from firmware.channel import BEAT_MS, Channel
from firmware.framing import MOST_LINE, Frame, Receiver, encode
from firmware.hardware import Hardware, I2CBus, Input, PixelStrip
from firmware.messages import (
    HELLO,
    IDENT,
    PROTOCOL,
    STATE,
    Bus,
    Hello,
    State,
    Wiring,
    pack_hello,
    unpack_state,
)
from firmware.run import Loop

EIO, ETIMEDOUT = 5, 110
WATCHDOG_MS = 8000


class Stopped(BaseException):
    """The firmware has reset the Pico into MicroPython's prompt."""


class Bitten(BaseException):
    """The watchdog of the Pico has reset it: it was not fed in time."""


class ChipDouble:
    """The registers of an MPR121, as far as the firmware looks at them.

    `errors` fail the next transfers in turn (0 lets one pass); `error` fails all.
    """

    def __init__(self) -> None:
        self.registers = bytearray(256)
        self.writes: list[tuple[int, bytes]] = []
        self.reads: list[tuple[int, int]] = []
        self.errors: deque[int] = deque()
        self.error = 0
        self.answers_reset = True
        self.reset()

    def reset(self) -> None:
        """Be as after power-up."""
        self.registers[:] = bytes(256)
        self.registers[0x5D] = 0x24 if self.answers_reset else 0x00
        self.measure(dict.fromkeys(range(12), 500))

    def measure(self, raw: dict[int, int]) -> None:
        """Let electrodes measure, in counts."""
        for number, counts in raw.items():
            self.registers[0x04 + 2 * number] = counts & 255
            self.registers[0x05 + 2 * number] = counts >> 8

    def touch(self, bits: int) -> None:
        """Let electrodes be touched; all 16 bits of the register."""
        self.registers[0] = bits & 255
        self.registers[1] = bits >> 8

    @property
    def touch_reads(self) -> int:
        """Count how often the touch status was read."""
        return sum(register == 0 for register, _ in self.reads)

    def read(self, register: int, count: int) -> bytes:
        self._fail()
        self.reads.append((register, count))
        return bytes(self.registers[register : register + count])

    def write(self, register: int, data: bytes) -> None:
        self._fail()
        self.writes.append((register, bytes(data)))
        if register == 0x80 and data[:1] == b"\x63":
            self.reset()
        else:
            self.registers[register : register + len(data)] = data

    def _fail(self) -> None:
        error = self.error or (self.errors.popleft() if self.errors else 0)
        if error:
            raise OSError(error)


class BusDouble(I2CBus):
    def __init__(self, pico: "PicoDouble", bus: Bus) -> None:
        self.pico = pico
        self.bus = bus
        self.open = True

    def read(self, address: int, register: int, buffer: bytearray) -> None:
        buffer[:] = self._chip(address).read(register, len(buffer))

    def write(self, address: int, register: int, data: bytes) -> None:
        self._chip(address).write(register, data)

    def recover(self) -> None:
        self.pico.recovered.append(self.bus.number)
        if self.bus.number in self.pico.recoverable:
            self.pico.held.discard(self.bus.number)

    def close(self) -> None:
        self.open = False

    def _chip(self, address: int) -> ChipDouble:
        assert self.open
        if self.bus.number in self.pico.held:
            self.pico.time_ms += 15
            raise OSError(ETIMEDOUT)
        chip = self.pico.chips.get((self.bus.number, address))
        if chip is None:
            raise OSError(EIO)
        return chip


class InputDouble(Input):
    def __init__(self, pico: "PicoDouble", pin: int) -> None:
        self.pico = pico
        self.pin = pin

    def low(self) -> bool:
        return self.pin in self.pico.low

    def close(self) -> None:
        pass


class StripDouble(PixelStrip):
    """`frames` are the times and levels that were sent, each while the strip was free."""

    def __init__(self, pico: "PicoDouble", pin: int, levels: int) -> None:
        self.pico = pico
        self.pin = pin
        self.levels = levels
        self.frames: list[tuple[int, bytes]] = []
        self.busy_until_ms = 0
        self.busy_ms = 3
        self.open = True
        self._sending = bytearray()
        self._sent = b""

    def busy(self) -> bool:
        # What is sent by DMA must not change on its way.
        assert bytes(self._sending) == self._sent or self.pico.time_ms >= self.busy_until_ms
        return self.pico.time_ms < self.busy_until_ms

    def send(self, levels: bytearray) -> None:
        assert self.open
        assert not self.busy()
        assert len(levels) == self.levels
        self._sending, self._sent = levels, bytes(levels)
        self.frames.append((self.pico.time_ms, self._sent))
        self.busy_until_ms = self.pico.time_ms + self.busy_ms

    def close(self) -> None:
        self.open = False


class PicoDouble(Hardware):
    """A Pico: `chips` by (bus, address), `low` pins, `held` buses, `stored` bytes of its flash.

    `written` is what the firmware said to the host.
    """

    def __init__(self) -> None:
        self.identity = b"picopico"
        self.system = "MicroPython 1.25.0, a double"
        self.time_ms = 0
        self.chips: dict[tuple[int, int], ChipDouble] = {}
        self.low: set[int] = set()
        self.held: set[int] = set()
        self.recoverable: set[int] = set()
        self.recovered: list[int] = []
        self.buses: list[BusDouble] = []
        self.strips: list[StripDouble] = []
        self.inputs: list[int] = []
        self.stored: bytes | None = None
        self.stores = 0
        self.full = False
        self.leds: list[tuple[int, bool]] = []
        self.errors: list[Exception] = []
        self.written = bytearray()
        self.tidied = 0
        self.fed_ms: int | None = None
        self._input = bytearray()
        self._line: Input | None = None
        self._plans: list[tuple[int, Callable[[], None]]] = []

    # What tests do.

    @property
    def strip(self) -> StripDouble:
        """Give the strip that was opened last."""
        return self.strips[-1]

    def type(self, data: bytes) -> None:
        """Let bytes come from the host."""
        self._input += data

    def at(self, time_ms: int, action: Callable[[], None]) -> None:
        """Do something when the time has come."""
        self._plans.append((time_ms, action))
        self._plans.sort(key=lambda each: each[0])

    def heard(self) -> list[Frame]:
        """Take the whole frames that the firmware has written since the last call."""
        frames = Receiver().take(bytes(self.written))
        self.written.clear()
        return frames

    def run(self, loop: Loop, time_ms: int) -> None:
        """Let the firmware run for that long."""
        end_ms = self.time_ms + time_ms
        while self.time_ms < end_ms:
            loop.turn()

    def frame(self, kind: int, payload: bytes = b"", session: int = 0, number: int = 0) -> None:
        """Let a frame come from the host that acknowledges nothing."""
        self.type(encode(Frame(kind, session, number, 0, payload)))

    # What the firmware does.

    def now(self) -> int:
        return self.time_ms

    def pause(self, time_ms: int) -> None:
        self._pass(time_ms)

    def wait(self, timeout_ms: int) -> bool:
        if not self._input:
            self._pass(timeout_ms, wake=True)
        return bool(self._input)

    def wake_by(self, line: Input | None) -> None:
        self._line = line

    def read_line(self) -> bytes:
        while b"\n" not in self._input and len(self._input) < MOST_LINE:
            if not self._plans:
                raise Bitten("the line stopped within a frame")
            self._pass(max(self._plans[0][0] - self.time_ms, 0))
        end = self._input.find(b"\n") + 1 or MOST_LINE
        line = bytes(self._input[: min(end, MOST_LINE)])
        del self._input[: len(line)]
        return line

    def write(self, data: bytes) -> None:
        self.written += data

    def tidy(self) -> None:
        self.tidied += 1

    def start_watchdog(self) -> None:
        self.fed_ms = self.time_ms

    def feed(self) -> None:
        if self.fed_ms is not None:
            self.fed_ms = self.time_ms

    def stop(self) -> None:
        raise Stopped

    def led(self, on: bool) -> None:
        self.leds.append((self.time_ms, on))

    def recall(self) -> bytes | None:
        return self.stored

    def remember(self, data: bytes) -> None:
        if self.full:
            raise OSError(28)
        self.stores += 1
        self.stored = bytes(data)

    def complain(self, error: Exception) -> None:
        self.errors.append(error)

    def open_bus(self, number: int, data: int, clock: int, clock_khz: int) -> BusDouble:
        self.buses.append(BusDouble(self, Bus(number, data, clock, clock_khz)))
        return self.buses[-1]

    def open_input(self, pin: int) -> InputDouble:
        self.inputs.append(pin)
        return InputDouble(self, pin)

    def open_strip(self, pin: int, levels: int) -> StripDouble:
        self.strips.append(StripDouble(self, pin, levels))
        return self.strips[-1]

    def _pass(self, time_ms: int, *, wake: bool = False) -> None:
        """Let time pass; with `wake` only until something is typed, or the line falls."""
        end_ms = self.time_ms + time_ms
        while self._plans and self._plans[0][0] <= end_ms:
            due_ms, action = self._plans.pop(0)
            self.time_ms = max(self.time_ms, due_ms)
            action()
            if wake and (self._input or (self._line is not None and self._line.low())):
                break
        else:
            self.time_ms = end_ms
        if self.fed_ms is not None and self.time_ms - self.fed_ms >= WATCHDOG_MS:
            raise Bitten("the watchdog was not fed")


def wiring(**changes: object) -> Wiring:
    """Give a wiring with two chips, an interrupt line, two keys and a strip of four pixels."""
    settings: dict[str, object] = {
        "buses": [Bus(0, 4, 5, 400), Bus(1, 6, 7, 400)],
        "chips": [(0, 0x5A), (1, 0x5B)],
        "interrupt": 8,
        "keys": [9, 10],
        "strip": 2,
        "levels": 12,
        "colours": 3,
        "glow": 40,
        "poll_ms": 50,
        "low": 8,
        "high": 800,
    }
    return Wiring(**(settings | changes))  # type: ignore[arg-type]


class Host:
    """The other end of the line: a session of its own, over `pico`, that drives `loop` by turns.

    `received` are the numbered messages that came, as (kind, payload).
    """

    def __init__(self, pico: PicoDouble, nonce: int = 1000) -> None:
        self.pico = pico
        self.loop = Loop(pico)
        self.received: list[tuple[int, bytes]] = []
        self.idents: list[bytes] = []
        self.deaf = False
        self.greet(nonce)

    def greet(self, nonce: int, protocol: int = PROTOCOL) -> None:
        """Say HELLO."""
        hello = Hello(nonce, protocol)
        self.channel = Channel(hello.session, self.pico.time_ms, BEAT_MS)
        self.pico.frame(HELLO, pack_hello(hello))

    def say(self, kind: int, payload: bytes = b"") -> int:
        """Send a message; give its number."""
        return self.channel.send(kind, payload)

    def run(self, time_ms: int) -> None:
        """Let both ends run for that long."""
        end_ms = self.pico.time_ms + time_ms
        while self.pico.time_ms < end_ms:
            self.turn()

    def turn(self) -> None:
        """Let the host say what it has to, the firmware make one turn, and the host hear it."""
        self.pico.type(typed(*self.channel.frames(self.pico.time_ms)))
        self.loop.turn()
        for frame in self.pico.heard():
            if frame.kind == IDENT:
                self.idents.append(frame.payload)
            elif not self.deaf and self.channel.take(frame, self.pico.time_ms):
                self.received.append((frame.kind, frame.payload))

    def ask(self, kind: int, payload: bytes = b"") -> tuple[int, bytes]:
        """Send a message, and give the answer to it."""
        known = len(self.received)
        self.say(kind, payload)
        self.run(100)
        answers = [each for each in self.received[known:] if each[0] != STATE]
        assert len(answers) == 1, answers
        return answers[0]

    def states(self) -> list[State]:
        """Take the states that came since the last call."""
        states = [unpack_state(payload) for kind, payload in self.received if kind == STATE]
        self.received = [each for each in self.received if each[0] != STATE]
        return states


def typed(*frames: Frame) -> bytes:
    """Give the bytes of frames."""
    return b"".join(encode(frame) for frame in frames)
