"""The service of strips on PWM and PCM pins: the only part of the program that needs root.

Owns where its socket comes from, its signals, and when it ends. What it says to boards is in
`hal.drivers.pixel_server`. Must not know games, nor read any file of them.
"""

import grp
import logging
import os
import signal
import socket
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from game.app.errors import AppError
from game.app.service.notify import Notifier
from game.app.service.places import NAME
from hal.drivers.pixel_server import OpenPixels, PixelServer
from hal.drivers.ws281x import open_ws281x

IDLE_S = 60.0
"""How long the service waits for a board; then it ends, and the next board starts it anew."""

_FIRST_FD = 3  # sd_listen_fds(3)
_MODE = 0o660
_BACKLOG = 4

log = logging.getLogger(__name__)


class SocketError(AppError, OSError):
    """Report a socket on which the service cannot listen."""


def serve_pixels(
    path: Path | None = None,
    idle_s: float | None = IDLE_S,
    open_pixels: OpenPixels = open_ws281x,
) -> int:
    """Serve boards until nobody comes for `idle_s`, or until SIGTERM; give the exit status.

    The socket is the one that systemd hands over, or made at a path. Must be called in the main
    thread, for the signals.
    """
    with _handed_over(os.environ, os.getpid()) if path is None else _made(path) as listening:
        server = PixelServer(listening, open_pixels)
        notifier = Notifier.of(os.environ, os.getpid())
        before = {
            number: signal.signal(number, lambda *_: server.stop())
            for number in (signal.SIGTERM, signal.SIGINT)
        }
        try:
            notifier.tell(READY="1")
            if notifier.watchdog_s is None:
                server.serve(idle_s)
            else:
                # Twice as often as is asked for: sd_watchdog_enabled(3).
                beat_s = notifier.watchdog_s / 2
                server.serve(idle_s, lambda: notifier.tell(WATCHDOG="1"), beat_s)
            notifier.tell(STOPPING="1")
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            server.close()
            notifier.close()
            if path is not None:
                with suppress(FileNotFoundError):
                    path.unlink()
    return 0


def _handed_over(environment: Mapping[str, str], pid: int) -> socket.socket:
    """Take the socket that systemd listens on; raise SocketError when there is none.

    sd_listen_fds(3): the variables are meant for the process of that number only.
    """
    if environment.get("LISTEN_PID") != str(pid):
        raise SocketError(
            "the service of the strip was not started by systemd: start it by"
            " `sudo systemctl enable --now lifeboard-pixels.socket`, or name a socket"
        )
    if environment.get("LISTEN_FDS") != "1":
        count = environment.get("LISTEN_FDS", "none")
        raise SocketError(f"systemd hands over {count} sockets: allowed is 1")
    listening = socket.socket(fileno=_FIRST_FD)
    if (listening.family, listening.type) != (socket.AF_UNIX, socket.SOCK_SEQPACKET):
        raise SocketError("systemd hands over another socket: allowed is ListenSequentialPacket=")
    listening.set_inheritable(False)
    return listening


def _made(path: Path) -> socket.socket:
    """Listen at a path, which only root and the service's group may use."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise SocketError(f"{path} is no socket: allowed is one, or nothing")
        path.unlink()  # left over by one that was killed
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # From its first moment on, not only after a chmod.
    mask = os.umask(0o777 & ~_MODE)
    try:
        listening.bind(str(path))
        with suppress(KeyError):
            os.chown(path, -1, grp.getgrnam(NAME).gr_gid)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise SocketError(f"{path} cannot be made: {error.strerror or error}") from error
    finally:
        os.umask(mask)
    return listening
