"""Limits of time and memory for work on what others have made."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def limits(memory: int, seconds: float) -> Iterator[None]:
    """Raise MemoryError or TimeoutError where work needs more bytes or time; in the main thread."""

    def end(*_: object) -> None:
        raise TimeoutError

    before, handler = resource.getrlimit(resource.RLIMIT_DATA), signal.signal(signal.SIGALRM, end)
    try:
        with suppress(OSError, ValueError):  # only Linux tells and limits it
            used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_DATA, (used + memory, before[1]))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_DATA, before)
