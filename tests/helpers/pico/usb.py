"""The USB serial port of an emulated Pico: a pseudo-terminal that comes and goes with its cable.

Owns the terminal, its name, and the byte counts in both directions. Must not know what the bytes
mean; times are only passed through.
"""

import contextlib
import os
import pty
import select
import shutil
import tempfile
import tty
import weakref
from collections import deque
from pathlib import Path

_CHUNK = 65536
_LATE_S = 60.0


class UsbPort:
    """Stands in for the kernel's device of a Pico: `path` is a link to the terminal, if any.

    `written` counts the bytes that went to the host since the terminal was opened, `received` those
    that came, `connection` how often it was opened. What is written while no host has it open, or
    while a host does not read, is lost; `lost` counts that.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pico-"))
        # Also without a call of `close`.
        self._forget = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self.path = str(self._folder / "tty")
        self.connection = 0
        self.written = 0
        self.received = 0
        self.lost = 0
        self._master: int | None = None
        self._sent: deque[tuple[int, float]] = deque()
        # Received and not taken yet, in order: when, and what.
        self._input: deque[tuple[float, bytes]] = deque()

    @property
    def open(self) -> bool:
        """Whether the terminal exists."""
        return self._master is not None

    @property
    def handle(self) -> int | None:
        """The file descriptor to wait on for input."""
        return self._master

    @property
    def connected(self) -> bool:
        """Whether a host has the terminal open."""
        return self._master is not None and not self._events() & select.POLLHUP

    @property
    def arrival(self) -> float | None:
        """When the oldest byte that was not taken yet arrived; None for none."""
        return self._input[0][0] if self._input else None

    def arrival_of(self, byte: int) -> float | None:
        """Return when the first of such a byte arrived that was not taken yet; None for none."""
        return next((when for when, data in self._input if byte in data), None)

    def plug(self) -> None:
        """Open a terminal, as when the cable is plugged in."""
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        # From here on the terminal shows whether a host has it open.
        path = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        self.connection += 1
        self.written = self.received = 0
        fresh = self._folder / "fresh"
        fresh.symlink_to(path)
        fresh.rename(self.path)

    def unplug(self) -> None:
        """Remove the terminal, and the bytes in transit."""
        if self._master is not None:
            Path(self.path).unlink()
            os.close(self._master)
        self._master = None
        self._sent.clear()
        self._input.clear()

    def sent(self, count: int, now: float) -> None:
        """Take how many bytes the host has written in all."""
        self._sent.append((count, now))

    def collect(self, now: float) -> None:
        """Collect input from the host, and wait for all announced bytes."""
        while self._master is not None:
            with contextlib.suppress(BlockingIOError):
                self._keep(self._read(), now)
            if not self._sent or self.received >= self._sent[-1][0] or not self.connected:
                break
            if not select.select([self._master], [], [], _LATE_S)[0]:
                missing = self._sent[-1][0] - self.received
                raise TimeoutError(f"{missing} bytes that the host wrote never came")
        self._sent.clear()

    def take(self, now: float) -> bytes:
        """Return what has arrived by now, once."""
        parts = []
        while self._input and self._input[0][0] <= now:
            parts.append(self._input.popleft()[1])
        return b"".join(parts)

    def noise(self, data: bytes, now: float) -> None:
        """Insert bytes that no side has sent."""
        if data and self._master is not None:
            self._input.append((now, data))

    def write(self, data: bytes) -> None:
        """Send bytes to the host."""
        count = 0
        if self._master is not None and self.connected:
            with contextlib.suppress(BlockingIOError):
                while count < len(data):
                    count += os.write(self._master, data[count:])
        self.written += count
        self.lost += len(data) - count

    def close(self) -> None:
        """Unplug, and remove the name."""
        self.unplug()
        self._forget()

    def _events(self) -> int:
        poller = select.poll()
        poller.register(self._master if self._master is not None else -1, select.POLLIN)
        return dict(poller.poll(0)).get(self._master or -1, 0)

    def _read(self) -> bytes:
        """Read what is there; a host that has closed its end is no error."""
        try:
            return os.read(self._master if self._master is not None else -1, _CHUNK)
        except BlockingIOError:
            raise
        except OSError:
            return b""

    def _keep(self, data: bytes, now: float) -> None:
        """Note when each byte was sent, if announced, else that it came now."""
        while data:
            while self._sent and self._sent[0][0] <= self.received:
                self._sent.popleft()
            count, when = self._sent[0] if self._sent else (self.received + len(data), now)
            part, data = data[: count - self.received], data[count - self.received :]
            self._input.append((when, part))
            self.received += len(part)
