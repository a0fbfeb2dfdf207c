"""The root end of the link to pixels on PWM and PCM pins: it owns the strip, and nothing else.

Owns who is served, one at a time, and that the lights go out when he goes. Trusts nobody: what is
not allowed ends the link and not the service. Must not know what the lights mean, nor how the
messages are written (`hal.drivers.pixel_wire`).
"""

import logging
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector

from hal.drivers.pixel_wire import (
    BYE,
    DONE,
    MOST_BYTES,
    decode_frame,
    decode_hello,
    encode_fault,
)
from hal.drivers.ws281x import open_ws281x
from hal.profile import Strip
from hal.strip import Pixels

HELLO_S = 2.0
"""How long a guest may keep the place without having asked for a strip."""

log = logging.getLogger(__name__)

OpenPixels = Callable[[Strip], Pixels]


class PixelServer:
    """Serve the strip to those who come to a listening SOCK_SEQPACKET socket, one at a time.

    `stop` may be called from a signal handler and from other threads.
    """

    def __init__(
        self,
        listening: socket.socket,
        open_pixels: OpenPixels = open_ws281x,
        hello_s: float = HELLO_S,
    ) -> None:
        self._listening = listening
        self._open_pixels = open_pixels
        self._hello_s = hello_s
        self._guest: _Guest | None = None
        # When the guest who has not said hello must have, or a service without one ends.
        self._patience = 0.0
        self._stopped, self._stopping = socket.socketpair()
        for each in (listening, self._stopped, self._stopping):
            each.setblocking(False)
        self._selector = DefaultSelector()
        self._selector.register(listening, EVENT_READ)
        self._selector.register(self._stopped, EVENT_READ)

    def serve(
        self,
        idle_s: float | None = None,
        beat: Callable[[], object] = lambda: None,
        beat_s: float | None = None,
    ) -> None:
        """Serve until stopped, or until nobody came for `idle_s`, and put the lights out then.

        `beat` is called at least every `beat_s`, and not while the strip hangs.
        """
        self._patience = _after(idle_s)
        try:
            while not self._step(idle_s, beat_s):
                beat()
        finally:
            self._part()

    def stop(self) -> None:
        """Let `serve` end."""
        with suppress(BlockingIOError):
            self._stopping.send(b"x")

    def close(self) -> None:
        """Let go of everything, the listening socket too."""
        self._part()
        self._selector.close()
        for each in (self._listening, self._stopped, self._stopping):
            each.close()

    def _step(self, idle_s: float | None, beat_s: float | None) -> bool:
        """Do what is due next, and tell whether that was the end."""
        wait_s = None
        served = self._guest is not None and self._guest.served
        if not served:
            wait_s = max(0.0, self._patience - time.monotonic())
        if beat_s is not None:
            wait_s = beat_s if wait_s is None else min(wait_s, beat_s)
        # Infinity is no time to wait.
        events = self._selector.select(None if wait_s == float("inf") else wait_s)
        ready = {key.fileobj for key, _ in events}
        if self._stopped in ready:
            return True
        if self._guest is not None and self._guest.connection in ready:
            # The guest comes first: who has just gone makes place for who has just come.
            if not self._guest.hear():
                self._part()
                self._patience = _after(idle_s)
        elif not served and time.monotonic() >= self._patience:
            if self._guest is None and self._listening not in ready:
                return True
            if self._guest is not None:
                self._guest.refuse(f"no hello within {self._hello_s} s")
                self._part()
                self._patience = _after(idle_s)
        if self._listening in ready:
            self._meet()
        return False

    def _meet(self) -> None:
        try:
            connection, _ = self._listening.accept()
        except (BlockingIOError, ConnectionError):
            return  # gone again
        connection.setblocking(False)
        guest = _Guest(connection, self._open_pixels)
        if self._guest is not None:
            guest.refuse(
                f"the strip is in use by process {self._guest.pid}: allowed is one at a time"
            )
            guest.close()
            return
        self._guest = guest
        self._patience = _after(self._hello_s)
        self._selector.register(connection, EVENT_READ)

    def _part(self) -> None:
        if self._guest is not None:
            self._selector.unregister(self._guest.connection)
            self._guest.close()
            self._guest = None


class _Guest:
    """Hold one connection and the strip that it was given."""

    def __init__(self, connection: socket.socket, open_pixels: OpenPixels) -> None:
        self.connection = connection
        self.pid = _pid_of(connection)
        self._open_pixels = open_pixels
        self._pixels: Pixels | None = None
        self._count = 0

    @property
    def served(self) -> bool:
        """Tell whether the guest has a strip."""
        return self._pixels is not None

    def hear(self) -> bool:
        """Do what the next message says and answer it; tell whether the link goes on."""
        try:
            # Who sends more than is allowed is seen by one byte too many.
            message = self.connection.recv(MOST_BYTES + 1)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not message:
            return False
        try:
            goes_on = self._obey(message)
        except OSError as error:
            self.refuse(str(error))
            return False
        return self._answer(DONE) and goes_on

    def refuse(self, why: str) -> None:
        """Say what is wrong; the link is over then."""
        log.warning("process %d: %s", self.pid, why)
        self._answer(encode_fault(why))

    def close(self) -> None:
        """Put the lights out and hang up."""
        try:
            self._let_go()
        except OSError as error:
            log.warning("the lights cannot be put out: %s", error)
        self.connection.close()

    def _obey(self, message: bytes) -> bool:
        """Do what a message says; raise OSError when that is not allowed or fails."""
        if self._pixels is None:
            strip = decode_hello(message)
            self._pixels = self._open_pixels(strip)
            self._count = strip.pixels
            log.info("process %d has %d pixels on %s", self.pid, self._count, strip.driver)
            return True
        if message == BYE:
            self._let_go()
            return False
        self._pixels.show(decode_frame(message, self._count))
        return True

    def _let_go(self) -> None:
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            pixels.close()

    def _answer(self, answer: bytes) -> bool:
        try:
            self.connection.send(answer)
        except OSError:
            return False  # gone, or it does not read what it is told
        return True


def _after(seconds: float | None) -> float:
    return float("inf") if seconds is None else time.monotonic() + seconds


def _pid_of(connection: socket.socket) -> int:
    """Tell which process is at the other end; who may connect is told by the socket's mode."""
    credentials = struct.Struct("3i")
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
    return int(credentials.unpack(raw)[0])
