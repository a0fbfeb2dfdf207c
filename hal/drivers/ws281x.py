"""Pixels on a PWM or PCM pin, driven by a root process (`hal.drivers.ws281x_helper`)."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from hal.base.errors import LightsFault
from hal.drivers import ws281x_helper as helper
from hal.lights import Frame, levels
from hal.profile import Strip

SOCKET = Path("/run/lifeboard-pixels.socket")
"""Where systemd listens, as `lifeboard-pixels.socket` says too."""
ANSWER_S = 4.0
"""How long an answer may take: the first one needs another Python, two seconds on a Zero 2 W."""
_LOG = "`journalctl -u 'lifeboard-pixels@*'` says why"


class HelperPixels:
    """The pixels of a strip, driven over a connection by a helper: `process` if we started it."""

    def __init__(
        self,
        connection: socket.socket,
        strip: Strip,
        process: "subprocess.Popen[bytes] | None" = None,
    ) -> None:
        self._connection = connection
        self._strip = strip
        self._process = process
        connection.settimeout(ANSWER_S)
        try:
            self._ask(helper.hello(strip.pin, strip.pixels, len(strip.order)))
        except LightsFault:
            self.close()
            raise

    def show(self, frame: Frame) -> None:
        self._ask(levels(frame, self._strip.order))

    def close(self) -> None:
        """End the connection, and wait until the lights are dark."""
        with suppress(OSError), self._connection:
            self._connection.shutdown(socket.SHUT_WR)
            while self._connection.recv(1000):
                pass
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(ANSWER_S)
            self._process.kill()
            self._process.wait()

    def _ask(self, packet: bytes) -> None:
        """Send a packet and read its answer; raise LightsFault for any other than OK."""
        try:
            # A helper that has ended may have sent its reason.
            answer = b""
            with suppress(BrokenPipeError):
                self._connection.send(packet)
            with suppress(ConnectionResetError):
                answer = self._connection.recv(1000)
        except OSError as error:
            raise LightsFault(f"the strip's helper does not answer ({error}): {_LOG}") from error
        if answer != helper.OK:
            said = answer.decode(errors="replace")
            raise LightsFault(said or f"the strip's helper has ended: {_LOG}")


def open_ws281x(strip: Strip, path: Path = SOCKET) -> HelperPixels:
    """Open a strip by the service's helper, or as root by one of our own; raises LightsFault."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.connect(str(path))
    except OSError as error:
        connection.close()
        if os.geteuid() == 0:
            ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with its:
                # A session of its own, so that Ctrl-C reaches only us: `close` darkens its lights.
                command = [sys.executable, "-m", helper.__name__]
                process = subprocess.Popen(command, stdin=its.fileno(), start_new_session=True)
            return HelperPixels(ours, strip, process)
        raise LightsFault(
            f'strip driver "{strip.driver}" needs root: put sudo before the command, or let the'
            f" service play ({path}: {error.strerror}), or {helper.INSTEAD}"
        ) from error
    return HelperPixels(connection, strip)
