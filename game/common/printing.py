"""Texts for terminals, pipes and logs: tables, and what others have written made safe."""

import logging
from collections.abc import Container, Sequence

from game.rules.base.names import JOINERS


def escaped(text: str) -> str:
    """Write characters that could change a terminal as JSON may have them, such as \\u001b."""
    return "".join(
        each
        if each.isprintable() or each in f"\n{JOINERS}"
        else "\\u" + each.encode("utf-16-be", "surrogatepass").hex("-", 2).replace("-", "\\u")
        for each in text
    )


MOST_LOGGED = 1000
"""Most characters of a line that is logged; our own are shorter."""


def cut(text: str, most: int = MOST_LOGGED) -> str:
    """Return a text, or its beginning and how long it is."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


class SafeFormatter(logging.Formatter):
    """Format log records with lines cut to a bound, and nothing that could change a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(escaped(cut(line)) for line in super().format(record).split("\n"))


def text_table(rows: Sequence[tuple[str, ...]], right: Container[str] = ()) -> str:
    """Align rows in columns, those whose title is in `right` to the right."""
    columns = []
    for column in zip(*rows, strict=True):
        width = max(map(len, column))
        adjust = str.rjust if column[0] in right else str.ljust
        columns.append([adjust(text, width) for text in column])
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))
