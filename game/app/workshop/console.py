"""The terminal of a maker's tool: typed lines come in, messages and a live table go out.

Owns the reading thread and the cursor. Must not know what is asked or shown.
"""

import contextlib
import os
import select
import shutil
import threading
from collections.abc import Callable, Sequence
from typing import Self, TextIO

_READ_BYTES = 4096
_LONGEST_LINE = 200
_MOST_ENDS = 20
_HOME, _END_OF_LINE, _CLEAR = "\x1b[H", "\x1b[K", "\x1b[2J"
_MARK, _RETURN = "\x1b7", "\x1b8"  # where the cursor was


class Console:
    """Read from `source` and write to `target`; `heard` gets each line, on a thread of its own.

    A source that ends, as one from /dev/null does at once, only ends the reading. A terminal where
    someone types Ctrl-D goes on.
    """

    def __init__(self, source: TextIO | None, target: TextIO, heard: Callable[[str], None]) -> None:
        self._source = source
        self._target = target
        self._heard = heard
        self._drawn: tuple[int, int, int] | None = None
        self._moved = threading.Event()
        self._below: tuple[str, ...] = ()
        self._ended, self._end = -1, -1
        self._thread = threading.Thread(target=self._listen, name="terminal", daemon=True)

    @property
    def live(self) -> bool:
        """Tell whether a table can be drawn over the last one."""
        return self._target.isatty()

    @property
    def size(self) -> tuple[int, int]:
        """Give columns and lines of the terminal; 80 columns without end where there is none."""
        if not self.live:
            return 80, 10_000
        try:
            size = os.get_terminal_size(self._target.fileno())
        except OSError:
            size = shutil.get_terminal_size()
        return (size.columns, size.lines) if size.columns and size.lines else (80, 24)

    def say(self, text: str) -> None:
        """Write lines below what stands there; below a table they stay until more is typed."""
        print(text, file=self._target, flush=True)
        if self._drawn:
            self._below = tuple(text.splitlines())
            self._moved.set()

    def table(self, lines: Sequence[str]) -> None:
        """Draw a table in place of the last one, or below it where nothing can be drawn over."""
        if not self.live:
            self.say("\n".join([*lines, ""]))
            return
        width, height = self.size
        # The last line stays free for what is typed.
        below = self._below[: height - 2]
        shown = [*lines[: height - 1 - len(below)], *below]
        text = "".join(line[:width] + _END_OF_LINE + "\n" for line in shown)
        drawn = (width, height, len(shown))
        moved = self._moved.is_set()
        self._moved.clear()
        if drawn == self._drawn and not moved:
            # What is half typed below stays as it is.
            self._target.write(f"{_MARK}{_HOME}{text}{_RETURN}")
        else:
            self._target.write(f"{_CLEAR}{_HOME}{text}")
        self._drawn = drawn
        self._target.flush()

    def _hear(self, line: str) -> None:
        """Pass a line on; what was said below a table has been read, and Enter moved the cursor."""
        self._below = ()
        self._moved.set()
        self._heard(line)

    def __enter__(self) -> Self:
        if self._source is not None:
            self._ended, self._end = os.pipe()
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._source is None:
            return
        os.close(self._end)
        # A source without a file descriptor cannot be interrupted; its thread ends with us.
        self._thread.join(timeout=1.0)
        if not self._thread.is_alive():
            os.close(self._ended)

    def _listen(self) -> None:
        try:
            descriptor = self._source.fileno() if self._source is not None else -1
        except (OSError, ValueError):
            for text in self._source or ():
                self._hear(text.rstrip("\n"))
            return
        self._listen_to(descriptor)

    def _listen_to(self, descriptor: int) -> None:
        # Not through the file object: a thread that hangs in its lock when the interpreter ends
        # takes the interpreter down.
        kept, ends = b"", 0
        while True:
            ready, _, _ = select.select([descriptor, self._ended], [], [])
            if self._ended in ready:
                return
            read = b""
            with contextlib.suppress(OSError):
                read = os.read(descriptor, _READ_BYTES)
            *lines, kept = (kept + read).split(b"\n")
            for line in lines:
                self._hear(line[:_LONGEST_LINE].decode(errors="replace").rstrip("\r"))
            kept = kept[:_LONGEST_LINE]
            ends = 0 if read else ends + 1
            # Ctrl-D ends one reading of a terminal; one that has hung up ends them all.
            if ends > (_MOST_ENDS if os.isatty(descriptor) else 0):
                return
