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
_HOME, _END_OF_LINE, _REST, _CLEAR = "\x1b[H", "\x1b[K", "\x1b[J", "\x1b[2J"


class Console:
    """Read from `source` and write to `target`; `heard` gets each line, on a thread of its own.

    A source that ends, as one from /dev/null does at once, only ends the reading.
    """

    def __init__(self, source: TextIO | None, target: TextIO, heard: Callable[[str], None]) -> None:
        self._source = source
        self._target = target
        self._heard = heard
        self._drawn = False
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
        """Write lines below what stands there."""
        print(text, file=self._target, flush=True)

    def table(self, lines: Sequence[str]) -> None:
        """Draw a table in place of the last one, or below it where nothing can be drawn over."""
        if not self.live:
            self.say("\n".join([*lines, ""]))
            return
        width, height = self.size
        # The last line stays free for what is typed.
        shown = [line[:width] + _END_OF_LINE + "\n" for line in lines[: height - 1]]
        start = _HOME if self._drawn else _CLEAR + _HOME
        self._drawn = True
        self._target.write(start + "".join(shown) + _REST)
        self._target.flush()

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
                self._heard(text.rstrip("\n"))
            return
        # Not through the file object: a thread that hangs in its lock when the interpreter ends
        # takes the interpreter down.
        kept = b""
        while True:
            ready, _, _ = select.select([descriptor, self._ended], [], [])
            if self._ended in ready:
                return
            read = b""
            with contextlib.suppress(OSError):
                read = os.read(descriptor, _READ_BYTES)
            *lines, kept = (kept + read).split(b"\n")
            for line in lines:
                self._heard(line[:_LONGEST_LINE].decode(errors="replace").rstrip("\r"))
            kept = kept[:_LONGEST_LINE]
            if not read:
                return
