"""Stored games: shown and exported; and files of records, text or JSON, imported.

A closed game is the newest one played here in a game with hidden information, until it ends: its
record would show what players still hide from each other.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path

from game.common import AppError, RecordError, StoreError, words
from game.rules.base.registry import all_games
from game.store.board_text import draw, legend
from game.store.record import (
    DECIDING,
    Record,
    final_state,
    from_journal,
    game_named,
    lines_of,
    outcome_of,
    printable,
)
from game.store.record_json import record_to_json, records_from_json
from game.store.record_text import record_to_text, records_from_text
from game.store.store import BOARD, IMPORT, JournalLine, Store, StoredGame
from game.table.entries import EntryKind
from hal.base.files import decoded

NEWEST = "last"
ALL = "all"
STDIN = "-"
LARGEST = 32 << 20  # most bytes of a file, far more than thousands of games
_GAMES_FILE = b"SQLite format 3\x00"


def show(folder: Path, which: str) -> str:
    """Describe one game: its tags, its moves, and the board at its end; raises AppError."""
    _, record = record_of(folder, which)
    game, state = game_named(record.game), final_state(record)
    pieces = game.pieces(state.position)
    last = state.history[-1].focus if state.history else ""
    below = [legend(game, pieces, last)] if pieces else []
    if state.outcome is not None:
        below.append(words("en").text(state.outcome.message))
    return "\n".join([record_to_text(record), draw(game, pieces, last), "", *below])


def record_of(folder: Path, which: str) -> tuple[int, Record]:
    """Return the number and the record of a game, by its number or `last`; raises AppError."""
    with Store(folder, read_only=True) as store:
        stored = _chosen(store, which)
        _refuse_closed(store, stored)
        return stored.number, _record(store, stored)


def export(
    folder: Path,
    which: Sequence[str],
    *,
    as_json: bool,
    skip: Callable[[str], None] = lambda why: None,
) -> str:
    """Write records as text or JSON, of one game an object; raises AppError.

    `all` leaves out closed games. Damaged ones are given to `skip`; if all are, that is an error.
    """
    with Store(folder, read_only=True) as store:
        if ALL in which:
            every = store.games()
            chosen = [each for each in every if not _is_closed(store, each)]
            if every and not chosen:
                _refuse_closed(store, every[-1])
        else:
            chosen = [_chosen(store, each, ALL) for each in which]
            for each in chosen:
                _refuse_closed(store, each)
        if not chosen:
            raise _no_games(store)
        records, bad = [], []
        for each in chosen:
            try:
                records.append(_record(store, each))
            except (StoreError, RecordError) as error:
                bad.append(error)
    if not records:
        raise bad[0]
    for why in bad:
        skip(str(why))
    if not as_json:
        return "\n".join(map(record_to_text, records))
    objects = [record_to_json(record) for record in records]
    return json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=1)


def save(text: str, file: Path, *, force: bool) -> None:
    """Write a file, replacing an existing one only with `force`; raises AppError."""
    try:
        with file.open("w" if force else "x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError as error:
        raise AppError(f"{file} is there already; allowed: another name, or --force") from error
    except OSError as error:
        raise AppError(f"{file} cannot be written: {error.strerror}") from error


def import_files(folder: Path, files: Sequence[str]) -> Iterator[str]:
    """Yield a line on each game that is stored; raises AppError before storing any."""
    found = [(_name(file), record) for file in files for record in read_records(file)]
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    with Store(folder) as store:
        games = store.games()
        closed = [each for each in games if _is_closed(store, each)]
        # Reporting that a record equals a closed game would reveal what the game hides.
        there = [each for each in games if each not in closed]
        records: dict[int, Record] = {}

        def stored_as(record: Record) -> int | None:
            for each in there:
                if each.game == record.game and record.started in ("", each.started):
                    with suppress(AppError):  # a damaged one
                        if each.number not in records:
                            records[each.number] = _record(store, each)
                        if record.same_game(records[each.number]):
                            return each.number
            return None

        for file, record in found:
            if (number := stored_as(record)) is not None:
                yield f"{file}: already stored as game {number}"
            elif record.result is None and any(
                (each.game, each.started) == (record.game, record.started) for each in closed
            ):
                yield f"{file}: its game of {record.game} is not over, and stays closed"
            else:
                lines = lines_of(record, now)
                outcome, ended = outcome_of(record), _decided(lines)
                number = store.begin(record.game, IMPORT, lines, outcome, ended)
                there.append(store.game(number))
                count = len(record.moves)
                moves = f"{count} {'move' if count == 1 else 'moves'}"
                yield f"{file}: game {number}, {record.game}, {moves}"


def read_records(file: str) -> list[Record]:
    """Read one file, `-` for standard input; raises RecordError, naming file and place."""
    try:
        with nullcontext(sys.stdin.buffer) if file == STDIN else open(file, "rb") as opened:
            return records_in(opened.read(LARGEST + 1))
    except RecordError as error:
        raise RecordError(f"{_name(file)}: {error}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise RecordError(f"{_name(file)} cannot be read: {why}") from error


def records_in(content: bytes) -> list[Record]:
    """Read text or JSON; raises RecordError."""
    if len(content) > LARGEST:
        raise RecordError(f"it is too large; allowed: {LARGEST >> 20} MiB")
    if content.startswith(_GAMES_FILE):
        raise RecordError("it is a games file; allowed: what `lifeboard export` writes of it")
    try:
        text = decoded(content)
    except UnicodeDecodeError as error:
        raise RecordError(f"it is not text: {error}; allowed: UTF-8") from error
    begins = "".join(text[:1000].split())[:2]
    as_json = begins.startswith("{") or begins in ("[{", "[]", "[[")
    return records_from_json(text) if as_json else records_from_text(text)


def _name(file: str) -> str:
    return "standard input" if file == STDIN else printable(file)


def _decided(lines: Sequence[JournalLine]) -> str | None:
    deciding = (EntryKind.MOVE, *DECIDING, EntryKind.SET_UP)
    return next((line.at for line in reversed(lines) if line.entry.kind in deciding), None)


def _is_closed(store: Store, stored: StoredGame) -> bool:
    game = all_games().get(stored.game)
    if game is None or not game.hidden or stored.reason is not None or stored.source != BOARD:
        return False
    return store.newest(stored.game) == stored.number


def _refuse_closed(store: Store, stored: StoredGame) -> None:
    if _is_closed(store, stored):
        raise AppError(
            f"game {stored.number} is {stored.game} and not over: its record would show what the"
            " players hide, and is closed until it ends or a newer one is begun"
        )


def _chosen(store: Store, which: str, *more: str) -> StoredGame:
    """Find a game by its number or `last`; `more` is allowed too. Raises AppError."""
    if which.isascii() and which.isdigit() and len(which) < 10:
        return store.game(int(which))
    games = store.games()
    if not games:
        raise _no_games(store)
    if which == NEWEST:
        # An imported game may have a higher number than the game that is being played.
        return next((each for each in reversed(games) if each.source == BOARD), games[-1])
    allowed = " | ".join((f"{games[0].number} - {games[-1].number}", NEWEST, *more))
    raise AppError(f"game is {printable(which)!r}; allowed: {allowed}")


def _no_games(store: Store) -> AppError:
    return AppError(f"no game is stored in {store.file.parent} yet")


def _record(store: Store, stored: StoredGame) -> Record:
    try:
        return from_journal(stored.game, stored.source, store.lines(stored.number))
    except RecordError as error:
        raise RecordError(f"game {stored.number} of {store.file}: {error}") from error
