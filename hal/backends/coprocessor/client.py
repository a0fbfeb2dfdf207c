"""A Pico at the end of a port: opened, greeted, asked, and found again when it was unplugged.

What a client waits for, and all transitions between:

    a port    looked for each REOPEN_S             -> IDENT
    IDENT     HELLO is sent repeatedly             -> nothing, when IDENT of our protocol comes
                                                   -> a port after REFUSED_S, of another one
    nothing   messages go both ways                -> IDENT, when the Pico falls silent
    any       the port is gone, or closed          -> a port
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from random import Random

from firmware.channel import BEAT_MS, Channel
from firmware.framing import Frame, Receiver, encode
from firmware.messages import (
    DATA,
    DONE,
    FAILED,
    FOUND,
    HELLO,
    IDENT,
    PROTOCOL,
    STATE,
    STOP,
    VERSION,
    Hello,
    Ident,
    State,
    pack_hello,
    unpack_failed,
    unpack_ident,
    unpack_state,
)
from hal.backends.backend import Clock
from hal.backends.coprocessor.port import Port
from hal.base.errors import LinkFault, WrongFirmware

# For users of `ask_ident`.
__all__ = [
    "PROTOCOL",
    "VERSION",
    "Answer",
    "Client",
    "Ident",
    "OpenPort",
    "Question",
    "Report",
    "ask_ident",
    "stop_firmware",
    "wrong_firmware",
]

CALL_S = 5.0
"""How long an answer may take."""
REOPEN_S = 0.5
"""How often a port that is gone is looked for: about as long as a Pico takes to start."""
REFUSED_S = 5.0
"""How often a Pico with another firmware is asked again."""
HELLO_S = 0.1
"""How often HELLO is sent until it is answered."""
PROBE_S = 0.25
"""How often to a device that may be another: MicroPython keeps 512 bytes that a program does not
read, and then does not see the Ctrl-C behind them either."""
MOST_STATES = 512
"""Limits the states kept unread; the oldest are dropped first."""
_MOST_ANSWERS = 64
_ANSWERS = (FOUND, DONE, DATA, FAILED)
_INTERRUPT = b"\3"
"""Ctrl-C: a greeting must not interrupt MicroPython while it starts the firmware."""
OpenPort = Callable[[str, Callable[[], None]], Port]
"""Opens a port by its URL, and calls the other argument, on any thread, when something has come.

Raises LinkFault when that cannot be done."""


@dataclass(frozen=True, slots=True)
class Report:
    """Hold a state as the Pico told it; `place` orders what it tells, answers included."""

    place: int
    state: State


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold the answer to a message: its kind, its payload, and its place among what was told."""

    place: int
    kind: int
    payload: bytes


