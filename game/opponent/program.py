"""Another program that reads and writes lines, followed by a coroutine on a thread of its own.

Must not know what the lines mean.
"""

import asyncio
import os
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

MOST_LINE = 1 << 20  # most bytes of a line
MOST_STDERR = 2000  # how many of the last bytes of standard error are kept
_CLOSE_S = 0.9  # longest wait for the end of standard error, or of a killed program
_OOM_SCORE_ADJ = 500  # proc(5): killed before others when memory runs out


class ProgramError(Exception):
    """A program failed, and why, in English, for a log."""


class Program:
    """A running program."""

    def __init__(self, process: Any) -> None:
        self._process = process
        self._errors = b""
        self._reading_errors = asyncio.create_task(self._read_errors())

    def send(self, *lines: str) -> None:
        """Send lines, as soon as the program reads them."""
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    async def line(self) -> str:
        """Wait for the next line; raises ProgramError if none will come."""
        try:
            line: bytes = await self._process.stdout.readline()
        except ValueError:  # longer than MOST_LINE
            raise ProgramError("it wrote a line without an end") from None
        if not line.endswith(b"\n"):
            await asyncio.wait([self._reading_errors], timeout=_CLOSE_S)
            last = self._errors.decode(errors="replace").strip().rpartition("\n")[2]
            raise ProgramError(f"it is gone: {last or 'it closed its output'}")
        return line.decode(errors="replace").rstrip("\r\n")

    async def end(self) -> None:
        """Kill it, with all processes that it started."""
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._reading_errors.cancel()
        # asyncio also waits for the pipes to end, even for a full one.
        for fd in range(3):
            self._process._transport.get_pipe_transport(fd).close()
        ended = asyncio.create_task(self._process.wait())
        try:
            await asyncio.wait({ended}, timeout=_CLOSE_S)
        finally:
            # The wait above may have been cancelled.
            await asyncio.wait({ended}, timeout=_CLOSE_S)

    async def _read_errors(self) -> None:
        while piece := await self._process.stderr.read(MOST_STDERR):
            self._errors = (self._errors + piece)[-MOST_STDERR:]


@asynccontextmanager
async def running(command: Sequence[str]) -> AsyncIterator[Program]:
    """Run a program, and kill it at the end; raises ProgramError if it cannot be started."""
    try:
        # Use a group of its own: Ctrl-C at a terminal spares it, and all its children can be
        # killed. Not a session: `nice` counts within a session only (autogroups).
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=MOST_LINE, process_group=0
        )
    except (OSError, ValueError) as error:
        raise ProgramError(f"it cannot be started: {error}") from error
    program = Program(process)
    try:
        yield program
    finally:
        await program.end()


class Background:
    """A coroutine on a thread and an event loop of its own."""

    def __init__(self, work: Coroutine[Any, Any, None]) -> None:
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(work)
        self._thread = Thread(target=self._run, name="opponent", daemon=True)
        self._thread.start()

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function on the thread, unless the coroutine has ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def cancel(self, timeout_s: float = 0.0) -> None:
        """Cancel the coroutine, and wait for its end, or for the timeout."""
        self.call(self._task.cancel)
        self._thread.join(timeout_s)

    def _run(self) -> None:
        with closing(self._loop), suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._task)


def lower_priority(nice: int) -> None:
    """Lower this process's priority for the processor and for memory, where a sandbox lets it."""
    with suppress(OSError):
        os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(_OOM_SCORE_ADJ))
