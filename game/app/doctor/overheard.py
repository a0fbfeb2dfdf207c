"""A port at which everything is kept that comes in, to tell afterwards who sits at its other end.

Owns how MicroPython's prompt is made to say its name. Must not know our own protocol.
"""

from collections.abc import Callable

from hal.coprocessor.port import Port

BANNER_S = 1.0
_NAME = "MicroPython"
_MOST_BYTES = 4096
# Enter ends a line that bytes of ours have begun, Ctrl-C any mode of the prompt but the raw one,
# and Ctrl-B that one; the prompt then says its name (MicroPython's shared/runtime/pyexec.c).
_ASK = b"\r\x03\x02"
_PROMPTS = (b">>> ", b"raw REPL")


class Overheard:
    """Pass all on to a port, and keep the newest of what comes. It is a `hal.coprocessor` Port."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._heard = b""

    def read(self) -> bytes:
        """Give what has come; raise LinkFault when the port is gone."""
        data = self._port.read()
        self._heard = (self._heard + data)[-_MOST_BYTES:]
        return data

    def write(self, data: bytes) -> None:
        """Write bytes; raise LinkFault when they cannot be written."""
        self._port.write(data)

    def wait(self, timeout_s: float) -> None:
        """Sleep until something has come, or the time-out."""
        self._port.wait(timeout_s)

    def close(self) -> None:
        """Let go of the port; calling it again does nothing."""
        self._port.close()

    def prompt(self, clock: Callable[[], float]) -> str:
        """Say which MicroPython's prompt is there, nothing for none; raise LinkFault for no port.

        `clock` gives monotonic seconds.
        """
        self.write(_ASK)
        end_s = clock() + BANNER_S
        while not self._banner() and (left_s := end_s - clock()) > 0:
            self.wait(left_s)
            self.read()
        if banner := self._banner():
            return banner
        return _NAME if any(prompt in self._heard for prompt in _PROMPTS) else ""

    def _banner(self) -> str:
        """Find the whole line with the name: "MicroPython v1.25.0 on 2025-04-15; ..."."""
        lines = self._heard.decode("utf-8", errors="replace").splitlines(keepends=True)
        named = (line.strip() for line in lines if line.endswith("\n"))
        return next((line[line.index(_NAME) :] for line in named if _NAME in line), "")
