"""One session in a forked process, and the moment at which it is killed.

Owns fork, pipe and kill. Must not know what a session does, nor what must be so afterwards.
"""

import json
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.helpers.kills.invariant_checker import Broken, Line, told

ANSWER_S = 60.0
"""A session that says nothing for so long hangs."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: so long after the line with this number of the lines that begin so."""

    name: str
    begins: tuple[str, ...]
    number: int
    after_s: float


class Round:
    """One session in a forked process, from its begin to its end."""

    def __init__(self, run: Callable[[int], int]) -> None:
        ours, theirs = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(ours)
            status = 1
            try:
                status = run(theirs)
            finally:
                os._exit(status)
        os.close(theirs)
        self._pipe = ours
        self._told = b""

    def until(self, when: Moment) -> None:
        """Read until the moment has come, or until there is no more."""
        seen, read_to = 0, 0
        while seen < when.number:
            cut = self._told.find(b"\n", read_to)
            if cut < 0:
                if not self._read():
                    return
                continue
            line, read_to = json.loads(self._told[read_to:cut]), cut + 1
            seen += not when.begins or line[0] in when.begins
        end = time.perf_counter() + when.after_s
        while time.perf_counter() < end:
            pass

    def kill(self) -> tuple[bool, list[Line]]:
        """End the process; tell whether that killed it, and give all that it has told."""
        os.kill(self.pid, signal.SIGKILL)
        return self.end()

    def end(self) -> tuple[bool, list[Line]]:
        """Wait for the end; tell whether it was a kill, and give all that was told."""
        while self._read():
            pass
        os.close(self._pipe)
        _, status = os.waitpid(self.pid, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        return killed, told(self._told)

    def _read(self) -> bool:
        readable, _, _ = select.select([self._pipe], [], [], ANSWER_S)
        if not readable:
            os.kill(self.pid, signal.SIGABRT)
            raise Broken(f"hangs after {self._told[-500:]!r}")
        more = os.read(self._pipe, 65536)
        self._told += more
        return bool(more)
