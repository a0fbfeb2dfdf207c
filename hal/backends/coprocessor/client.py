"""The connection to a Pico at a port: open it, greet the Pico, ask it, and reconnect to it.

What a client waits for, and all transitions:

    a port    is opened, every REOPEN_S            -> IDENT
    IDENT     HELLO is sent repeatedly             -> nothing, when IDENT of our protocol comes
                                                   -> a port, after REFUSED_S, for another protocol
    nothing   messages go both ways                -> IDENT, when the Pico falls silent
                                                   -> a port, after REFUSED_S, if it is refused
    any       the port is gone, or closed          -> a port
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from random import Random

import firmware.messages as messages
from firmware.channel import BEAT_MS, Channel
from firmware.framing import Frame, Receiver, encode
from firmware.messages import PROTOCOL, VERSION, Ident, State
from hal.backends.backend import Clock
from hal.backends.coprocessor.port import Port
from hal.base.errors import LinkFault, WrongFirmware

# For users of `ask_ident`.
__all__ = ["PROTOCOL", "VERSION", "Answer", "Client", "Ident", "OpenPort", "Report", "ask_ident"]

CALL_S = 5.0  # how long an answer may take
REOPEN_S = 0.5  # how often to try a port that is gone: a Pico takes about this long to start
REFUSED_S = 5.0  # how long to wait before asking an unusable Pico again
HELLO_S = 0.2
"""How often HELLO is sent until it is answered. MicroPython buffers 512 bytes that a program does
not read; once they are full, it does not see a later Ctrl-C either."""
_INTERRUPT = b"\3"
"""Ctrl-C, which would interrupt MicroPython while it starts the firmware."""
OpenPort = Callable[[str, Callable[[], None]], Port]
"""Opens a URL's port or raises LinkFault; calls the second argument on input, on any thread."""


