"""Pixels that a service of the system drives, because their pins need root and the board has none.

Owns the board's end of the link: the socket, how long an answer may take, and what is said when the
service cannot be reached. Must not know how the messages are written (`hal.drivers.pixel_wire`).
"""

import socket
from contextlib import suppress
from pathlib import Path

from hal.drivers.pixel_wire import (
    BYE,
    MOST_ANSWER_BYTES,
    check_answer,
    encode_frame,
    encode_hello,
)
from hal.errors import LightsFault
from hal.light import Frame, check_length
from hal.profile import Strip

SOCKET = Path("/run/lifeboard-pixels.sock")
"""Where the service is asked, as `lifeboard-pixels.socket` says too."""

# The first call starts the service, which takes a second or two on a Zero 2 W.
_HELLO_S = 3.0
# The longest strip takes 60 ms.
_FRAME_S = 1.0
_RESTART = "`sudo systemctl restart lifeboard-pixels.socket` starts it"


class PixelLink:
    """Show frames through the service at the other end of a connection.

    After a fault the link is over: an answer that comes late must not be taken for the next one's.
    """

    def __init__(self, connection: socket.socket, strip: Strip) -> None:
        self._connection: socket.socket | None = connection
        self._strip = strip
        connection.settimeout(_HELLO_S)
        self._ask(encode_hello(strip))
        connection.settimeout(_FRAME_S)

    def show(self, frame: Frame) -> None:
        """Send a frame, and wait until the pixels have it; raise LightsFault when they do not."""
        check_length(frame, self._strip.pixels)
        self._ask(encode_frame(frame))

    def close(self) -> None:
        """Let the service put the lights out; calling it again does nothing."""
        if self._connection is None:
            return
        try:
            self._ask(BYE)
        finally:
            self._let_go()

    def _ask(self, message: bytes) -> None:
        """Send a message and read its answer; raise LightsFault, and let go, when that fails."""
        if self._connection is None:
            raise LightsFault("the link to the service of the strip is over: open another")
        try:
            _send(self._connection, message)
            answer = _receive(self._connection)
            if not answer:
                raise LightsFault("the service of the strip has gone: it starts again when asked")
            check_answer(answer)
        except LightsFault:
            self._let_go()
            raise
        except OSError as error:
            self._let_go()
            why = "too late" if isinstance(error, TimeoutError) else error
            raise LightsFault(f"the service of the strip does not answer ({why})") from error

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def open_link(strip: Strip, path: Path = SOCKET) -> PixelLink:
    """Ask the service for a strip; raise LightsFault that says what to do when it cannot be had."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.settimeout(_HELLO_S)
        connection.connect(str(path))
    except PermissionError as error:
        connection.close()
        raise LightsFault(
            f"{path} may not be used by this user: allowed are root and the group lifeboard, as"
            " which `sudo lifeboard service` runs its commands"
        ) from error
    except OSError as error:
        connection.close()
        raise LightsFault(
            f"the service of the strip cannot be reached at {path} ({error}): {_RESTART}"
        ) from error
    return PixelLink(connection, strip)


def _send(connection: socket.socket, message: bytes) -> None:
    # A service that hangs up says before why.
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.send(message)


def _receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(MOST_ANSWER_BYTES)
    except ConnectionResetError:
        # It hung up before it read our message. What it said before is still there.
        return connection.recv(MOST_ANSWER_BYTES)
