"""The line that was saved last, in a small file of its own: without it, lost ones are not noticed.

SQLite takes a log with a damaged end for one that a power cut has ended, and says nothing. So the
line is noted here after the disk has confirmed it, and without waiting for the disk again: a power
cut may leave an older note, or a torn one, but never one of a line that was not on disk.
"""

import os
import struct
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from game.store.journal.store import JournalLine
from game.table.entries import EntryKind
from hal.base.files import read_whole

NAME = "games.last"
_FORMAT = struct.Struct("<4Q")  # so short that it is in one sector
_COUNTED = {EntryKind.MOVE: 1, EntryKind.TAKE_BACK: -1}


@dataclass(frozen=True, slots=True)
class LastLine:
    """The last of `lines` lines of a game, by its sum, and how many `moves` these lines have."""

    game: int
    lines: int
    moves: int
    crc: int

    def write(self, folder: Path) -> None:
        """Note it; where the folder cannot be written, the older note stays."""
        content = _FORMAT.pack(*astuple(self))
        with suppress(OSError):
            opened = os.open(folder / NAME, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            with open(opened, "wb", buffering=0) as file:
                file.write(content + zlib.crc32(content).to_bytes(4, "little"))


def read_last_line(folder: Path) -> LastLine | None:
    """Read the note; None where there is none, or not a whole one."""
    with suppress(OSError):
        content = read_whole(folder / NAME)
        if len(content) == _FORMAT.size + 4:
            text, crc = content[:-4], content[-4:]
            if zlib.crc32(text).to_bytes(4, "little") == crc:
                return LastLine(*_FORMAT.unpack(text))
    return None


def moves_in(lines: Sequence[JournalLine]) -> int:
    """Count the moves of lines, less those that were taken back."""
    return sum(_COUNTED.get(each.entry.kind, 0) for each in lines)
