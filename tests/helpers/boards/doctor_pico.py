"""Made-up Picos for the doctor's tests, at a port whose waiting makes the time pass."""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.channel import Channel
from firmware.framing import Frame, Receiver, encode
from firmware.messages import (
    BYE,
    FAILED,
    FOUND,
    HELLO,
    IDENT,
    PROTOCOL,
    VERSION,
    WIRING,
    Ident,
    pack_failed,
    pack_found,
    pack_ident,
    session_of,
    unpack_hello,
    unpack_wiring,
)
from hal.backends.coprocessor.port import Port
from hal.base.errors import LinkFault

BANNER = b"MicroPython v1.25.0 on 2025-04-15; Raspberry Pi Pico with RP2040\r\n"
SYSTEM = "MicroPython 1.25.0"


@dataclass
class PassingTime:
    """Monotonic seconds that pass only during waits."""

    now_s: float = 100.0

    def __call__(self) -> float:
        return self.now_s

    def pass_time(self, seconds: float) -> None:
        """Wait; treat a wait of 0 as a short one, or timeouts would never expire."""
        self.now_s += max(seconds, 0.0001)


@dataclass
class AtPort:
    """Something at a port; by default it reads all input and sends nothing."""

    clock: PassingTime
    written: bytes = b""
    closed: bool = False
    _output: bytes = b""

    def hear(self, data: bytes) -> bytes:
        """Return its answer."""
        return b""

    def read(self) -> bytes:
        data, self._output = self._output, b""
        return data

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.written += data
        self._output += self.hear(data)

    def wait(self, timeout_s: float) -> None:
        if not self._output:
            self.clock.now_s += max(timeout_s, 0.001)

    def close(self) -> None:
        self.closed = True


@dataclass
class Prompt(AtPort):
    """MicroPython's prompt: echoes printable characters, and prints its banner after Ctrl-B."""

    banner: bytes = BANNER

    def hear(self, data: bytes) -> bytes:
        echo = bytes(byte for byte in data if 32 <= byte < 127)
        named = b"\r\n" + self.banner + b'Type "help()" for more information.\r\n>>> '
        return echo + (named if b"\x02" in data else b"")


@dataclass
class Unplugged(AtPort):
    """A Pico that disconnects at the first write."""

    def wait(self, timeout_s: float) -> None:
        super().wait(timeout_s)
        raise LinkFault("/dev/ttyACM0 is gone: device reports readiness to read but no data")

    def write(self, data: bytes) -> None:
        if self.written:
            raise LinkFault("/dev/ttyACM0 takes no bytes: Input/output error")
        super().write(data)


@dataclass
class Firmware(AtPort):
    """Our firmware, as far as the doctor asks it. `chips` answer on its buses.

    `flaw` is what it says instead of following a WIRING, "silence" nothing.
    """

    chips: tuple[tuple[int, int], ...] = ()
    protocol: int = PROTOCOL
    version: tuple[int, int, int] = VERSION
    watchdog: bool = False
    flaw: str = ""
    heard: list[int] = field(default_factory=list)
    _receiver: Receiver = field(default_factory=Receiver)
    _channel: Channel | None = None

    def hear(self, data: bytes) -> bytes:
        return b"".join(
            encode(frame) for each in self._receiver.take(data) for frame in self._act(each)
        )

    def _act(self, frame: Frame) -> list[Frame]:
        now = int(self.clock() * 1000)
        if frame.session == 0:
            assert frame.kind == HELLO
            hello = unpack_hello(frame.payload)
            if hello.protocol == self.protocol:
                self._channel = Channel(session_of(hello.nonce), now)
            ident = Ident(
                hello.nonce,
                self.protocol,
                self.version,
                b"pico0001",
                self.watchdog,
                SYSTEM,
            )
            return [Frame(IDENT, 0, 0, 0, pack_ident(ident))]
        assert self._channel is not None
        if self._channel.take(frame, now):
            self._follow(self._channel, frame)
        return self._channel.frames(now)

    def _follow(self, channel: Channel, frame: Frame) -> None:
        self.heard.append(frame.kind)
        if frame.kind != WIRING:
            assert frame.kind == BYE
            return
        unpack_wiring(frame.payload)
        if self.flaw == "silence":
            return
        if self.flaw:
            channel.send(FAILED, pack_failed(frame.number, self.flaw))
        else:
            channel.send(FOUND, pack_found(frame.number, list(self.chips)))


class Ports:
    """Open a made-up port, or refuse it with an error of the system as pyserial passes it on."""

    def __init__(self, at: Callable[[], AtPort] | None, refusal: OSError | None = None) -> None:
        self.opened: list[tuple[str, AtPort]] = []
        self._at = at
        self._refusal = refusal

    def __call__(self, url: str, on_input: Callable[[], None]) -> Port:
        if self._refusal is not None:
            raise LinkFault(f"serial port {url} cannot be opened: no") from self._refusal
        assert self._at is not None, "the port was opened"
        self.opened.append((url, self._at()))
        return self.opened[-1][1]
