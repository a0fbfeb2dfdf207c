"""Another program that reads and writes lines.

Owns its process, its pipes, and the thread that starts it, carries lines both ways, and ends
it. Calls from other threads do not block: lines that a hung program does not read stay in memory,
and its output is bounded. Must not know what the lines mean.
"""

import os
import select
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from threading import Lock, Thread

MOST_OUTPUT = 1 << 20  # most bytes of output between two calls of `send`
MOST_STDERR = 2000  # how many of the last bytes of standard error are kept
_CHUNK = 1 << 16
_SERVICE_VARIABLES = (
    *("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS"),
)
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


class LineProcess:
    """One program, from its start to its end.

    Its own thread calls `wake` when an `is_urgent` line can be read, and when the program has
    ended. `silence_s` is the longest time without output.

    Raises OSError or RuntimeError if the system has no pipes or threads left.
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
        self._unsent: deque[bytes] = deque()
        self._ended: Ended | None = None
        self._killed = False
        self._wake_out, self._wake_in = os.pipe()
        for each in (self._wake_out, self._wake_in):
            os.set_blocking(each, False)
        self._thread = Thread(target=self._run, name="opponent", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            os.close(self._wake_out)
            os.close(self._wake_in)
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
            self._unsent.append("".join(f"{line}\n" for line in lines).encode())
            self._wake_thread()

    def lines(self) -> list[str]:
        """Return the lines that came since the last call."""
        with self._lock:
            received, self._received = self._received, []
        return received

    def kill(self) -> None:
        """Have the thread end the program, with all processes that it started."""
        with self._lock:
            self._killed = True
            self._wake_thread()

    def join(self, timeout_s: float) -> None:
        """Wait until the program has ended, or for the timeout."""
        self._thread.join(timeout_s)

    def _wake_thread(self) -> None:
        """Interrupt the thread's `select`; the caller holds the lock, so that the pipe is open."""
        if self._ended is None:
            # A full pipe already wakes the thread.
            with suppress(BlockingIOError):
                os.write(self._wake_in, b"!")

    def _run(self) -> None:
        """Start the program, and carry lines until one side ends; on the thread."""
        try:
            with subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={k: v for k, v in os.environ.items() if k not in _SERVICE_VARIABLES},
                # Use a group of its own: Ctrl-C at a terminal spares it, and all its children can
                # be killed. Not a session: `nice` counts within a session only (autogroups).
                process_group=0,
            ) as process:
                ended = self._carry(process)
        except (OSError, ValueError) as error:
            ended = Ended(End.UNSTARTED, str(error))
        with self._lock:
            self._ended = ended
            os.close(self._wake_in)
            os.close(self._wake_out)
        self._wake()

    def _carry(self, process: "subprocess.Popen[bytes]") -> Ended:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        source, errors = process.stdout.fileno(), _StderrTail(process.stderr.fileno())
        target = process.stdin.fileno()
        os.set_blocking(target, False)
        takes_input = True
        exits = _exit_files(process.pid)
        partial = b""
        try:
            while True:
                with self._lock:
                    if self._killed:
                        return Ended(End.KILLED, "it was killed")
                    sends = bool(self._unsent) and takes_input
                readable = [source, self._wake_out, *errors.open, *exits]
                ready, writable, _ = select.select(
                    readable, [target] if sends else [], [], self._silence_s
                )
                if not ready and not writable:
                    return Ended(End.SILENT, f"it wrote nothing for {self._silence_s:g} s")
                if self._wake_out in ready:
                    with suppress(BlockingIOError):
                        os.read(self._wake_out, _CHUNK)
                if errors.number in ready:
                    errors.read()
                if writable:
                    takes_input = self._write(target)
                if source in ready:
                    chunk = os.read(source, _CHUNK)
                    if not chunk:
                        errors.read()
                        return Ended(End.GONE, errors.text or "it closed its output")
                    *lines, partial = (partial + chunk).split(b"\n")
                    if not self._take(lines, len(chunk)):
                        sample = repr(chunk[:40].decode(errors="replace"))
                        return Ended(End.FLOODING, f"it wrote too much, such as {sample}")
                elif any(each in ready for each in exits):
                    # Its child processes may hold its output open.
                    errors.read()
                    return Ended(End.GONE, errors.text or "it has ended")
        finally:
            for each in exits:
                os.close(each)
            # The PID is not reused until the process is waited for.
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)

    def _write(self, target: int) -> bool:
        """Write as much as the pipe takes; return False if the program reads no more."""
        with self._lock:
            data = self._unsent.popleft()
            try:
                written = os.write(target, data)
            except BlockingIOError:
                written = 0
            except OSError:
                return False
            if data[written:]:
                self._unsent.appendleft(data[written:])
        return True

    def _take(self, lines: Sequence[bytes], size: int) -> bool:
        """Store lines until they are read; return False if there was too much output."""
        texts = [line.decode(errors="replace").rstrip("\r") for line in lines]
        with self._lock:
            self._output_bytes += size
            too_much = self._output_bytes > MOST_OUTPUT
            if not too_much:
                self._received += texts
        if any(map(self._is_urgent, texts)):
            self._wake()
        return not too_much


class _StderrTail:
    """The end of a program's standard error."""

    def __init__(self, number: int) -> None:
        os.set_blocking(number, False)
        self.number = number
        self.open = [number]
        self._last_errors = b""

    @property
    def text(self) -> str:
        """The last line that is not blank."""
        lines = self._last_errors.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def read(self) -> None:
        if self.open:
            with suppress(BlockingIOError):
                chunk = os.read(self.number, _CHUNK)
                self._last_errors = (self._last_errors + chunk)[-MOST_STDERR:]
                if not chunk:
                    self.open.clear()


def _exit_files(process: int) -> list[int]:
    """Open a file that becomes readable when a process ends, if the system has such files."""
    with suppress(AttributeError, OSError):
        return [os.pidfd_open(process)]
    return []