@dataclass(frozen=True, slots=True)
class Report:
    """Hold a state that the Pico reported; `place` numbers its reports and answers in order."""

    place: int
    state: State


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold the answer to a message; `place` numbers reports and answers in order."""

    place: int
    kind: int
    payload: bytes


@dataclass(eq=False)
class Client:
    """Talk to the Pico at a port. One thread owns it.

    `fault` says why the line is down, None while it is up. `sessions` counts how often it came up,
    `refusals` the posted messages that the Pico could not carry out. `ident` is the last IDENT.
    `on_report` gets each state that the Pico reports.
    """

    _url: str
    _clock: Clock
    _open_port: OpenPort
    _chance: Random
    _on_input: Callable[[], None]
    sessions: int = 0
    refusals: int = 0
    fault: LinkFault | None = None
    ident: Ident | None = None
    on_report: Callable[[Report], None] = lambda report: None
    _port: Port | None = None
    _due_s: float = -inf  # when to open the port again, or to send HELLO again
    _channel: Channel | None = None
    _awaited: int = 0
    _answers: deque[Answer] = field(default_factory=lambda: deque(maxlen=1))
    _place: int = 0

    def __post_init__(self) -> None:
        self._greet()

    def open(self, timeout_s: float) -> None:
        """Open the port and wait until the Pico has answered; raise LinkFault if it does not."""
        self.attend()
        self._wait_while(lambda: self._port is not None and self.fault is not None, timeout_s)
        if (fault := self.fault) is not None:
            self.close()
            raise fault

    def attend(self) -> None:
        """Read and write pending bytes, and retry what is due."""
        now = self._clock()
        try:
            if self._port is None and now >= self._due_s:
                self._port = self._open_port(self._url, self._on_input)
                self._greet()
            if self._port is not None:
                for frame in self._receiver.take(self._port.read()):
                    if frame.session == 0:
                        self._recognise(frame)
                    elif self._channel and self._channel.take(frame, self._now_ms()):
                        self._understand(frame)
            if self._port is not None:
                self._write(self._port)
        except LinkFault as fault:
            self._drop(fault, now + REOPEN_S)

    def due(self) -> float:
        """Return when `attend` must be called even without input, in seconds of the clock."""
        return self._due_s if self._channel is None else self._channel.due() / 1000

    def post(self, kind: int, payload: bytes) -> int:
        """Send a message that is not answered, and return its number; raise LinkFault when down."""
        channel = self._up()
        if channel.full:
            raise LinkFault(f"the Pico does not keep up: {channel.waiting} messages wait")
        number = channel.send(kind, payload)
        self.attend()
        return number

    @property
    def waiting(self) -> int:
        """Count the posted messages that the Pico has not acknowledged yet."""
        return 0 if self._channel is None else self._channel.waiting

    def call(self, kind: int, payload: bytes, timeout_s: float = CALL_S) -> Answer:
        """Send a message and wait for its answer.

        Raise LinkFault when the line is down or no answer comes, and ValueError, with the Pico's
        reason, when it could not carry the message out.
        """
        self._answers.clear()
        self._awaited = self.post(kind, payload)
        channel = self._channel
        self._wait_while(lambda: not self._answers and channel is self._channel, timeout_s)
        if not self._answers:
            self._up()
            raise LinkFault(f"the Pico does not answer within {timeout_s} s, or has restarted")
        answer = self._answers.pop()
        if answer.kind == messages.FAILED:
            raise ValueError(messages.unpack_failed(answer.payload)[1])
        return answer

    def flush(self, timeout_s: float) -> None:
        """Wait until the Pico has all posted messages, the time is over, or the line is down."""
        self.attend()
        self._wait_while(lambda: self.waiting > 0, timeout_s)

    def refuse(self, fault: LinkFault) -> None:
        """Close the port for a while, since this Pico cannot be used."""
        self._drop(fault, self._clock() + REFUSED_S)

    def close(self) -> None:
        self._drop(LinkFault("the line is closed"), inf)

    def _up(self) -> Channel:
        """Return the channel; raise LinkFault while the line is down."""
        if self._channel is None:
            # A new exception each time: one that is raised repeatedly becomes its own cause.
            raise type(self.fault or LinkFault())(str(self.fault))
        return self._channel

    def _greet(self) -> None:
        """Start again with a greeting: discard requests."""
        self._hello = greeting(self._chance)
        self._due_s = self._clock()
        self._receiver = Receiver()
        self._channel = None
        self._place = 0
        # Keep the known fault while a wrong firmware is asked again.
        if not isinstance(self.fault, WrongFirmware):
            self.fault = LinkFault(
                f"no answer at serial port {self._url}: is the Pico's firmware on it?"
                " `lifeboard flash` brings it there"
            )

    def _write(self, port: Port) -> None:
        now = self._now_ms()
        if self._channel is not None and self._channel.silent(now):
            self._greet()
        if self._channel is not None:
            if frames := self._channel.frames(now):
                port.write(b"".join(map(encode, frames)))
        elif self._clock() >= self._due_s:
            self._due_s = self._clock() + HELLO_S
            port.write(_framed(messages.HELLO, messages.pack_hello(self._hello)))

    def _recognise(self, frame: Frame) -> None:
        if frame.kind != messages.IDENT or self._channel is not None or self._port is None:
            return
        try:
            ident = messages.unpack_ident(frame.payload)
        except ValueError:
            return
        if ident.nonce != self._hello.nonce:
            return
        self.ident = ident
        if ident.protocol != PROTOCOL:
            version = ".".join(map(str, ident.version))
            wrong = WrongFirmware(
                f"the Pico has firmware {version} with protocol {ident.protocol}, and this"
                f" lifeboard speaks protocol {PROTOCOL}: exchange it with `lifeboard flash`"
            )
            self.refuse(wrong)
            return
        self._channel = Channel(messages.session_of(self._hello.nonce), self._now_ms(), BEAT_MS)
        self.sessions += 1
        self.fault = None

    def _understand(self, frame: Frame) -> None:
        self._place += 1
        if frame.kind == messages.STATE:
            with suppress(ValueError):
                self.on_report(Report(self._place, messages.unpack_state(frame.payload)))
        elif frame.payload and frame.payload[0] == self._awaited:
            self._answers.append(Answer(self._place, frame.kind, frame.payload))
            self._awaited = 0
        elif frame.kind == messages.FAILED:
            self.refusals += 1

    def _drop(self, fault: LinkFault, reopen_s: float) -> None:
        self.fault = fault
        self._due_s = reopen_s
        self._channel = None
        port, self._port = self._port, None
        if port is not None:
            with suppress(LinkFault):
                port.close()

    def _wait_while(self, pending: Callable[[], bool], timeout_s: float) -> None:
        """Attend to input, and to what is due, until the time is over or nothing is pending."""
        deadline_s = self._clock() + timeout_s
        while pending() and (now := self._clock()) < deadline_s:
            if self._port is not None:
                self._port.wait(max(0.0, min(self.due(), deadline_s) - now))
            self.attend()

    def _now_ms(self) -> int:
        """Round down to milliseconds, tolerating float error, so that `due` converts back."""
        return int(self._clock() * 1000 + 0.001)


def greeting(chance: Random) -> messages.Hello:
    """Draw a greeting with a new number, whose frame has no byte that interrupts a program."""
    while True:
        hello = messages.Hello(chance.getrandbits(32), PROTOCOL)
        frame = _framed(messages.HELLO, messages.pack_hello(hello))
        if _INTERRUPT not in frame:
            return hello


def over_port(port: Port, clock: Clock) -> Client:
    """Make a client for a port that is already open; the client closes it."""
    return Client("", clock, lambda url, on_input: port, Random(), lambda: None)


def ask_ident(port: Port, clock: Clock, timeout_s: float) -> Ident:
    """Ask a device of any protocol version for its IDENT; close the port. Raises LinkFault."""
    client = over_port(port, clock)
    with suppress(WrongFirmware):
        client.open(timeout_s)
    client.close()
    assert client.ident is not None
    return client.ident


def stop_firmware(port: Port) -> None:
    """Tell a firmware of any version to end: the Pico restarts with MicroPython's own prompt."""
    port.write(_framed(messages.STOP, b""))


def _framed(kind: int, payload: bytes) -> bytes:
    """Encode a message that is part of no session."""
    return encode(Frame(kind, 0, 0, 0, payload))
