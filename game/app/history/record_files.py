"""Files with games in them: which kind each is, and what it tells.

Owns the telling apart of text, JSON and games files, and the limits of what is read. Changes no
file: a games file is read from a copy.
"""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from game.app.errors import RecordError, StoreError
from game.app.history import record_json, record_text
from game.app.history.record import Record, as_far_as_it_fits, printable
from game.app.journal.carve import MAGIC, carve
from game.app.journal.games_file import FILE, pause_s
from game.app.journal.salvage import salvage
from game.app.journal.store import BOARD, Line
from game.rules.catalogue import all_games

LARGEST = 32 << 20
"""So many bytes of text are read; thousands of games are less."""
LARGEST_GAMES_FILE = 1 << 30
STDIN = "-"
_LOG = "-wal"
_DAMAGED = "what comes next is damaged"
_UNSURE = "whether more followed cannot be told"


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The records of one file, and what could not be read of it.

    `last` are those of a games file that whoever plays with it would take up again.
    """

    file: str
    records: tuple[Record, ...]
    notes: tuple[str, ...] = ()
    last: tuple[Record, ...] = ()


def read_file(name: str) -> RecordFile:
    """Read one file, `-` for standard input; raises RecordError, naming file and place."""
    file = "standard input" if name == STDIN else printable(name)
    try:
        content, log = _content(name)
        if _is_games_file(name, content):
            return _games_file(file, content, log)
        return RecordFile(file, tuple(records(content)))
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
            f"byte {error.start + 1} is {content[error.start]:#04x}, so that it is no text;"
            " allowed: UTF-8, or a games file"
        ) from error
    begins = "".join(text[:1000].split())[:2]
    as_json = begins.startswith("{") or begins in ("[{", "[]", "[[")
    return record_json.read(text) if as_json else record_text.read(text)


def _content(name: str) -> tuple[bytes, bytes]:
    """Read a file, no further than is allowed, and what stands in the log beside it."""
    if name == STDIN:
        return _bounded(name, sys.stdin.buffer), b""
    with open(name, "rb") as file:
        content = _bounded(name, file)
    log = Path(name + _LOG)
    beside = _is_games_file(name, content) and log.exists()
    return content, log.read_bytes() if beside else b""


def _bounded(name: str, file: BinaryIO) -> bytes:
    start = file.read(len(MAGIC))
    most = LARGEST_GAMES_FILE if _is_games_file(name, start) else LARGEST
    content = start + file.read(most)
    if len(content) > most:
        raise RecordError(f"it is too large; allowed: {most >> 20} MiB")
    return content


def _is_games_file(name: str, content: bytes) -> bool:
    """Tell by the first bytes, and by the name where these are damaged."""
    return content.startswith(MAGIC) or Path(name).suffix == Path(FILE).suffix


@dataclass(frozen=True, slots=True)
class _Game:
    """One game of a games file; its name is "" where it is lost, `flaw` what else is lost."""

    name: str
    source: str
    lines: Sequence[Line]
    flaw: str = ""


def _games_file(file: str, content: bytes, log: bytes) -> RecordFile:
    """Read a games file, and of a damaged one what can be read; raises RecordError if nothing."""
    found, notes = [], []
    last: dict[str, Record] = {}
    for number, game in sorted(_games(content, log).items()):
        record, flaw = _told(game)
        if record is not None:
            found.append(record)
            if record.source == BOARD:
                last[record.game] = record
        # Of a game that is over nothing more is wanted.
        if record is None or record.result is None:
            flaw = flaw or game.flaw
        if flaw:
            much = f"{len(record.journal)} lines" if record else "nothing"
            notes.append(f"{file}: of its game {number} {much} can be read: {flaw}")
    if not found:
        raise RecordError("no game in it can be read" + "".join(f"; {each}" for each in notes[:1]))
    return RecordFile(file, tuple(found), tuple(notes), tuple(last.values()))


def _games(content: bytes, log: bytes) -> dict[int, _Game]:
    """Read all games: with SQLite, and those that it loses out of the pages; raises OSError."""
    games = {}
    with tempfile.TemporaryDirectory(prefix="lifeboard-") as folder:
        copy = Path(folder) / FILE
        copy.write_bytes(content)
        if log:
            Path(f"{copy}{_LOG}").write_bytes(log)
        # What SQLite cannot make anything of may still have pages that are whole.
        with suppress(StoreError):
            for each in salvage(copy):
                kept, flaw = each.kept, "" if each.whole else _DAMAGED
                games[kept.number] = _Game(kept.game, kept.source, each.lines, flaw)
    carved = carve(content, log)
    for number, places in carved.lines.items():
        known = games.get(number, _Game("", BOARD, (), _DAMAGED))
        if number in carved.proven:
            known = _as_proven(known, places)
        lines = _timed(carved.from_start(number))
        if len(lines) > len(known.lines) and known.flaw:
            name, source = known.name, known.source
            if not name and number in carved.games:
                name, source = carved.games[number], carved.sources[number]
            flaw = _UNSURE if len(lines) == len(places) else _DAMAGED
            known = _Game(name, source, lines, flaw)
        games[number] = known
    return games


def _as_proven(game: _Game, places: Mapping[int, Line]) -> _Game:
    """Leave out what has no sum to prove it: a damaged schema hides the sums from SQLite."""
    for at, line in enumerate(game.lines):
        if places.get(at) != line:
            return replace(game, lines=game.lines[:at], flaw=_DAMAGED)
    return game


def _timed(lines: Sequence[Line]) -> list[Line]:
    """Work out the playing times that version 1 did not keep; none falls."""
    timed: list[Line] = []
    for line in lines:
        played_s = line.played_s
        if timed:
            counted = round(timed[-1].played_s + pause_s(timed[-1].at, line.at), 3)
            played_s = max(played_s or counted, timed[-1].played_s)
        timed.append(replace(line, played_s=played_s))
    return timed


def _told(game: _Game) -> tuple[Record | None, str]:
    """Tell a game as far as its lines can be read, and what is wrong with the next one.

    A game whose name is lost is the one whose rules the most of its lines fit.
    """
    try:
        told = [
            as_far_as_it_fits(name, game.source, game.lines)
            for name in ([game.name] if game.name else all_games())
        ]
    except RecordError as error:
        return None, str(error)
    return max(told, key=lambda each: len(each[0].journal) if each[0] else 0)
