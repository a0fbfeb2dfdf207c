"""Another program that reads and writes lines, carried by a thread of its own.

Calls from other threads do not block: lines that a hung program does not read stay in memory,
and its output is bounded. Must not know what the lines mean.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import Enum
from threading import Lock, Thread
from typing import Any

MOST_OUTPUT = 1 << 20  # most bytes of output between two calls of `send`
MOST_STDERR = 2000  # how many of the last bytes of standard error are kept
_LAST_TURNS = 5  # turns of the event loop in which it reads what a program wrote before its end
_SERVICE_VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS")
"""Environment variables that systemd sets for the service, not for its child processes."""


class End(Enum):
    """How a program ended."""

    UNSTARTED = "unstarted"  # it could not be started
    GONE = "gone"  # it ended, or closed its standard output
    FLOODING = "flooding"  # it wrote more than MOST_OUTPUT
    SILENT = "silent"  # it wrote nothing for too long
    KILLED = "killed"  # it was killed by `kill`


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended, and why, in English, for a log."""

    how: End
    why: str


class LineProcess(asyncio.SubprocessProtocol):
    """One program, from its start to its end.

    Its own thread calls `wake` when an `is_urgent` line can be read, and when the program has
    ended. One that writes nothing for `silence_s` to twice as long is ended.

    Raises OSError or RuntimeError if the system has no files or threads left.
    """

    def __init__(
        self,
        command: Sequence[str],
        wake: Callable[[], None],
        is_urgent: Callable[[str], bool] = lambda line: True,
        silence_s: float | None = None,
    ) -> None:
        self._command = tuple(command)
        self._wake = wake
        self._is_urgent = is_urgent
        self._silence_s = silence_s
        self._lock = Lock()
        self._received: list[str] = []
        self._output_bytes = 0
        self._ended: Ended | None = None
        self._partial = self._errors = b""
        self._unsent: list[bytes] = []
        self._stdin: Any = None
        self._spoke = True
        self._exited = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._end = self._loop.create_future()
        self._thread = Thread(target=self._run, name="opponent", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._loop.close()
            raise

    @property
    def ended(self) -> Ended | None:
        """How the program ended; None while it runs or has unread lines."""
        with self._lock:
            return None if self._received else self._ended

    def send(self, *lines: str) -> None:
        """Send lines, as soon as the program reads them."""
        with self._lock:
            self._output_bytes = 0
        self._call(self._write, "".join(f"{line}\n" for line in lines).encode())

    def lines(self) -> list[str]:
        """Return the lines that came since the last call."""
        with self._lock:
            received, self._received = self._received, []
        return received

    def kill(self) -> None:
        """Have the thread end the program, with all processes that it started."""
        self._call(self._finish, End.KILLED, "it was killed")

    def join(self, timeout_s: float) -> None:
        """Wait until the program has ended, or for the timeout."""
        self._thread.join(timeout_s)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the program and its loop have ended
            self._loop.call_soon_threadsafe(function, *arguments)

    def _run(self) -> None:
        """Start the program, and carry lines until one side ends; on the thread, as all below."""
        with closing(self._loop):
            ended = self._loop.run_until_complete(self._carry())
        with self._lock:
            self._ended = ended
        self._wake()

    async def _carry(self) -> Ended:
        environment = {k: v for k, v in os.environ.items() if k not in _SERVICE_VARIABLES}
        try:
            # Use a group of its own: Ctrl-C at a terminal spares it, and all its children can be
            # killed. Not a session: `nice` counts within a session only (autogroups).
            transport, _ = await self._loop.subprocess_exec(
                lambda: self, *self._command, env=environment, process_group=0
            )
        except (OSError, ValueError) as error:
            return Ended(End.UNSTARTED, str(error))
        self._stdin = transport.get_pipe_transport(0)
        self._write(b"".join(self._unsent))
        try:
            while self._spoke and not self._end.done():
                self._spoke = False
                await asyncio.wait([self._end], timeout=self._silence_s)
            if not self._end.done():
                self._finish(End.SILENT, f"it wrote nothing for {self._silence_s:g} s")
            for _ in range(_LAST_TURNS):
                await asyncio.sleep(0)
            ended: Ended = self._end.result()
            last = self._errors.decode(errors="replace").strip().rpartition("\n")[2]
            return Ended(End.GONE, last or ended.why) if ended.how is End.GONE else ended
        finally:
            with suppress(OSError):
                os.killpg(transport.get_pid(), signal.SIGKILL)
            transport.close()
            await self._exited.wait()

    def _finish(self, how: End, why: str) -> None:
        if not self._end.done():
            self._end.set_result(Ended(how, why))

    def _write(self, data: bytes) -> None:
        if self._stdin is None:
            self._unsent.append(data)
        else:
            self._stdin.write(data)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Store what the program wrote: complete lines, and the end of standard error."""
        self._spoke = True
        if fd == 2:
            self._errors = (self._errors + data)[-MOST_STDERR:]
            return
        *lines, self._partial = (self._partial + data).split(b"\n")
        texts = [line.decode(errors="replace").rstrip("\r") for line in lines]
        with self._lock:
            self._output_bytes += len(data)
            if self._output_bytes > MOST_OUTPUT:
                sample = repr(data[:40].decode(errors="replace"))
                self._finish(End.FLOODING, f"it wrote too much, such as {sample}")
                return
            self._received += texts
        if any(map(self._is_urgent, texts)):
            self._wake()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """End the program when it closes its standard output."""
        if fd == 1:
            self._finish(End.GONE, "it closed its output")

    def process_exited(self) -> None:
        """End it although its child processes may hold its output open."""
        self._exited.set()
        self._finish(End.GONE, "it has ended")
