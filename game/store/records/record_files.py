"""Files of records: text or JSON, told apart by how they begin."""

import sys

from game.common.errors import RecordError
from game.store.records import record_json, record_text
from game.store.records.record import Record, printable

LARGEST = 32 << 20  # most bytes of a file, far more than thousands of games
STDIN = "-"
_GAMES_FILE = b"SQLite format 3\x00"


def name_of(file: str) -> str:
    """Return the name of a file as messages show it."""
    return "standard input" if file == STDIN else printable(file)


def read_records(file: str) -> list[Record]:
    """Read one file, `-` for standard input; raises RecordError, naming file and place."""
    try:
        if file == STDIN:
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(file, "rb") as opened:
                content = opened.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise RecordError(f"it is too large; allowed: {LARGEST >> 20} MiB")
        return records(content)
    except RecordError as error:
        raise RecordError(f"{name_of(file)}: {error}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise RecordError(f"{name_of(file)} cannot be read: {why}") from error


def records(content: bytes) -> list[Record]:
    """Read text or JSON; raises RecordError."""
    if content.startswith(_GAMES_FILE):
        raise RecordError("it is a games file; allowed: what `lifeboard export` writes of it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(
            f"byte {error.start + 1} is {content[error.start]:#04x}, so it is not text;"
            " allowed: UTF-8"
        ) from error
    begins = "".join(text[:1000].split())[:2]
    as_json = begins.startswith("{") or begins in ("[{", "[]", "[[")
    return record_json.read(text) if as_json else record_text.read(text)
