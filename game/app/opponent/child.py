"""A program that runs beside ours, and is spoken with in lines.

Owns its process, its pipes, and the one thread that starts it, carries lines both ways, and ends
it. No call of another thread ever waits: what a hung program does not read stays here, and what a
wild one writes is bounded. Must not know what is said.
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

MOST_TALK = 1 << 20
"""Bytes that it may write without being spoken to."""
MOST_LAST_WORDS = 2000
"""So much is kept of what it writes to standard error, in bytes."""
_PIECE = 1 << 16
_SERVICES = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS")
"""What systemd tells the service alone."""


class End(Enum):
    """How a program ended."""

    UNSTARTED = "unstarted"
    """It could not be started at all."""
    GONE = "gone"
    """It ended, or closed its standard output."""
    WILD = "wild"
    """It wrote more than anybody could read."""
    KILLED = "killed"
    """Its end was asked for."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Say how a program ended, and why, in English, for a log."""

    how: End
    why: str


class Child:
    """One program, from its start to its end.

    `wake` is called, on a thread of our own, when there is something to hear; for lines of which
    `is_news` says that nobody waits for them it is not.

    Raises OSError or RuntimeError where the system has no pipes or threads left.
    """

    def __init__(
        self,
        command: Sequence[str],
        wake: Callable[[], None],
        is_news: Callable[[str], bool] = lambda line: True,
    ) -> None:
        self._command = tuple(command)
        self._wake = wake
        self._is_news = is_news
        self._lock = Lock()
        self._heard: list[str] = []
        self._talked = 0
        self._to_say: deque[bytes] = deque()
        self._ended: Ended | None = None
        self._killed = False
        self._bell_out, self._bell_in = os.pipe()
        for each in (self._bell_out, self._bell_in):
            os.set_blocking(each, False)
        self._thread = Thread(target=self._live, name="opponent", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            os.close(self._bell_out)
            os.close(self._bell_in)
            raise

    @property
    def ended(self) -> Ended | None:
        """How it ended; None while it lives, or there are lines of it that were not heard."""
        with self._lock:
            return None if self._heard else self._ended

    def say(self, *lines: str) -> None:
        """Send lines, as soon as it takes them."""
        with self._lock:
            self._talked = 0
            self._to_say.append("".join(f"{line}\n" for line in lines).encode())
            self._ring()

    def hear(self) -> list[str]:
        """Give the lines that have come since the last time."""
        with self._lock:
            heard, self._heard = self._heard, []
        return heard

    def kill(self) -> None:
        """End it, and all that it has started, soon."""
        with self._lock:
            self._killed = True
            self._ring()

    def join(self, timeout_s: float) -> None:
        """Wait until it has ended, so long at most."""
        self._thread.join(timeout_s)

    def _ring(self) -> None:
        """Let our thread look about; only with the lock, so that the bell is there."""
        if self._ended is None:
            # A bell that is full of rings rings already.
            with suppress(BlockingIOError):
                os.write(self._bell_in, b"!")

    def _live(self) -> None:
        """Start the program, and carry lines until one side ends; on the thread."""
        try:
            with subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={k: v for k, v in os.environ.items() if k not in _SERVICES},
                # A group of its own: Ctrl-C at a terminal is not for it, and all that it starts can
                # be ended. No session: by `nice`, a process gives way within its session only.
                process_group=0,
            ) as process:
                ended = self._carry(process)
        except (OSError, ValueError) as error:
            ended = Ended(End.UNSTARTED, str(error))
        with self._lock:
            self._ended = ended
            os.close(self._bell_in)
            os.close(self._bell_out)
        self._wake()

    def _carry(self, process: "subprocess.Popen[bytes]") -> Ended:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        source, words = process.stdout.fileno(), _LastWords(process.stderr.fileno())
        target = process.stdin.fileno()
        os.set_blocking(target, False)
        listens = True
        deaths = _deaths(process.pid)
        begun = b""
        try:
            while True:
                with self._lock:
                    if self._killed:
                        return Ended(End.KILLED, "its end was asked for")
                    waits = bool(self._to_say) and listens
                readable = [source, self._bell_out, *words.open, *deaths]
                ready, writable, _ = select.select(readable, [target] if waits else [], [])
                if self._bell_out in ready:
                    with suppress(BlockingIOError):
                        os.read(self._bell_out, _PIECE)
                if words.number in ready:
                    words.read()
                if writable:
                    listens = self._write(target)
                if source in ready:
                    piece = os.read(source, _PIECE)
                    if not piece:
                        words.read()
                        return Ended(End.GONE, words.text or "it said no more")
                    *lines, begun = (begun + piece).split(b"\n")
                    if not self._take(lines, len(piece)):
                        return Ended(End.WILD, f"it wrote too much, such as {_sample(piece)}")
                elif any(death in ready for death in deaths):
                    # What it has started may hold its output open.
                    words.read()
                    return Ended(End.GONE, words.text or "it has ended")
        finally:
            for death in deaths:
                os.close(death)
            # While it is not waited for, its number is nobody else's.
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)

    def _write(self, target: int) -> bool:
        """Write what it takes of what is to be said; return False if it listens no more."""
        with self._lock:
            data = self._to_say.popleft()
            try:
                written = os.write(target, data)
            except BlockingIOError:
                written = 0
            except OSError:
                return False
            if data[written:]:
                self._to_say.appendleft(data[written:])
        return True

    def _take(self, lines: Sequence[bytes], size: int) -> bool:
        """Keep lines until they are heard; return False when it has talked too much."""
        texts = [line.decode(errors="replace").rstrip("\r") for line in lines]
        with self._lock:
            self._talked += size
            too_much = self._talked > MOST_TALK
            if not too_much:
                self._heard += texts
        if any(map(self._is_news, texts)):
            self._wake()
        return not too_much


class _LastWords:
    """What a program writes to standard error, as much of its end as one wants to read."""

    def __init__(self, number: int) -> None:
        os.set_blocking(number, False)
        self.number = number
        self.open = [number]
        self._kept = b""

    @property
    def text(self) -> str:
        """The last line with something on it."""
        lines = self._kept.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def read(self) -> None:
        """Take what is there."""
        if self.open:
            with suppress(BlockingIOError):
                piece = os.read(self.number, _PIECE)
                self._kept = (self._kept + piece)[-MOST_LAST_WORDS:]
                if not piece:
                    self.open.clear()


def _deaths(process: int) -> list[int]:
    """Open a file that tells when a process has ended, where the system has such files."""
    with suppress(AttributeError, OSError):
        return [os.pidfd_open(process)]
    return []


def _sample(piece: bytes) -> str:
    return repr(piece[:40].decode(errors="replace"))
