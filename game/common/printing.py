"""Texts that others have written, made safe for terminals and logs."""

import logging

from game.rules.base.names import JOINERS


def escaped(text: str) -> str:
    """Write characters that could change a terminal as JSON may have them, such as \\u001b."""
    return "".join(
        each
        if each.isprintable() or each in f"\n{JOINERS}"
        else "\\u" + each.encode("utf-16-be", "surrogatepass").hex("-", 2).replace("-", "\\u")
        for each in text
    )


class SafeFormatter(logging.Formatter):
    """Format log records, with nothing in them that could change a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return escaped(super().format(record))
