"""Writing to the terminals, pipes and logs that others have opened, what others have written."""

import io
import logging
import select
from typing import Any, TextIO

from game.rules.base.names import JOINERS


def escaped(text: str) -> str:
    """Write characters that could change a terminal as JSON may have them, such as \\u001b."""
    return "".join(
        each
        if each.isprintable() or each in f"\n{JOINERS}"
        else "\\u" + each.encode("utf-16-be", "surrogatepass").hex("-", 2).replace("-", "\\u")
        for each in text
    )


class WaitingFile(io.FileIO):
    """A file whose `write` waits for room, also where the descriptor is non-blocking."""

    def write(self, data: Any) -> int:
        while (written := super().write(data)) is None:
            select.select([], [self], [])
        return written


def waiting(stream: TextIO) -> TextIO:
    """Return a standard stream that waits for room, and replaces what its encoding lacks."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if type(stream) is io.TextIOWrapper:  # none that collects what is written
        file = io.BufferedWriter(WaitingFile(stream.fileno(), "w", closefd=False))
        stream = io.TextIOWrapper(file, stream.encoding, line_buffering=stream.line_buffering)
    # A character that the terminal cannot show must not end a game.
    stream.reconfigure(errors="replace")
    return stream


class SafeFormatter(logging.Formatter):
    """Format log records, with nothing in them that could change a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return escaped(super().format(record))
