"""The host's end of the line to a Pico: greeting, session, requests and answers, what was told.

Pure: bytes and the time, in ms that only grow, come in, bytes to write go out.

Stages of a link and all transitions between them:

    GREETING   HELLO is sent repeatedly             -> READY, when IDENT of our protocol comes
                                                    -> REFUSED, when one of another comes
    READY      messages go both ways                -> LOST, when the Pico falls silent
    REFUSED, LOST                                   -> GREETING, by `greet` only
"""

from collections import deque
from dataclasses import dataclass
from enum import Enum
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
    Hello,
    Ident,
    State,
    pack_hello,
    unpack_ident,
    unpack_state,
)
from hal.base.errors import LinkFault

HELLO_MS = 100
"""How often HELLO is sent until it is answered."""
PROBE_MS = 250
"""How often to a device that may be another: MicroPython keeps 512 bytes that a program does not
read, and then does not see the Ctrl-C behind them either."""
MOST_STATES = 512
"""Limits the states kept unread; the oldest are dropped first."""
_MOST_ANSWERS = 64
_ANSWERS = (FOUND, DONE, DATA, FAILED)
_INTERRUPT = b"\3"
"""Ctrl-C: a greeting must not interrupt MicroPython while it starts the firmware."""


class Stage(Enum):
    """Name how far a link has come."""

    GREETING = "greeting"
    READY = "ready"
    REFUSED = "refused"
    LOST = "lost"


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


class Link:
    """Talk to a Pico. `states` has what it reported, oldest first; the reader removes them.

    `ident` is who answered last, also in REFUSED.
    """

    def __init__(self, chance: Random, now: int, hello_ms: int = HELLO_MS) -> None:
        self._hello_ms = hello_ms
        self.ident: Ident | None = None
        self.states: deque[Report] = deque(maxlen=MOST_STATES)
        self._chance = chance
        self._nonce = 0
        self.greet(now)

    @property
    def waiting(self) -> int:
        """Count the messages that are not acknowledged yet."""
        return 0 if self._channel is None else self._channel.waiting

    def greet(self, now: int) -> None:
        """Start again: requests, answers and reports are forgotten."""
        last = self._nonce
        # Those of other programs differ by chance.
        while self._nonce == last or _INTERRUPT in _hello_frame(self._nonce):
            self._nonce = self._chance.getrandbits(32)
        self.stage = Stage.GREETING
        self._hello = Hello(self._nonce, PROTOCOL)
        self._hello_due_ms = now
        self._receiver = Receiver()
        self._channel: Channel | None = None
        self._answers: dict[int, Answer] = {}
        self._place = 0
        self.states.clear()

    def take(self, data: bytes, now: int) -> None:
        """Take bytes that came, in any pieces; what makes no sense is left out."""
        for frame in self._receiver.take(data):
            if frame.session == 0:
                self._recognise(frame, now)
            elif self._channel is not None and self._channel.take(frame, now):
                self._understand(frame)

    def output(self, now: int) -> bytes:
        if self.stage is Stage.GREETING:
            if now < self._hello_due_ms:
                return b""
            self._hello_due_ms = now + self._hello_ms
            return _hello_frame(self._nonce)
        if self._channel is None:
            return b""
        if self._channel.silent(now):
            self.stage = Stage.LOST
            self._channel = None
            return b""
        return b"".join([encode(frame) for frame in self._channel.frames(now)])

    def due(self) -> int | None:
        """Give when `output` next has something to do by itself; None for never."""
        if self.stage is Stage.GREETING:
            return self._hello_due_ms
        return None if self._channel is None else self._channel.due()

    def send(self, kind: int, payload: bytes) -> int:
        """Send a message and give its number; raise LinkFault when that cannot be done now."""
        if self._channel is None:
            raise LinkFault("the Pico has not answered yet, or not for too long")
        try:
            number = self._channel.send(kind, payload)
        except OSError as error:
            raise LinkFault(f"the Pico does not keep up: {error}") from error
        # Numbers are reused. An answer that was not collected is not this one's.
        self._answers.pop(number, None)
        return number

    def acknowledged(self, number: int) -> bool:
        """Tell whether the Pico has a message, one of the last; in a new session it has not."""
        return self._channel is not None and self._channel.acknowledged(number)

    def answer(self, number: int) -> Answer | None:
        """Give the answer to a message, once; None while there is none."""
        return self._answers.pop(number, None)

    def _recognise(self, frame: Frame, now: int) -> None:
        if frame.kind != IDENT or self.stage is not Stage.GREETING:
            return
        try:
            ident = unpack_ident(frame.payload)
        except ValueError:
            return
        if ident.nonce != self._nonce:
            return
        self.ident = ident
        if ident.protocol != PROTOCOL:
            self.stage = Stage.REFUSED
            return
        self.stage = Stage.READY
        self._channel = Channel(self._hello.session, now, BEAT_MS)

    def _understand(self, frame: Frame) -> None:
        self._place += 1
        if frame.kind == STATE:
            try:
                self.states.append(Report(self._place, unpack_state(frame.payload)))
            except ValueError:
                return
        elif frame.kind in _ANSWERS and frame.payload:
            # An answer that is never collected must not be kept for ever.
            if len(self._answers) >= _MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]
            answer = Answer(self._place, frame.kind, frame.payload)
            self._answers[frame.payload[0]] = answer


def _hello_frame(nonce: int) -> bytes:
    return encode(Frame(HELLO, 0, 0, 0, pack_hello(Hello(nonce, PROTOCOL))))


def stop_frame() -> bytes:
    """Give the bytes that end a firmware of any version, and leave its Pico to MicroPython."""
    return encode(Frame(STOP, 0, 0, 0, b""))
