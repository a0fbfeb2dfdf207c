"""Files with games in them: text, JSON and games files.

Owns how these are told apart, and the limits of what is read. Changes no file: a games file is
read from a copy.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from game.common.errors import RecordError
from game.common.limits import limits
from game.store.journal.games_file import FILE
from game.store.journal.recovery import read_intact
from game.store.journal.store import BOARD
from game.store.records import record_json, record_text
from game.store.records.record import Record, from_journal, printable
from hal.base.files import read_whole

LARGEST = 32 << 20  # most bytes of text, far more than thousands of games
LARGEST_GAMES_FILE = 64 << 20  # nine thousand games
MOST_MEMORY = 512 << 20  # bytes; the largest games file needs most of it
LONGEST_S = 600.0  # for one file; a small Pi checks ten thousand moves a minute
STDIN = "-"
_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The records of one file, and a note on each game that could not be read.

    `last` holds the newest game of each name in a games file: it may go on.
    """

    file: str
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    last: tuple[Record, ...] = ()


def read_file(name: str) -> RecordFile:
    """Read one file, `-` for standard input; raises RecordError, naming file and place."""
    file = "standard input" if name == STDIN else printable(name)
    try:
        with limits(MOST_MEMORY, LONGEST_S):
            if name == STDIN:
                return _read(file, name, sys.stdin.buffer)
            with open(name, "rb") as opened:
                return _read(file, name, opened)
    except (MemoryError, TimeoutError) as error:
        much = "memory" if isinstance(error, MemoryError) else "time"
        allowed = f"allowed: {MOST_MEMORY >> 20} MiB and {LONGEST_S:g} s"
        raise RecordError(f"{file} takes too much {much} to read; {allowed}") from None
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise RecordError(f"{file} cannot be read: {why}") from error


def records(content: bytes) -> list[Record]:
    """Read text or JSON; raises RecordError."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(
            f"byte {error.start + 1} is {content[error.start]:#04x}, so it is not text;"
            " allowed: UTF-8, or a games file"
        ) from error
    begins = "".join(text[:1000].split())[:2]
    as_json = begins.startswith("{") or begins in ("[{", "[]", "[[")
    return record_json.read(text) if as_json else record_text.read(text)


def _read(file: str, name: str, opened: BinaryIO) -> RecordFile:
    start = opened.read(len(_MAGIC))
    # The name tells a games file whose first bytes are damaged.
    is_games_file = start == _MAGIC or Path(name).suffix == Path(FILE).suffix
    most = LARGEST_GAMES_FILE if is_games_file else LARGEST
    content = start + opened.read(most)
    if len(content) > most:
        raise RecordError(f"it is too large; allowed: {most >> 20} MiB")
    if not is_games_file:
        return RecordFile(file, tuple(records(content)))
    log = Path(f"{name}-wal")
    return _games_file(file, content, read_whole(log, most) if log.exists() else b"")


def _games_file(file: str, content: bytes, log: bytes) -> RecordFile:
    """Read a games file and its log; of a damaged game the lines before the damage.

    Raises RecordError if no game can be read.
    """
    found: list[Record] = []
    notes: list[str] = []
    last: dict[str, Record] = {}
    with tempfile.TemporaryDirectory(prefix="lifeboard-") as folder:
        copy = Path(folder) / FILE
        copy.write_bytes(content)
        Path(f"{copy}-wal").write_bytes(log)
        for game in read_intact(copy):
            if not game.game.game:
                continue
            number = game.game.number
            try:
                record = from_journal(game.game.game, game.game.source, game.following(0))
            except RecordError as error:
                notes.append(f"game {number} cannot be read: {error}")
                continue
            found.append(record)
            if record.source == BOARD:
                last[record.game] = record
            if record.result is None and not game.whole:
                moves = len(record.moves)
                notes.append(f"game {number} is damaged after move {moves}, and read up to there")
    if not found:
        raise RecordError("no game in it can be read" + "".join(f"; {each}" for each in notes[:1]))
    told = tuple(f"{file}: {note}" for note in notes)
    return RecordFile(file, tuple(found), told, tuple(last.values()))