class Client:
    """Talk to the Pico at a port. One thread owns it.

    `fault` says why the line is down, None while it is up. `sessions` counts how often it came up,
    `ident` is who answered last.
    """

    def __init__(
        self,
        url: str,
        clock: Clock,
        open_port: OpenPort,
        chance: Random,
        on_input: Callable[[], None],
    ) -> None:
        self.sessions = 0
        self.fault: LinkFault | None = LinkFault("the Pico has not been greeted yet")
        self.ident: Ident | None = None
        self._url = url
        self._clock = clock
        self._open_port = open_port
        self._chance = chance
        self._on_input = on_input
        self._port: Port | None = None
        self._reopen_due_s = -inf
        self._hello = greeting(chance)
        self._hello_due_s = -inf
        self._receiver = Receiver()
        self._channel: Channel | None = None
        self._answers: dict[int, Answer] = {}
        self._states: deque[Report] = deque(maxlen=MOST_STATES)
        self._place = 0

    @property
    def waiting(self) -> int:
        """Count the messages that the Pico has not acknowledged yet."""
        return 0 if self._channel is None else self._channel.waiting

    def open(self, timeout_s: float) -> None:
        """Open the port and wait until the Pico has answered; raise LinkFault if it does not.

        Raises at once when there is no port, or when it answers in another protocol.
        """
        deadline_s = self._clock() + timeout_s
        self.attend()
        while self.fault is not None:
            if self._port is None or self._clock() >= deadline_s:
                fault = self.fault
                self.close()
                raise fault
            self._pause(deadline_s)
            self.attend()

    def attend(self) -> None:
        """Read and write what there is; try what is due."""
        now = self._clock()
        try:
            if self._port is None and now >= self._reopen_due_s:
                self._port = self._open_port(self._url, self._on_input)
                self._greet()
            if self._port is not None:
                self._read(self._port.read())
            if self._port is not None:
                self._write(self._port)
        except LinkFault as fault:
            self._drop(fault, now + REOPEN_S)

    def due(self) -> float:
        """Return when `attend` next has something to do by itself, in seconds of the clock."""
        if self._port is None:
            return self._reopen_due_s
        return self._hello_due_s if self._channel is None else self._channel.due() / 1000

    def states(self) -> list[Report]:
        """Take what the Pico has told, oldest first."""
        states = list(self._states)
        self._states.clear()
        return states

    def post(self, kind: int, payload: bytes) -> int:
        """Send a message that is not answered, and return its number; raise LinkFault when down."""
        self._check_up()
        if self._channel is None:
            raise LinkFault("the Pico has not answered yet, or not for too long")
        try:
            number = self._channel.send(kind, payload)
        except OSError as error:
            raise LinkFault(f"the Pico does not keep up: {error}") from error
        # Numbers are reused. An answer that was not collected is not this one's.
        self._answers.pop(number, None)
        self.attend()
        return number

    def now(self) -> float:
        """Return the time of the clock that answers are waited for by, in seconds."""
        return self._clock()

    def failed(self, number: int) -> bool:
        """Tell, once, whether the Pico could not follow a message that it does not answer."""
        answer = self._answers.pop(number, None)
        return answer is not None and answer.kind == FAILED

    def has(self, number: int) -> bool:
        """Tell whether the Pico has a message that was posted in this session."""
        return self._channel is not None and self._channel.acknowledged(number)

    def call(self, kind: int, payload: bytes, timeout_s: float = CALL_S) -> Answer:
        """Send a message and wait for its answer.

        Raise LinkFault when the line is down or no answer comes, and ValueError, with its words,
        when the Pico could not follow.
        """
        answer = self.answer(self.post(kind, payload), timeout_s)
        if answer is None:
            raise LinkFault(f"the Pico does not answer within {timeout_s} s")
        return answer

    def answer(self, number: int, timeout_s: float) -> Answer | None:
        """Wait for the answer to a message that was posted; None when it has not come by then.

        Raise as `call` does.
        """
        session, deadline_s = self.sessions, self._clock() + timeout_s
        while (answer := self._answers.pop(number, None)) is None:
            self._check_up()
            if session != self.sessions:
                raise LinkFault("the Pico restarted before it answered")
            if self._clock() >= deadline_s:
                return None
            self._pause(deadline_s)
            self.attend()
        if answer.kind == FAILED:
            raise ValueError(unpack_failed(answer.payload)[1])
        return answer

    def flush(self, timeout_s: float) -> None:
        """Wait until the Pico has all that was posted, or the time-out, or the line is down."""
        deadline_s = self._clock() + timeout_s
        self.attend()
        while self.fault is None and self.waiting and self._clock() < deadline_s:
            self._pause(deadline_s)
            self.attend()

    def close(self) -> None:
        self._drop(LinkFault("the line is closed"), inf)

    def _check_up(self) -> None:
        # A new one each time: one that is raised again and again becomes a cause of itself.
        if self.fault is not None:
            raise type(self.fault)(str(self.fault))

    def _greet(self) -> None:
        """Start again: requests, answers and reports are forgotten."""
        self._hello = greeting(self._chance, self._hello.nonce)
        self._hello_due_s = self._clock()
        self._receiver = Receiver()
        self._channel = None
        self._answers = {}
        self._states.clear()
        self._place = 0
        # While a wrong firmware is asked again, it is still the one that is known.
        if not isinstance(self.fault, WrongFirmware):
            self.fault = LinkFault(
                f"no answer at serial port {self._url}: is the Pico's firmware on it?"
                " `lifeboard flash` brings it there"
            )

    def _read(self, data: bytes) -> None:
        for frame in self._receiver.take(data):
            if frame.session == 0:
                self._recognise(frame)
            elif self._channel is not None and self._channel.take(frame, self._now_ms()):
                self._understand(frame)

    def _write(self, port: Port) -> None:
        now = self._now_ms()
        if self._channel is not None and self._channel.silent(now):
            self._greet()
        if self._channel is not None:
            if frames := self._channel.frames(now):
                port.write(b"".join(map(encode, frames)))
        elif self._clock() >= self._hello_due_s:
            self._hello_due_s = self._clock() + HELLO_S
            port.write(hello_frame(self._hello))

    def _recognise(self, frame: Frame) -> None:
        ident = ident_of(frame, self._hello)
        if ident is None or self._channel is not None or self._port is None:
            return
        self.ident = ident
        if ident.protocol != PROTOCOL:
            self._drop(wrong_firmware(ident), self._clock() + REFUSED_S)
            return
        self._channel = Channel(self._hello.session, self._now_ms(), BEAT_MS)
        self.sessions += 1
        self.fault = None

    def _understand(self, frame: Frame) -> None:
        self._place += 1
        if frame.kind == STATE:
            with suppress(ValueError):
                self._states.append(Report(self._place, unpack_state(frame.payload)))
        elif frame.kind in _ANSWERS and frame.payload:
            # An answer that is never collected must not be kept for ever.
            if len(self._answers) >= _MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]
            self._answers[frame.payload[0]] = Answer(self._place, frame.kind, frame.payload)

    def _drop(self, fault: LinkFault, reopen_s: float) -> None:
        self.fault = fault
        self._reopen_due_s = reopen_s
        self._channel = None
        port, self._port = self._port, None
        if port is not None:
            with suppress(LinkFault):
                port.close()

    def _pause(self, deadline_s: float) -> None:
        """Wait for input, no longer than until something is due."""
        if self._port is not None:
            self._port.wait(max(0.0, min(self.due(), deadline_s) - self._clock()))

    def _now_ms(self) -> int:
        """Round down to milliseconds, tolerating float error, so that `due` converts back."""
        return int(self._clock() * 1000 + 0.001)


