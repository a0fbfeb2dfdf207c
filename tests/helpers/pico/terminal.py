"""A pseudo-terminal at which programs find an emulated Pico, in real time."""

import contextlib
import os
import pty
import select
import shutil
import tempfile
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

from hal.backends.backend import Clock
from tests.helpers.pico.pico import Pico

_CHUNK = 4096
_IDLE_S = 0.002
_MOST_STEP_S = 0.05
"""Far longer than the longest sleep of an idle Pico."""


class StallFreeClock:
    """A clock that skips the time in which a busy computer did not read it.

    A Pico that had to catch up would fall further behind, and would not answer meanwhile.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked_s = self._now_s = clock()
        self._lock = threading.Lock()

    def __call__(self) -> float:
        """Return the time, at most one step after the last call's."""
        with self._lock:
            asked_s, self._asked_s = self._asked_s, self._clock()
            self._now_s += min(self._asked_s - asked_s, _MOST_STEP_S)
            return self._now_s


class Terminal:
    """Let a Pico appear at `path`, a link to a terminal that comes and goes with its cable.

    `lock` is held while the Pico runs, and by all others that touch it.
    """

    def __init__(self, pico: Pico) -> None:
        self.lock = threading.RLock()
        self._folder = Path(tempfile.mkdtemp(prefix="pico-"))
        self.path = pico.path = str(self._folder / "tty")
        self._pico = pico
        self._master: int | None = None
        self._connection = 0

    @property
    def there(self) -> bool:
        """Whether programs find the port now."""
        return self._master is not None

    @contextlib.contextmanager
    def live(self) -> Iterator[None]:
        """Run the Pico in a thread, once its port is there; its clock must be a real one."""
        ended = threading.Event()

        def run() -> None:
            while not ended.is_set():
                self.step()

        while not self.there:
            self.step()
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self._remove()
            shutil.rmtree(self._folder, ignore_errors=True)

    def step(self) -> None:
        """Run the Pico up to now, and transfer what either side has sent."""
        with self.lock:
            self._pico.settle()
            usb = self._pico.usb
            if (self._master is not None and usb.connection != self._connection) or not usb.plugged:
                self._remove()
            if usb.plugged and self._master is None:
                self._make()
            master = self._master
            if master is not None:
                self._carry(master)
        # A terminal that no program has open is ready at once, and for ever.
        select.select([master] if master is not None and usb.opened else [], [], [], _IDLE_S)

    def _carry(self, master: int) -> None:
        usb = self._pico.usb
        poller = select.poll()
        poller.register(master, select.POLLIN)
        events = dict(poller.poll(0)).get(master, 0)
        usb.opened = not events & select.POLLHUP
        if events & select.POLLIN:
            with contextlib.suppress(OSError):
                usb.to_pico += os.read(master, _CHUNK)
        if not usb.opened:
            usb.to_host.clear()
        with contextlib.suppress(OSError):
            del usb.to_host[: os.write(master, usb.to_host[:_CHUNK]) if usb.to_host else 0]

    def _make(self) -> None:
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        # From here on the terminal shows whether a program has it open.
        os.close(slave)
        os.set_blocking(self._master, False)
        self._connection = self._pico.usb.connection
        fresh = self._folder / "fresh"
        fresh.symlink_to(name)
        fresh.rename(self.path)

    def _remove(self) -> None:
        if self._master is not None:
            Path(self.path).unlink()
            os.close(self._master)
        self._master = None
