"""Texts for terminals, pipes and logs: tables, and escaping of text from outside."""

import logging
from collections.abc import Container, Sequence

from game.rules.base.names import JOINERS


def escaped(text: str) -> str:
    """Escape characters that could change a terminal, in the form of JSON, such as \\u001b."""
    return "".join(
        each
        if each.isprintable() or each in f"\n{JOINERS}"
        else "\\u" + each.encode("utf-16-be", "surrogatepass").hex("-", 2).replace("-", "\\u")
        for each in text
    )


MOST_LOGGED = 1000
"""Most characters of a line that is logged; our own are shorter."""


def cut(text: str, most: int = MOST_LOGGED) -> str:
    """Return a text; of a long one the beginning and the length."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


class SafeFormatter(logging.Formatter):
    """Format log records: cut long lines, and escape characters that could change a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(escaped(cut(line)) for line in super().format(record).split("\n"))


def text_table(rows: Sequence[tuple[str, ...]], right: Container[str] = ()) -> str:
    """Align rows in columns; those whose title is in `right` are right-aligned."""
    columns = []
    for column in zip(*rows, strict=True):
        width = max(map(len, column))
        adjust = str.rjust if column[0] in right else str.ljust
        columns.append([adjust(text, width) for text in column])
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))