class Question:
    """One kind of request to the Pico, whose answer may be collected later.

    What is asked again before it was answered is not sent again for `lasts_s`: an answer that is
    later is outdated.
    """

    def __init__(self, client: Client, kind: int, answered_by: int, lasts_s: float) -> None:
        self._client = client
        self._kind = kind
        self._answered_by = answered_by
        self._lasts_s = lasts_s
        self._session = -1
        self._number = 0
        self._asked_s = -inf

    def ask(self, payload: bytes, patience_s: float) -> Answer | None:
        """Give the answer, or None while there is none; raise as `Client.call` does."""
        client, now = self._client, self._client.now()
        if self._session != client.sessions or now >= self._asked_s + self._lasts_s:
            self._number = client.post(self._kind, payload)
            self._session, self._asked_s = client.sessions, now
        try:
            answer = client.answer(self._number, patience_s)
        except (OSError, ValueError):
            self._session = -1
            raise
        if answer is not None:
            self._session = -1
            if answer.kind != self._answered_by:
                raise ValueError(f"answer of kind {answer.kind}: allowed is {self._answered_by}")
        return answer


def wrong_firmware(ident: Ident) -> WrongFirmware:
    """Say that a Pico speaks another protocol, and what mends it."""
    version = ".".join(map(str, ident.version))
    return WrongFirmware(
        f"the Pico has firmware {version} with protocol {ident.protocol}, and this lifeboard speaks"
        f" protocol {PROTOCOL}: exchange it with `lifeboard flash`"
    )


def greeting(chance: Random, last: int = 0) -> Hello:
    """Draw a greeting, with another number than the last one, whose frame interrupts no program."""
    while True:
        hello = Hello(chance.getrandbits(32), PROTOCOL)
        if hello.nonce != last and _INTERRUPT not in hello_frame(hello):
            return hello


def hello_frame(hello: Hello) -> bytes:
    return encode(Frame(HELLO, 0, 0, 0, pack_hello(hello)))


def ident_of(frame: Frame, hello: Hello) -> Ident | None:
    """Read the answer to a greeting; None for any other frame."""
    if frame.kind == IDENT and frame.session == 0:
        with suppress(ValueError):
            ident = unpack_ident(frame.payload)
            return ident if ident.nonce == hello.nonce else None
    return None


def ask_ident(port: Port, clock: Clock, timeout_s: float) -> Ident:
    """Greet the device at a port until it identifies itself, in any version of the protocol.

    Raises LinkFault when it does not answer.
    """
    hello, receiver = greeting(Random()), Receiver()
    hello_due_s, deadline_s = clock(), clock() + timeout_s
    while (now := clock()) < deadline_s:
        if now >= hello_due_s:
            port.write(hello_frame(hello))
            hello_due_s = now + PROBE_S
        port.wait(max(0.0, min(deadline_s, hello_due_s) - now))
        for frame in receiver.take(port.read()):
            if (ident := ident_of(frame, hello)) is not None:
                return ident
    raise LinkFault(f"no answer within {timeout_s} s")


def stop_frame() -> bytes:
    """Return the bytes that end a firmware of any version, and leave its Pico to MicroPython."""
    return encode(Frame(STOP, 0, 0, 0, b""))


def stop_firmware(port: Port) -> None:
    """Tell the firmware to end: the Pico restarts with MicroPython's own prompt."""
    port.write(stop_frame())
