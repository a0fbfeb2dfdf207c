"""The terminal of a maker's tool: typed lines come in, messages and a live table go out.

Owns the reading thread and the cursor. Must not know what is asked or shown.
"""

import os
import shutil
import threading
from collections.abc import Callable, Sequence
from typing import Self, TextIO

_READ_BYTES = 4096
_MAX_LINE = 200  # characters; the rest of a longer line is dropped
_MAX_ENDS = 20  # Ctrl-D ends one reading of a terminal; one that has hung up ends them all
_HOME, _END_OF_LINE, _CLEAR = "\x1b[H", "\x1b[K", "\x1b[2J"
_SAVE_CURSOR, _RESTORE_CURSOR = "\x1b7", "\x1b8"


class Console:
    """Read from `source` and write to `target`; `on_line` gets each line, on the reading thread.

    The end of a source, such as /dev/null, only ends the reading.
    """

    def __init__(
        self, source: TextIO | None, target: TextIO, on_line: Callable[[str], None]
    ) -> None:
        self._source = source
        self._target = target
        self._on_line = on_line
        self._drawn: tuple[int, int, int] | None = None
        self._moved = threading.Event()
        self._below: tuple[str, ...] = ()
        self._closed = False
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
        """Write lines below the last ones; below a table they stay until more is typed."""
        print(text, file=self._target, flush=True)
        if self._drawn:
            self._below = tuple(text.splitlines())
            self._moved.set()

    def table(self, lines: Sequence[str]) -> None:
        """Draw a table in place of the last one, or below it where there is no cursor."""
        if not self.live:
            self.say("\n".join([*lines, ""]))
            return
        width, height = self.size
        # The last line stays free for what is typed.
        below = self._below[: height - 2]
        shown = [*lines[: height - 1 - len(below)], *below]
        text = "".join(line[:width] + _END_OF_LINE + "\n" for line in shown)
        drawn = (width, height, len(shown))
        if drawn == self._drawn and not self._moved.is_set():
            # A half typed line stays as it is.
            self._target.write(f"{_SAVE_CURSOR}{_HOME}{text}{_RESTORE_CURSOR}")
        else:
            self._target.write(f"{_CLEAR}{_HOME}{text}")
        self._moved.clear()
        self._drawn = drawn
        self._target.flush()

    def __enter__(self) -> Self:
        if self._source is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True

    def _listen(self) -> None:
        # Not through the file object: a daemon thread that holds its lock when the interpreter
        # ends makes that abort.
        try:
            descriptor = self._source.fileno() if self._source is not None else -1
        except (OSError, ValueError):
            return
        kept, ends = b"", 0
        most = _MAX_ENDS if os.isatty(descriptor) else 0
        while not self._closed and ends <= most:
            try:
                read = os.read(descriptor, _READ_BYTES)
            except OSError:
                return
            *lines, kept = (kept + read).split(b"\n")
            for line in lines:
                self._below = ()
                self._moved.set()  # Enter moves the cursor
                self._on_line(line[:_MAX_LINE].decode(errors="replace").rstrip("\r"))
            kept = kept[:_MAX_LINE]
            ends = 0 if read else ends + 1
