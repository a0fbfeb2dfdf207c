"""The process that is an emulated Pico's processor: MicroPython, and the link to it.

Owns starting and ending it, requests and answers as bytes, and its output. Must not know what is
requested; times are only passed through.
"""

import contextlib
import os
import select
import socket
import struct
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from importlib.resources import as_file, files
from pathlib import Path

from tests.helpers.pico.shims import link_format

HANG_S = 5.0
"""How long the firmware may compute without a request, in seconds of this processor."""
STUCK_S = 60.0
"""How long it may neither compute nor make a request, in seconds."""

_ASK = struct.Struct(link_format.REQUEST)
_SAID = struct.Struct(link_format.ANSWER)
_CHUNK = 65536


class Kind(IntEnum):
    """The kinds of requests."""

    WAIT = link_format.WAIT
    OPEN_BUS = link_format.OPEN_BUS
    TRANSFER = link_format.TRANSFER
    SCAN = link_format.SCAN
    PIN = link_format.PIN
    STATE_MACHINE = link_format.STATE_MACHINE
    ACTIVE = link_format.ACTIVE
    RUN = link_format.RUN
    RESET = link_format.RESET
    WATCHDOG = link_format.WATCHDOG


class Cause(IntEnum):
    """Why a Pico starts."""

    POWER_ON = link_format.POWER_ON
    PROGRAM = link_format.BY_PROGRAM
    WATCHDOG = link_format.BY_WATCHDOG
    SOFT = link_format.SOFT
    BOOTLOADER = link_format.TO_BOOTLOADER


@dataclass(frozen=True, slots=True)
class Request:
    """A request: its kind, three numbers and data, and when it was made, in us."""

    kind: Kind
    small: int
    number: int
    now_us: int
    other: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: the time, how far the clock may run, low pins, errno, input and data.

    `full` means that nothing more can be written to the host.
    """

    now_us: int
    until_us: int
    low: int
    error: int
    full: bool
    input: bytes
    data: bytes


class Hung(Exception):
    """Report that no request comes: it computes, or it has ended."""


class Processor:
    """Run MicroPython; `output` is what it has printed and was not taken yet."""

    def __init__(
        self,
        micropython: Sequence[str],
        flash: Path,
        *,
        heap_bytes: int,
        cause: Cause,
        identity: bytes,
        ticks_us: int,
        raw: bool,
        hang_s: float,
        import_us: int,
    ) -> None:
        self.output = b""
        self._hang_s = hang_s
        ours, theirs = socket.socketpair()
        self._line = ours
        out, printed = os.pipe()
        self._out = out
        os.set_blocking(out, False)
        self._files = contextlib.ExitStack()
        below = self._files.enter_context(as_file(files("tests.helpers.pico").joinpath("shims")))
        command = [
            *micropython,
            *("-X", f"heapsize={heap_bytes}"),
            str(below / "power_on.py"),
            *(str(theirs.fileno()), str(flash), str(int(cause)), identity.hex(), str(ticks_us)),
            "raw" if raw else "friendly",
            str(import_us),
        ]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            pass_fds=(theirs.fileno(),),
            close_fds=True,
        )
        theirs.close()
        os.close(printed)
        self._poller = select.poll()
        self._poller.register(ours, select.POLLIN)
        self._poller.register(out, select.POLLIN)

    def receive(self) -> Request:
        """Wait for a request, and take what was printed before it; raise Hung without one."""
        idle: tuple[float, float] | None = None
        while True:
            ready = {handle for handle, _ in self._poller.poll(self._hang_s * 1000)}
            if not ready:
                idle = self._check_alive(idle)
            if self._out in ready:
                self._drain()
            if self._line.fileno() in ready:
                break
        head = self._take(_ASK.size)
        kind, small, size, number, now_us, other = _ASK.unpack(head)
        data = self._take(size) if size else b""
        self._drain()
        return Request(Kind(kind), small, number, now_us, other, data)

    def answer(self, answer: Answer) -> None:
        """Answer a request."""
        head = _SAID.pack(
            answer.now_us,
            answer.until_us,
            answer.low,
            answer.error,
            answer.full,
            len(answer.input),
            len(answer.data),
        )
        self._line.sendall(head + answer.input + answer.data)

    def take_output(self) -> bytes:
        """Return the output since the last call."""
        output, self.output = self.output, b""
        return output

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._drain()
        self._line.close()
        os.close(self._out)
        self._files.close()

    def _check_alive(self, since: tuple[float, float] | None) -> tuple[float, float]:
        """Raise Hung when a time-out has passed; return the times at the first call."""
        here = self._computed_s(), time.monotonic()
        if since is None:
            return here
        if here[0] - since[0] >= self._hang_s:
            raise Hung(f"it has computed for {self._hang_s} s without asking for anything")
        if here[1] - since[1] >= STUCK_S:
            raise Hung(f"it has neither computed nor asked for anything for {STUCK_S:.0f} s")
        return since

    def _computed_s(self) -> float:
        """Return the processor time that it has used: a busy computer is not its fault."""
        # proc(5): fields 14 and 15 of stat, after a name that ends with the last bracket.
        stat = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._out, _CHUNK):
                self.output += data

    def _take(self, size: int) -> bytes:
        parts = []
        while size:
            part = self._line.recv(size)
            if not part:
                self._drain()
                raise Hung("it has ended: " + self.output.decode(errors="replace")[-2000:])
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
