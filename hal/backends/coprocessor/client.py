"""A Pico at the end of a port: opened, greeted, asked, and found again when it was unplugged."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from random import Random

from firmware.messages import FAILED, PROTOCOL, VERSION, Ident, unpack_failed
from hal.backends.backend import Clock
from hal.backends.coprocessor.link import PROBE_MS, Answer, Link, Report, Stage, stop_frame
from hal.backends.coprocessor.port import Port
from hal.base.errors import LinkFault, WrongFirmware

# For users of `ask_ident`.
__all__ = [
    "PROTOCOL",
    "VERSION",
    "Client",
    "Ident",
    "OpenPort",
    "Question",
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
OpenPort = Callable[[str, Callable[[], None]], Port]
"""Opens a port by its URL, and calls the other argument, on any thread, when something has come.

Raises LinkFault when that cannot be done."""


class Client:
    """Talk to the Pico at a port. One thread owns it.

    `fault` says why the line is down, None while it is up. `sessions` counts how often it came up.
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
        self._url = url
        self._clock = clock
        self._open_port = open_port
        self._on_input = on_input
        self._port: Port | None = None
        self._reopen_due_s = -inf
        self._link = Link(chance, self._now_ms())

    @property
    def ident(self) -> Ident | None:
        """Give who answered last."""
        return self._link.ident

    @property
    def waiting(self) -> int:
        """Count the messages that the Pico has not acknowledged yet."""
        return self._link.waiting

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
        if self._port is None and now >= self._reopen_due_s:
            self._reopen(now)
        if self._port is None:
            return
        try:
            self._exchange(self._port)
        except LinkFault as fault:
            self._drop(fault, now + REOPEN_S)
            return
        self._judge(now)

    def due(self) -> float:
        """Give when `attend` next has something to do by itself, in seconds of the clock."""
        if self._port is None:
            return self._reopen_due_s
        due_ms = self._link.due()
        return inf if due_ms is None else due_ms / 1000

    def states(self) -> list[Report]:
        """Take what the Pico has told, oldest first."""
        states = list(self._link.states)
        self._link.states.clear()
        return states

    def post(self, kind: int, payload: bytes) -> int:
        """Send a message that is not answered, and give its number; raise LinkFault when down."""
        self._check_up()
        number = self._link.send(kind, payload)
        self.attend()
        return number

    def now(self) -> float:
        """Give the time of the clock that answers are waited for by, in seconds."""
        return self._clock()

    def failed(self, number: int) -> bool:
        """Tell, once, whether the Pico could not follow a message that it does not answer."""
        answer = self._link.answer(number)
        return answer is not None and answer.kind == FAILED

    def has(self, number: int) -> bool:
        """Tell whether the Pico has a message that was posted in this session."""
        return self._link.acknowledged(number)

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
        while (answer := self._link.answer(number)) is None:
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

    def _reopen(self, now: float) -> None:
        try:
            self._port = self._open_port(self._url, self._on_input)
        except LinkFault as fault:
            self._drop(fault, now + REOPEN_S)
            return
        self._link.greet(self._now_ms())

    def _exchange(self, port: Port) -> None:
        self._link.take(port.read(), self._now_ms())
        output = self._link.output(self._now_ms())
        if output:
            port.write(output)

    def _judge(self, now: float) -> None:
        """Follow what the exchange has made of the link."""
        stage = self._link.stage
        if stage is Stage.READY:
            if self.fault is not None:
                self.sessions += 1
                self.fault = None
        elif stage is Stage.REFUSED:
            self._drop(wrong_firmware(self._link.ident), now + REFUSED_S)
        else:
            # While a wrong firmware is asked again, it is still the one that is known.
            if not isinstance(self.fault, WrongFirmware):
                self.fault = LinkFault(
                    f"no answer at serial port {self._url}: is the Pico's firmware on it?"
                    " `lifeboard flash` brings it there"
                )
            if stage is Stage.LOST:
                self._link.greet(self._now_ms())

    def _drop(self, fault: LinkFault, reopen_s: float) -> None:
        self.fault = fault
        self._reopen_due_s = reopen_s
        port, self._port = self._port, None
        if port is not None:
            with suppress(LinkFault):
                port.close()

    def _pause(self, deadline_s: float) -> None:
        """Wait for input, no longer than until something is due."""
        if self._port is not None:
            self._port.wait(max(0.0, min(self.due(), deadline_s) - self._clock()))

    def _now_ms(self) -> int:
        return _whole_ms(self._clock())


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


def wrong_firmware(ident: Ident | None) -> WrongFirmware:
    """Say that a Pico speaks another protocol, and what mends it."""
    if ident is None:
        raise ValueError("ident is None: allowed is what a Pico has said")
    version = ".".join(map(str, ident.version))
    return WrongFirmware(
        f"the Pico has firmware {version} with protocol {ident.protocol}, and this lifeboard speaks"
        f" protocol {PROTOCOL}: exchange it with `lifeboard flash`"
    )


def _whole_ms(time_s: float) -> int:
    """Give the whole milliseconds that have passed; a time that was one must give it again."""
    return int(time_s * 1000 + 0.001)


def ask_ident(port: Port, clock: Clock, timeout_s: float) -> Ident:
    """Greet the device at a port until it identifies itself, in any version of the protocol.

    Raises LinkFault when it does not answer.
    """
    link = Link(Random(), _whole_ms(clock()), PROBE_MS)
    deadline_s = clock() + timeout_s
    while link.stage is Stage.GREETING:
        now = clock()
        if now >= deadline_s:
            raise LinkFault(f"no answer within {timeout_s} s")
        output = link.output(_whole_ms(now))
        if output:
            port.write(output)
        due_ms = link.due()
        port.wait(max(0.0, min(deadline_s, inf if due_ms is None else due_ms / 1000) - now))
        link.take(port.read(), _whole_ms(clock()))
    if link.ident is None:
        raise LinkFault("the device answered, but did not identify itself")
    return link.ident


def stop_firmware(port: Port) -> None:
    """Tell the firmware to end: the Pico restarts with MicroPython's own prompt."""
    port.write(stop_frame())
