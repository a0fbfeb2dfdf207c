"""The terminal of a maker's tool: typed lines come in, messages and tables go out."""

import os
import shutil
import threading
from collections.abc import Callable, Sequence
from typing import Self, TextIO

_READ_BYTES = 4096
_MAX_LINE = 200  # characters; the rest of a longer line is dropped
_MAX_ENDS = 20  # Ctrl-D ends one reading of a terminal; one that has hung up ends them all
_CLEAR = "\x1b[2J\x1b[H"


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
        self._closed = False
        self._thread = threading.Thread(target=self._listen, name="terminal", daemon=True)

    @property
    def size(self) -> tuple[int, int]:
        """Return columns and lines of the terminal; 80 columns and endless lines without one."""
        if not self._target.isatty():
            return 80, 10_000
        size = shutil.get_terminal_size()
        return size.columns, size.lines

    def say(self, text: str) -> None:
        """Write lines below the last ones."""
        print(text, file=self._target, flush=True)

    def table(self, lines: Sequence[str]) -> None:
        """Draw a table on a cleared terminal, or below the last one where there is no terminal."""
        text = "\n".join(lines)
        self.say(f"{_CLEAR}{text}" if self._target.isatty() else f"{text}\n")

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
        rest, ends = b"", 0
        most = _MAX_ENDS if os.isatty(descriptor) else 0
        while not self._closed and ends <= most:
            try:
                read = os.read(descriptor, _READ_BYTES)
            except OSError:
                return
            *lines, rest = (rest + read).split(b"\n")
            for line in lines:
                self._on_line(line[:_MAX_LINE].decode(errors="replace").rstrip("\r"))
            rest = rest[:_MAX_LINE]
            ends = 0 if read else ends + 1
