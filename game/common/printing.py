"""Texts for terminals, pipes and logs: tables, and what others have written made safe."""

import io
import logging
import select
from collections.abc import Container, Sequence
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
    """A file that waits for input and for room, also where its descriptor is non-blocking."""

    def readinto(self, buffer: Any) -> int:
        while (count := super().readinto(buffer)) is None:
            select.select([self], [], [])
        return count

    def write(self, data: Any) -> int:
        while (written := super().write(data)) is None:
            select.select([], [self], [])
        return written


def waiting(stream: TextIO) -> TextIO:
    """Return a standard stream that waits, and replaces what its encoding lacks."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if type(stream) is io.TextIOWrapper and hasattr(stream.buffer, "raw"):
        file = WaitingFile(stream.fileno(), "r" if stream.readable() else "w", closefd=False)
        buffer = io.BufferedReader(file) if file.readable() else io.BufferedWriter(file)
        stream = io.TextIOWrapper(buffer, stream.encoding, line_buffering=stream.line_buffering)
    # A character that the terminal cannot show, or a byte that is none, must not end a game.
    stream.reconfigure(errors="replace")
    return stream


MOST_LOGGED = 1000
"""Most characters of a logged message or a line of a traceback; our own are shorter."""


def cut(text: str, most: int = MOST_LOGGED) -> str:
    """Return a text, or its beginning and how long it is."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


class SafeFormatter(logging.Formatter):
    """Format log records cut to a bound, with nothing in them that could change a terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = cut(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:
        return "\n".join(map(cut, super().formatException(ei).split("\n")))

    def format(self, record: logging.LogRecord) -> str:
        return escaped(super().format(record))


def text_table(rows: Sequence[tuple[str, ...]], right: Container[str] = ()) -> str:
    """Align rows in columns, those whose title is in `right` to the right."""
    columns = []
    for column in zip(*rows, strict=True):
        width = max(map(len, column))
        adjust = str.rjust if column[0] in right else str.ljust
        columns.append([adjust(text, width) for text in column])
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))
